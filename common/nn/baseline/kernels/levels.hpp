#pragma once
// The instruction sets that this architecture may have; isas_here() asks the processor.
#include "common/nn/baseline/kernels/isa.hpp"

namespace hpml::nn::baseline {

Isa portable_isa();  // what every processor of the architecture has
#if defined(__x86_64__)
Isa avx2_isa();
Isa avx512_isa();
#endif

}  // namespace hpml::nn::baseline
