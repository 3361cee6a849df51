#include "common/nn/gemm/isa.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"
#include "common/nn/gemm/levels.hpp"

namespace hpml::nn::gemm {

int Isa::vectors_for(int64_t columns) const {
  int vectors = 1;
  while (vectors < max_vectors && int64_t{vectors} * width < columns) {
    vectors *= 2;
  }
  return vectors;
}

const TileForm& Isa::form(int64_t rows, int vectors) const {
  const auto found = std::find_if(forms.begin(), forms.end(),
                                  [&](const TileForm& form) { return form.vectors == vectors && form.rows <= rows; });
  HPML_CHECK(found != forms.end(), fmt::format("no tile of {} rows and {} vectors for {}", rows, vectors, name));
  return *found;
}

const std::vector<const Isa*>& isas_here() {
  static const std::vector<Isa> compiled = [] {
    std::vector<Isa> isas;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) {
      isas.push_back(avx512_isa());
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
      isas.push_back(avx2_isa());
    }
#endif
    isas.push_back(portable_isa());
    return isas;
  }();
  static const std::vector<const Isa*> here = [] {
    std::vector<const Isa*> pointers;
    for (const Isa& isa : compiled) {
      pointers.push_back(&isa);
    }
    return pointers;
  }();
  return here;
}

}  // namespace hpml::nn::gemm
