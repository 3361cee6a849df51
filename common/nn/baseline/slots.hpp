#pragma once
// Fills of all slots, for tests, for what staff trains, and as the reference of performance. Lab 2 does not link them.
#include <string_view>
#include <vector>

#include "common/nn/slots.hpp"

namespace hpml::nn {

// The rungs of the convolution and of the matrix product.
enum class Kernel : uint8_t {
  naive,   // the loops of the definition
  gemm,    // im2col, then a blocked matrix product
  direct,  // register tiles that read the image in place
};
// Instruction sets that this processor and this build have, the fastest first: "avx512", "avx2", then what every
// processor of the architecture has: "sse2", "neon" or "scalar".
std::vector<std::string_view> instruction_sets();

// `instruction_set` must be one of instruction_sets(); "" is the first of them.
Slots baseline_slots(Kernel kernel = Kernel::direct, std::string_view instruction_set = "");

}  // namespace hpml::nn
