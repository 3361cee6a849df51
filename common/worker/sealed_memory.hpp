#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/worker/descriptor.hpp"
#include "common/worker/failure.hpp"

namespace hpml::worker {

// Zeros at first, in memory that this process and a worker share (memfd_create(2)). Its size is sealed: a worker that
// could shrink it would kill this process with SIGBUS. Memory that the worker only reads is sealed against all writing
// but through this process's own mapping; a read-only descriptor alone could be opened again through /proc/self/fd.
class SealedMemory {
 public:
  enum class Worker : uint8_t { reads, writes };
  static Answer<SealedMemory> make(size_t bytes, Worker worker);  // bytes: whole pages

  std::byte* data() const { return static_cast<std::byte*>(memory_.get()); }
  // The files side by side. One is enough, unless the process's limit on file sizes, which also holds for memory files
  // (setrlimit(2)), is smaller than the memory.
  const std::vector<Descriptor>& files() const { return files_; }
  // In the worker's copy of this process: from here on it may do what `worker` says and no more.
  bool enter() const;

 private:
  struct Unmap {
    size_t bytes;
    void operator()(void* begin) const;
  };
  SealedMemory(void* begin, size_t bytes, size_t file_bytes, Worker worker)
      : memory_(begin, Unmap{bytes}), bytes_(bytes), file_bytes_(file_bytes), worker_(worker) {}
  Answer<Ok> add_file(size_t offset);
  size_t part(size_t offset) const;  // bytes of the file that begins there

  std::unique_ptr<void, Unmap> memory_;
  std::vector<Descriptor> files_;
  size_t bytes_, file_bytes_;
  Worker worker_;
};

}  // namespace hpml::worker
