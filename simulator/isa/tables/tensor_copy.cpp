#include "simulator/isa/ops/tensor_copy.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa::every_level {

void append_tensor_copy(VariantSink& out) { add_all(out, TensorOps{}); }

}  // namespace hpml::sim::isa::every_level
