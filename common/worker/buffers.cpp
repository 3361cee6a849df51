#include "common/worker/buffers.hpp"

#include <sys/mman.h>

#include <algorithm>

namespace hpml::worker {
namespace {

size_t page_bytes() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Answer<Buffers::Area> Buffers::make_area(const std::vector<size_t>& sizes, SealedMemory::Worker worker) {
  const size_t page = page_bytes();
  std::vector<size_t> ends;
  size_t begin = 0;
  for (const size_t size : sizes) {
    ends.push_back(begin + (size + page - 1) / page * page);
    begin = ends.back() + page;
  }
  HPML_TRY(SealedMemory memory, SealedMemory::make(std::max(begin, page), worker));
  return Area{std::move(memory), std::move(ends)};
}

Answer<Buffers> Buffers::make(const Layout& layout) {
  HPML_TRY(Area inputs, make_area(layout.inputs, SealedMemory::Worker::reads));
  HPML_TRY(Area outputs, make_area(layout.outputs, SealedMemory::Worker::writes));
  return Buffers(std::move(inputs), std::move(outputs));
}

bool Buffers::enter() const {
  bool closed = true;
  for (const Area* area : {&inputs_, &outputs_}) {
    closed = closed && area->memory.enter();
    for (const size_t end : area->ends) {
      closed = closed && mprotect(area->memory.data() + end, page_bytes(), PROT_NONE) == 0;
    }
  }
  return closed;
}

}  // namespace hpml::worker
