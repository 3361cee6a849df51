// Exercise E7: a ring all-reduce in the background, and buckets of gradients.
#include "overlap.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "allreduce.h"

namespace hpml {

// Step s of 2 (P-1): the reduce-scatter sends chunk r-s; the all-gather, with t = s - (P-1), sends chunk r+1-t.
struct RingOp::State {
  // BEGIN STUDENT
  std::span<float> x;
  MPI_Comm c;
  int tag;
  int rank = 0, ranks = 0, step = 0;
  std::vector<float> received;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

  Chunk chunk(int i) const { return chunk_of(x.size(), ranks, ((i % ranks) + ranks) % ranks); }
  int last_step() const { return 2 * (ranks - 1); }
  bool reduces() const { return step < ranks - 1; }
  // In both phases a step receives the chunk before the one that it sends.
  Chunk out() const { return chunk(reduces() ? rank - step : rank + 1 - (step - (ranks - 1))); }
  Chunk in() const { return chunk(reduces() ? rank - step - 1 : rank - (step - (ranks - 1))); }

  void start() {
    const Chunk to = out();
    const Chunk from = in();
    float* target = reduces() ? received.data() : x.data() + from.begin;
    MPI_Irecv(target, static_cast<int>(from.size), MPI_FLOAT, (rank + ranks - 1) % ranks, tag, c, &requests[0]);
    MPI_Isend(x.data() + to.begin, static_cast<int>(to.size), MPI_FLOAT, (rank + 1) % ranks, tag, c, &requests[1]);
  }

  void wait_for_step() {
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    advance();
  }

  void advance() {
    const Chunk from = in();
    if (reduces()) {
      for (std::size_t i = 0; i < from.size; ++i) {
        x[from.begin + i] += received[i];
      }
    }
    ++step;
    if (step < last_step()) {
      start();
    }
  }
  // END STUDENT
};

RingOp::RingOp(std::span<float> x, MPI_Comm c, int tag) {
  // BEGIN STUDENT
  state_ = std::make_unique<State>();
  state_->x = x;
  state_->c = c;
  state_->tag = tag;
  MPI_Comm_rank(c, &state_->rank);
  MPI_Comm_size(c, &state_->ranks);
  state_->received.resize(x.size() / state_->ranks + 1);
  if (state_->last_step() > 0) {
    state_->start();
  }
  // END STUDENT
}

RingOp::~RingOp() = default;
RingOp::RingOp(RingOp&&) noexcept = default;
RingOp& RingOp::operator=(RingOp&&) noexcept = default;

bool RingOp::progress() {
  // BEGIN STUDENT
  while (state_->step < state_->last_step()) {
    for (MPI_Request& request : state_->requests) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done == 0) {
        return false;
      }
    }
    state_->advance();
  }
  return true;
  // END STUDENT
}

void RingOp::wait() {
  // BEGIN STUDENT
  while (state_->step < state_->last_step()) {
    state_->wait_for_step();
  }
  // END STUDENT
}

struct Bucketer::State {
  // BEGIN STUDENT
  struct Bucket {
    std::span<float> values;
    int missing;  // layers that are not ready
  };

  MPI_Comm c;
  std::vector<Bucket> buckets;
  std::vector<int> bucket_of;  // layer
  std::vector<RingOp> started;
  std::size_t first_running = 0;

  void start_ready() {
    while (started.size() < buckets.size() && buckets[started.size()].missing == 0) {
      started.emplace_back(buckets[started.size()].values, c, static_cast<int>(started.size()));
    }
  }
  // END STUDENT
};

Bucketer::Bucketer(std::span<float> grads, std::span<const std::size_t> layer_sizes, std::size_t cap_bytes,
                   MPI_Comm c) {
  // BEGIN STUDENT
  state_ = std::make_unique<State>();
  state_->c = c;
  state_->bucket_of.resize(layer_sizes.size());
  std::size_t end = grads.size();
  std::size_t begin = end;
  int layers = 0;
  for (std::size_t layer = layer_sizes.size(); layer-- > 0;) {
    begin -= layer_sizes[layer];
    ++layers;
    state_->bucket_of[layer] = static_cast<int>(state_->buckets.size());
    if ((end - begin) * sizeof(float) >= cap_bytes || layer == 0) {
      state_->buckets.push_back({grads.subspan(begin, end - begin), layers});
      end = begin;
      layers = 0;
    }
  }
  // END STUDENT
}

Bucketer::~Bucketer() = default;

void Bucketer::grad_ready(int layer) {
  // BEGIN STUDENT
  --state_->buckets[state_->bucket_of[layer]].missing;
  state_->start_ready();
  progress();
  // END STUDENT
}

void Bucketer::progress() {
  // BEGIN STUDENT
  bool all_before_done = true;
  for (std::size_t i = state_->first_running; i < state_->started.size(); ++i) {
    const bool done = state_->started[i].progress();
    all_before_done = all_before_done && done;
    state_->first_running += all_before_done ? 1 : 0;
  }
  // END STUDENT
}

void Bucketer::finish() {
  // BEGIN STUDENT
  progress();
  while (state_->first_running < state_->buckets.size()) {
    state_->started[state_->first_running].state_->wait_for_step();
    progress();
  }
  // END STUDENT
}

}  // namespace hpml
