// Compiled with -mavx512f: 32 registers of 16 floats. 6 x 64 sums take 24 of them.
#if defined(__x86_64__)
#include "common/nn/gemm/levels.hpp"
#include "common/nn/gemm/tile.hpp"

namespace hpml::nn::gemm {

Isa avx512_isa() {
  Isa isa{.name = "avx512", .width = 16, .max_vectors = 4, .forms = {}};
  add_forms<16, 4, 6, 4, 2, 1>(isa.forms);
  add_forms<16, 2, 12, 8, 4, 2, 1>(isa.forms);
  add_forms<16, 1, 12, 8, 4, 2, 1>(isa.forms);
  return isa;
}

}  // namespace hpml::nn::gemm
#endif
