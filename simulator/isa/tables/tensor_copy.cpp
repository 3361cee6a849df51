#include "simulator/isa/ops/tensor_copy.hpp"
#include "simulator/isa/tables/chapters.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

void append_tensor_copy(VariantSink& out) { add_all(out, TensorOps{}); }

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
