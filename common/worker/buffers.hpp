#pragma once
// The inputs and outputs of a worker. Each ends at a page that the worker must not touch: code that reads past the end
// is killed instead of being answered.
#include <cstdint>
#include <vector>

#include "common/worker/sealed_memory.hpp"

namespace hpml::worker {

// Bytes of the largest content of each buffer.
struct Layout {
  std::vector<size_t> inputs, outputs;
};

class Buffers {
 public:
  static Answer<Buffers> make(const Layout& layout);

  // Begin of the last `count` elements of a buffer. The worker can read inputs, and read and write outputs.
  template <class T>
  T* input(size_t index, int64_t count) const {
    return reinterpret_cast<T*>(inputs_.memory.data() + inputs_.ends[index]) - count;
  }
  template <class T>
  T* output(size_t index, int64_t count) const {
    return reinterpret_cast<T*>(outputs_.memory.data() + outputs_.ends[index]) - count;
  }

  const SealedMemory& input_memory() const { return inputs_.memory; }
  const SealedMemory& output_memory() const { return outputs_.memory; }
  // In the worker's copy of this process: inputs and the pages between buffers are closed.
  bool enter() const;

 private:
  struct Area {
    SealedMemory memory;
    std::vector<size_t> ends;  // of the buffers, in bytes from the begin; a page of its own follows each
  };
  static Answer<Area> make_area(const std::vector<size_t>& sizes, SealedMemory::Worker worker);
  Buffers(Area inputs, Area outputs) : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

  Area inputs_, outputs_;
};

}  // namespace hpml::worker
