// All op chapters of one vector ISA level. Compiled once per level with HPML_SIMD_LEVEL set (see CMakeLists.txt).
#include <vector>

#include "simulator/isa/ops/compare.hpp"
#include "simulator/isa/ops/control.hpp"
#include "simulator/isa/ops/int_arith.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

std::vector<Variant> build_variants() {
  std::vector<Variant> out;
  add_all(out, IntArithOps{});
  add_all(out, CompareOps{});
  add_all(out, ControlOps{});
  return out;
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
