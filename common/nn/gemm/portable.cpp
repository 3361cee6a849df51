// Compiled for every processor of the architecture. NEON has 32 registers of 4 floats, SSE2 16; elsewhere the compiler
// takes the vectors apart.
#include "common/nn/gemm/levels.hpp"
#include "common/nn/gemm/tile.hpp"

namespace hpml::nn::gemm {

Isa portable_isa() {
#if defined(__aarch64__)
  Isa isa{.name = "neon", .width = 4, .max_vectors = 4, .forms = {}};
  add_forms<4, 4, 6, 4, 2, 1>(isa.forms);
  add_forms<4, 2, 12, 8, 4, 2, 1>(isa.forms);
#elif defined(__x86_64__)
  Isa isa{.name = "sse2", .width = 4, .max_vectors = 2, .forms = {}};
  add_forms<4, 2, 6, 4, 2, 1>(isa.forms);
#else
  Isa isa{.name = "scalar", .width = 4, .max_vectors = 1, .forms = {}};
#endif
  add_forms<4, 1, 8, 4, 2, 1>(isa.forms);
  return isa;
}

}  // namespace hpml::nn::gemm
