// Compiled with -mavx2 -mfma: 16 registers of 8 floats. 6 x 16 sums take 12 of them.
#if defined(__x86_64__)
#include "common/nn/gemm/levels.hpp"
#include "common/nn/gemm/tile.hpp"

namespace hpml::nn::gemm {

Isa avx2_isa() {
  Isa isa{.name = "avx2", .width = 8, .max_vectors = 2, .forms = {}};
  add_forms<8, 2, 6, 4, 2, 1>(isa.forms);
  add_forms<8, 1, 12, 8, 4, 2, 1>(isa.forms);
  return isa;
}

}  // namespace hpml::nn::gemm
#endif
