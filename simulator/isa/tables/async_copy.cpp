#include "simulator/isa/ops/async_copy.hpp"
#include "simulator/isa/ops/async_reduce.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_async_copy(VariantSink& out) {
  add_all(out, AsyncCopyOps{});
  add_all(out, AsyncReduceOps{});
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
