#include "simulator/ir/detail/layout.hpp"

#include <algorithm>

namespace hpml::sim::ir {

uint32_t element_bytes(const ptx::Variable& v) {
  const auto type = isa::parse_type(v.type);
  if (!type) {  // .texref, .surfref, .samplerref: the handle of what is bound to it
    return ptx::is_opaque_type(v.type) ? sizeof(uint64_t) : 0;
  }
  return static_cast<uint32_t>(std::max(isa::bits(*type) / 8, 1) * v.vector);
}

uint64_t size_of(const ptx::Variable& v) {
  uint64_t bytes = element_bytes(v);
  for (size_t i = 0; i < v.dims.size(); ++i) {
    const uint64_t extent = v.dims[i] == 0 && i == 0 ? v.init.size() : v.dims[i];
    bytes *= extent;
  }
  return bytes;
}

uint32_t align_of(const ptx::Variable& v) { return v.align != 0 ? v.align : std::max(element_bytes(v), 1u); }

uint8_t container_bytes(isa::Ty type) {
  if (type == isa::Ty::pred) {
    return 4;
  }
  const int bits = isa::bits(type);
  return static_cast<uint8_t>(bits <= 16 ? 2 : bits / 8);
}

}  // namespace hpml::sim::ir
