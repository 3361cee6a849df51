// Exercise E7: communication that goes on while the program computes. overlap.cpp is yours.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>

namespace hpml {

// A ring all-reduce of x in the background: no call but wait() blocks. Each step of the ring that is over is followed
// by the next one in the next call of progress(). Operations in flight on the same communicator need different tags.
class RingOp {
 public:
  RingOp(std::span<float> x, MPI_Comm c, int tag);  // starts the first step
  ~RingOp();
  RingOp(RingOp&&) noexcept;
  RingOp& operator=(RingOp&&) noexcept;
  bool progress();  // true once x holds the sum
  void wait();      // returns when x holds the sum

 private:
  friend class Bucketer;  // may look into the operations that it has started
  struct State;           // yours
  std::unique_ptr<State> state_;
};

// Sums the gradients of all ranks, in buckets, while the backward pass is running.
// Gradients of layer l lie one after the other in `grads`, layer 0 first. A backward pass ends with layer 0, so buckets
// are filled from the last layer down: a bucket takes whole layers until it has at least cap_bytes bytes. A bucket may
// be sent when all its layers are ready. All ranks must start the buckets in the same order, though their layers get
// ready in different orders: by number of the bucket, never by readiness.
class Bucketer {
 public:
  Bucketer(std::span<float> grads, std::span<const std::size_t> layer_sizes, std::size_t cap_bytes, MPI_Comm c);
  ~Bucketer();
  Bucketer(const Bucketer&) = delete;
  Bucketer& operator=(const Bucketer&) = delete;
  void grad_ready(int layer);  // called once per layer and rank
  void progress();             // called between slices of computation; must not block
  void finish();               // all layers are ready: returns when grads holds the sums

 private:
  struct State;  // yours
  std::unique_ptr<State> state_;
};

}  // namespace hpml
