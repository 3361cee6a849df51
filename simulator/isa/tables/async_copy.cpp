#include "simulator/isa/ops/async_copy.hpp"
#include "simulator/isa/ops/async_reduce.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_async_copy(VariantSink& out) {
  add_all(out, AsyncCopyOps{});
  add_all(out, AsyncReduceOps{});
}

}  // namespace hpml::sim::isa::every_level
