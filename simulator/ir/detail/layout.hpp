#pragma once
// Sizes and alignments of declared things (PTX ISA 9.0, 5.4).
#include <cstdint>

#include "common/base/result.hpp"
#include "simulator/isa/types.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ir {

constexpr uint64_t align_up(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

// Bytes of one element: vector width times type; 0 for an unknown type word.
uint32_t element_bytes(const ptx::Variable& v);
// Total bytes: element times array extents; a flexible [] counts as its initialiser, or 0.
uint64_t size_of(const ptx::Variable& v);
uint32_t align_of(const ptx::Variable& v);
// Register container of a type: 2, 4, 8 or 16 bytes; 4 for a predicate's lane mask.
uint8_t container_bytes(isa::Ty type);

}  // namespace hpml::sim::ir
