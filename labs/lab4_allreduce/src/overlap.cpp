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
  // What an operation has to remember: vector, communicator, tag, number of the step, two requests, a receive buffer.
  // END STUDENT
};

RingOp::RingOp(std::span<float> x, MPI_Comm c, int tag) {
  // BEGIN STUDENT
  // Fill in state_, and start the first step: MPI_Irecv from r - 1, MPI_Isend to r + 1. With P = 1 there is none.
  (void)x;
  (void)c;
  (void)tag;
  // END STUDENT
}

RingOp::~RingOp() = default;
RingOp::RingOp(RingOp&&) noexcept = default;
RingOp& RingOp::operator=(RingOp&&) noexcept = default;

bool RingOp::progress() {
  // BEGIN STUDENT
  // While there are steps left: MPI_Test both requests; if both are done, add (first P - 1 steps), start the next step.
  return true;
  // END STUDENT
}

void RingOp::wait() {
  // BEGIN STUDENT
  // As progress(), with MPI_Waitall instead of MPI_Test.
  // END STUDENT
}

struct Bucketer::State {
  // BEGIN STUDENT
  // Buckets (part of grads, number of layers that are not ready), the bucket of each layer, the started operations.
  // END STUDENT
};

Bucketer::Bucketer(std::span<float> grads, std::span<const std::size_t> layer_sizes, std::size_t cap_bytes,
                   MPI_Comm c) {
  // BEGIN STUDENT
  // Fill in state_: from the last layer on, a bucket takes layers until it holds cap_bytes or more.
  (void)grads;
  (void)layer_sizes;
  (void)cap_bytes;
  (void)c;
  // END STUDENT
}

Bucketer::~Bucketer() = default;

void Bucketer::grad_ready(int layer) {
  // BEGIN STUDENT
  // Count the layer. Then start every bucket that is next in order and complete, each with a tag of its own.
  (void)layer;
  // END STUDENT
}

void Bucketer::progress() {
  // BEGIN STUDENT
  // progress() of each operation that is not done.
  // END STUDENT
}

void Bucketer::finish() {
  // BEGIN STUDENT
  // Until all operations are done: wait for the oldest one's step, then progress() the others.
  // END STUDENT
}

}  // namespace hpml
