#pragma once
// ResNet-8 in integers as an ONNX file, as runtimes quantise: float operators between QuantizeLinear and
// DequantizeLinear (QDQ), which a runtime may fuse into integer ones.
#include "common/onnx/model.hpp"
#include "networks/integer.hpp"

namespace hpml::lab5 {

// Input "image": n x 3 x 32 x 32, normalised; output "logits": n x 10. A runtime rounds in float where the integers
// round once in 64 bits, so single units differ.
onnx::Model to_onnx(const IntegerNet& net);

}  // namespace hpml::lab5
