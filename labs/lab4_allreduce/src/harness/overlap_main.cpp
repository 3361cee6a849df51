// Exercise E7 behind the relay. Arguments: MODE LAYERS ELEMENTS COMPUTE_S CAP_BYTES SEED. Modes:
// overlap: a backward pass. Compute each layer in slices with progress() between, then say that it is ready; finish().
// serial: the same, but the layers are said to be ready only after the last computation.
// scramble: layers of different sizes, which become ready in another order on each rank.
// ring: RingOp alone. Two operations at once that are polled, and further ones that are waited for.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "../overlap.h"
#include "clock.h"
#include "data.h"
#include "fail.h"
#include "observe.h"

namespace {

using namespace hpml::harness;

constexpr int kSlices = 10;
constexpr double kPoll_s = 1e-5;
constexpr int kMostPolls = 100000;

struct Job {
  std::string mode;
  int layers = 0;
  std::size_t elements = 0;  // of a layer
  double compute_s = 0;      // of a layer
  std::size_t cap_bytes = 0;
  std::uint64_t seed = 0;
};

void compute_layer(double seconds, hpml::Bucketer& bucketer) {
  for (int slice = 0; slice < kSlices; ++slice) {
    hpml::compute(seconds / kSlices);
    bucketer.progress();
  }
}

void backward_pass(const Job& job, std::span<float> gradients, int rank) {
  std::vector<std::size_t> sizes(static_cast<std::size_t>(job.layers), job.elements);
  std::vector<int> order(sizes.size());
  std::iota(order.rbegin(), order.rend(), 0);  // the last layer first
  if (job.mode == "scramble") {
    for (std::size_t layer = 1; layer < sizes.size(); layer += 2) {
      std::swap(sizes[layer], sizes[layer - 1]);
      sizes[layer] += job.elements / 2;
      sizes[layer - 1] -= job.elements / 2;
    }
    std::rotate(order.begin(), order.begin() + rank % job.layers, order.end());
  }
  hpml::Bucketer bucketer(gradients, sizes, job.cap_bytes, MPI_COMM_WORLD);
  for (const int layer : order) {
    if (job.mode == "serial") {
      hpml::compute(job.compute_s);
      continue;
    }
    compute_layer(job.compute_s, bucketer);
    bucketer.grad_ready(layer);
  }
  if (job.mode == "serial") {
    std::for_each(order.begin(), order.end(), [&](int layer) { bucketer.grad_ready(layer); });
  }
  bucketer.finish();
}

// Two halves of the vector at once, then the third part; polling ends after kMostPolls at the latest.
void ring_operations(const Job& job, std::span<float> x) {
  hpml::RingOp first(x.subspan(0, job.elements), MPI_COMM_WORLD, 7);
  hpml::RingOp second(x.subspan(job.elements, job.elements), MPI_COMM_WORLD, 8);
  bool done = false;
  for (int poll = 0; poll < kMostPolls && !done; ++poll) {
    const bool first_done = first.progress();
    const bool second_done = second.progress();
    done = first_done && second_done;
    hpml::compute(kPoll_s);
  }
  if (!done) {
    fail("RingOp::progress() never returned true");
  }
  for (int layer = 2; layer < job.layers; ++layer) {
    hpml::RingOp waited(x.subspan(static_cast<std::size_t>(layer) * job.elements, job.elements), MPI_COMM_WORLD, 9);
    waited.wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 7) {
    fail("expected MODE LAYERS ELEMENTS COMPUTE_S CAP_BYTES SEED");
  }
  const Job job{argv[1], std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10), std::atof(argv[4]),
                std::strtoull(argv[5], nullptr, 10), std::strtoull(argv[6], nullptr, 10)};
  {
    Observer observer(rank, ranks);
    observer.begin_cell(0);
    std::vector<float> gradients(static_cast<std::size_t>(job.layers) * job.elements);
    fill(gradients, "int", job.seed, rank);
    sleep_until(beginning_of(0));
    MPI_Pcontrol(1);
    if (job.mode == "ring") {
      ring_operations(job, gradients);
    } else {
      backward_pass(job, gradients, rank);
    }
    MPI_Pcontrol(0);
    observer.json(0, "{\"hash\":" + std::to_string(sample_hash(gradients, job.seed)) +
                         ",\"wrong\":" + wrong_elements(gradients, job.seed, ranks) + "}");
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
