#pragma once
// The instruction sets that this architecture may have; isas_here() asks the processor.
#include "common/nn/gemm/isa.hpp"

namespace hpml::nn::gemm {

Isa portable_isa();  // what every processor of the architecture has
#if defined(__x86_64__)
Isa avx2_isa();
Isa avx512_isa();
#endif

}  // namespace hpml::nn::gemm
