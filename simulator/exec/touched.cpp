#include "simulator/exec/touched.hpp"

#include <algorithm>

namespace hpml::sim::exec {

void Touched::add(const memory::Allocation& allocation, bool read, bool written) {
  constexpr size_t kMost = 64;  // that are worth telling apart
  auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.allocation == &allocation; });
  if (part == parts.end()) {
    if (parts.size() == kMost) {
      complete = false;
      return;
    }
    part = parts.insert(parts.end(), Part{.allocation = &allocation});
  }
  part->read |= read;
  part->written |= written;
}

void Touched::add(const Touched& other) {
  complete = complete && other.complete;
  for (const Part& part : other.parts) {
    add(*part.allocation, part.read, part.written);
  }
}

}  // namespace hpml::sim::exec
