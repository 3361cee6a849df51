// Chooses, once, the op tables compiled for the widest vector ISA of this CPU.
#include <vector>

#include "simulator/isa/libm/tables.hpp"
#include "simulator/isa/matrix/forms.hpp"
#include "simulator/isa/variant_sink.hpp"

namespace hpml::sim::isa {

namespace baseline {
void build_variants(VariantSink& out);
}
#if defined(HPML_HAVE_X86_LEVELS)
namespace v3 {
void build_variants(VariantSink& out);
}
namespace v4 {
void build_variants(VariantSink& out);
}
#endif

void VariantSink::add(const Variant& variant) { variants_.push_back(variant); }

namespace {

std::vector<Variant> collect(void (*build)(VariantSink&)) {
  VariantSink sink;
  build(sink);
  append_matrix(sink);
  append_math_functions(sink);
  append_intrinsic_functions(sink);
  return sink.take();
}

bool cpu_has(std::string_view level) {
#if defined(HPML_HAVE_X86_LEVELS)
  // Features named one by one: __builtin_cpu_supports("x86-64-v3") needs newer compilers than the distributions have.
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (level == "x86-64-v3") {
    return v3;
  }
  if (level == "x86-64-v4") {
    return v4;
  }
#endif
  return level == "baseline";
}

}  // namespace

std::span<const Variant> variants_of_level(std::string_view level) {
  if (!cpu_has(level)) {
    return {};
  }
#if defined(HPML_HAVE_X86_LEVELS)
  if (level == "x86-64-v3") {
    static const std::vector<Variant> kV3 = collect(v3::build_variants);
    return kV3;
  }
  if (level == "x86-64-v4") {
    static const std::vector<Variant> kV4 = collect(v4::build_variants);
    return kV4;
  }
#endif
  static const std::vector<Variant> kBaseline = collect(baseline::build_variants);
  return kBaseline;
}

std::string_view vector_level() {
  return cpu_has("x86-64-v4") ? "x86-64-v4" : cpu_has("x86-64-v3") ? "x86-64-v3" : "baseline";
}

std::span<const Variant> variants() { return variants_of_level(vector_level()); }

}  // namespace hpml::sim::isa
