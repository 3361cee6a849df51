#include "common/worker/sealed_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

namespace hpml::worker {
namespace {

// The most that one file may hold, in whole pages.
size_t most_file_bytes() {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    return SIZE_MAX / page * page;
  }
  return static_cast<size_t>(limit.rlim_cur) / page * page;
}

}  // namespace

void SealedMemory::Unmap::operator()(void* begin) const { munmap(begin, bytes); }

size_t SealedMemory::part(size_t offset) const { return std::min(file_bytes_, bytes_ - offset); }

Answer<SealedMemory> SealedMemory::make(size_t bytes, Worker worker) {
  const size_t file_bytes = most_file_bytes();
  if (file_bytes == 0) {
    return Failure{kOurFault, "no memory to share: the limit on file sizes is below one page"};
  }
  // The room for all files, where their mappings then lie side by side.
  void* begin = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) {
    return system_failure("no room for the vectors");
  }
  SealedMemory memory(begin, bytes, file_bytes, worker);
  for (size_t offset = 0; offset < bytes; offset += memory.part(offset)) {
    HPML_TRY_VOID(memory.add_file(offset));
  }
  return memory;
}

Answer<Ok> SealedMemory::add_file(size_t offset) {
  Descriptor file(memfd_create("hpml-worker", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.number() < 0 || ftruncate(file.number(), static_cast<off_t>(part(offset))) != 0) {
    return system_failure("no memory for the vectors");
  }
  if (mmap(data() + offset, part(offset), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file.number(),
           0) == MAP_FAILED) {
    return system_failure("no room for the vectors");
  }
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | (worker_ == Worker::reads ? F_SEAL_FUTURE_WRITE : 0) | F_SEAL_SEAL;
  if (fcntl(file.number(), F_ADD_SEALS, seals) != 0) {
    return system_failure("the memory of the vectors cannot be sealed");
  }
  files_.push_back(std::move(file));
  return Ok{};
}

// Mapped again: after the seal, a mapping cannot be made writable, while the one from before the seal could.
bool SealedMemory::enter() const {
  size_t offset = 0;
  for (const Descriptor& file : files_) {
    if (worker_ == Worker::reads && mmap(data() + offset, part(offset), PROT_READ,
                                         MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file.number(), 0) == MAP_FAILED) {
      return false;
    }
    offset += part(offset);
  }
  return true;
}

}  // namespace hpml::worker
