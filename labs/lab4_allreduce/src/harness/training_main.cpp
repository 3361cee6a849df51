// Exercises E9 and E10 behind the relay. Arguments: NAME=VALUE, see Job; what is not named keeps the value that stands
// there. Rank 0 leaves its weights and the pushes, every rank a hash of its weights.
#include <mpi.h>

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "clock.h"
#include "data.h"
#include "fail.h"
#include "json.h"
#include "observe.h"
#include "training_run.h"

namespace {

using namespace hpml::harness;

constexpr std::size_t kShardSamples = 500;
constexpr std::uint64_t kSeedStride = 4096;  // without a key of its own, rank r has samples of seed * kSeedStride + r

struct Job {
  CompressorChoice compressor;
  std::uint64_t seed = 0;
  double compute_s = 0.005;
  double slow = 1;  // the last rank computes so many times longer
  hpml::SgdConfig sgd;
};

double value_of(const std::string& word, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail("'" + word + "': '" + text + "' is no number");
  }
  return value;
}

void set(Job& job, const std::string& word) {
  const std::size_t at = word.find('=');
  const std::string name = word.substr(0, at);
  const std::string text = at == std::string::npos ? "" : word.substr(at + 1);
  if (name == "compressor") {
    job.compressor.name = text;
  } else if (name == "fraction") {
    job.compressor.fraction = value_of(word, text);
  } else if (name == "compute") {
    job.compute_s = value_of(word, text);
  } else if (name == "slow") {
    job.slow = value_of(word, text);
  } else if (name == "seed") {
    job.seed = static_cast<std::uint64_t>(value_of(word, text));
  } else if (name == "elements") {
    job.compressor.elements = static_cast<std::size_t>(value_of(word, text));
  } else if (name == "steps") {
    job.sgd.steps = static_cast<int>(value_of(word, text));
  } else if (name == "rate") {
    job.sgd.learning_rate = static_cast<float>(value_of(word, text));
  } else if (name == "feedback") {
    job.sgd.error_feedback = value_of(word, text) != 0;
  } else if (name == "remedy") {
    job.sgd.remedy = static_cast<hpml::Remedy>(value_of(word, text));
  } else if (name == "bound") {
    job.sgd.bound = static_cast<float>(value_of(word, text));
  } else {
    fail("there is no setting '" + word + "'");
  }
}

std::string pushes_as_json(const hpml::TrainStats& stats) {
  std::string text = "[";
  for (const hpml::Push& push : stats.pushes) {
    text += (text.size() > 1 ? ",[" : "[") + std::to_string(push.worker) + "," + std::to_string(push.staleness) + "]";
  }
  return text + "]";
}

void train(const Observer& observer, const Job& job, int rank, int ranks) {
  hpml::Model model;
  const hpml::Shard shard =
      hpml::make_shard(own_key().value_or(job.seed * kSeedStride + static_cast<std::uint64_t>(rank)), kShardSamples);
  const std::unique_ptr<hpml::Compressor> compressor = make_compressor(job.compressor, rank);
  hpml::SgdConfig config = job.sgd;
  config.compressor = compressor.get();
  config.compute_s = job.compute_s * (rank == ranks - 1 ? job.slow : 1);
  sleep_until(beginning_of(0));
  MPI_Pcontrol(1);
  const hpml::TrainStats stats = run_training(model, shard, config);
  MPI_Pcontrol(0);
  std::string text = "{\"hash\":" + std::to_string(hash_of(model.weights())) +
                     ",\"payload\":" + std::to_string(stats.payload_bytes);
  if (rank == 0) {
    text += ",\"pushes\":" + pushes_as_json(stats);
    observer.floats(0, model.weights());
  }
  observer.json(0, text + "}");
}

// What a compressor makes of a given gradient: its payload, in rank 0, and what the payload stands for, added to ones, in rank 1,
// whose process has nothing but the payload.
void encode_one(const Observer& observer, const Job& job, int rank) {
  const CompressorChoice& choice = job.compressor;
  const std::unique_ptr<hpml::Compressor> compressor = make_compressor(choice, rank);
  if (compressor == nullptr) {
    fail("there is no compressor '" + choice.name + "' yet");
  }
  std::vector<std::byte> payload;
  if (rank == 0) {
    std::vector<float> gradient(choice.elements);
    fill(gradient, "mixed", job.seed, 0);
    const std::size_t bytes = compressor->encode(gradient, payload);
    observer.bytes(0, payload);
    observer.json(0, "{\"payload\":" + std::to_string(bytes) + "}");
    const int size = static_cast<int>(payload.size());
    MPI_Pcontrol(1);  // the compressor itself has nothing to send
    MPI_Send(&size, sizeof size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Send(payload.data(), size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    return;
  }
  int size = 0;
  MPI_Pcontrol(1);
  MPI_Recv(&size, sizeof size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  payload.resize(static_cast<std::size_t>(size));
  MPI_Recv(payload.data(), size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Pcontrol(0);
  std::vector<float> decoded(choice.elements, 1.0f);
  compressor->decode_add(payload, decoded);
  observer.floats(0, decoded);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Observer observer(rank, ranks);
    observer.begin_cell(0);
    Job job;
    for (int i = 1; i < argc; ++i) {
      set(job, argv[i]);
    }
    if (job.compressor.elements > 0) {
      sleep_until(beginning_of(0));
      if (ranks != 2) {
        fail("a compressor is tried on two ranks");
      }
      encode_one(observer, job, rank);
    } else {
      train(observer, job, rank, ranks);
    }
    observer.finish();
  }
  MPI_Finalize();
  return 0;
}
