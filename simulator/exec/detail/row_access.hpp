#pragma once
// Loads and stores whose addresses have a known shape (AccessShape) made of rows: vectors are compared and copied,
// no lane is looked at by itself.
#include <cstddef>
#include <cstdint>

#include "simulator/exec/detail/access_shape.hpp"
#include "simulator/exec/detail/tally.hpp"
#include "simulator/ir/kernel.hpp"

namespace hpml::sim::exec {

// The function that does the accesses of this instruction; null: there is none.
RowFn row_function(const ir::Inst& inst, Route route);

// One register and one element of each lane's access.
struct RowMove {
  std::byte* lanes = nullptr;
  uintptr_t at = 0;  // of the first lane's element
  uint32_t vec = 1;  // elements from one lane's to its neighbour's
  bool loads = false;
};
void move_rows(const AccessShape& shape, const RowMove& move, uint32_t bytes);

}  // namespace hpml::sim::exec
