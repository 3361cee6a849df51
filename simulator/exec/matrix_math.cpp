#include "simulator/exec/detail/matrix_math.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "simulator/exec/detail/matrix_floats.hpp"
#include "simulator/isa/rounding.hpp"

namespace hpml::sim::exec {

namespace {

using isa::Element;

int64_t integer_of(Element type, uint64_t raw) {
  switch (type) {
    case Element::s8: return static_cast<int8_t>(raw);
    case Element::s4: return static_cast<int64_t>(raw ^ 8) - 8;
    case Element::u8:
    case Element::u4:
    case Element::b1:
    case Element::none:
    case Element::f16:
    case Element::bf16:
    case Element::tf32:
    case Element::f32:
    case Element::f64:
    case Element::s32:
    case Element::e4m3:
    case Element::e5m2:
    case Element::e3m2:
    case Element::e2m3:
    case Element::e2m1:
    case Element::e2m1_packed: break;
  }
  return static_cast<int64_t>(raw);
}

void multiply_integers(const isa::MatrixForm& form, bool saturate, MatrixValues& v) {
  std::vector<int64_t> a, b;
  for (const uint64_t raw : v.a) {
    a.push_back(integer_of(form.a, raw));
  }
  for (const uint64_t raw : v.b) {
    b.push_back(integer_of(form.b, raw));
  }
  const size_t k = form.columns_a();
  std::vector<int64_t> kept;
  for (size_t i = 0; i < form.m; ++i) {
    for (size_t j = 0; j < form.n; ++j) {
      int64_t sum = static_cast<int32_t>(v.c[i * form.n + j]);
      const int64_t* column = met_by(form, v, i, &b[j * form.k], kept);
      for (size_t t = 0; t < k; ++t) {
        const int64_t x = a[i * k + t], y = column[t];
        sum += form.bit_op == isa::BitOp::xor_popc ? x ^ y : form.bit_op == isa::BitOp::and_popc ? x & y : x * y;
      }
      sum = saturate
                ? std::clamp<int64_t>(sum, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max())
                : sum;
      v.d[i * form.n + j] = static_cast<uint32_t>(sum);
    }
  }
}

// A NaN operand is the result, made quiet. Of several, b's wins over c's and c's over a's. Measured on an H200: the
// matrix instruction prefers c's to a's, and fma.f64 prefers b's to both. An invalid operation gives the negative NaN.
double fused(isa::Rnd rounding, double a, double b, double c) {
  constexpr uint64_t kQuiet = uint64_t{1} << 51, kInvalid = 0xfff8'0000'0000'0000;
  for (const double operand : {b, c, a}) {
    if (std::isnan(operand)) {
      return std::bit_cast<double>(std::bit_cast<uint64_t>(operand) | kQuiet);
    }
  }
  const bool nearest = rounding == isa::Rnd::none || rounding == isa::Rnd::rn;
  const double sum = nearest ? std::fma(a, b, c) : isa::fma_rounded(rounding, a, b, c);
  return std::isnan(sum) ? std::bit_cast<double>(kInvalid) : sum;
}

// A chain of fused multiply-adds in ascending k.
void multiply_doubles(const isa::MatrixForm& form, isa::Rnd rounding, MatrixValues& v) {
  const size_t k = form.k;
  for (size_t i = 0; i < form.m; ++i) {
    for (size_t j = 0; j < form.n; ++j) {
      double sum = std::bit_cast<double>(v.c[i * form.n + j]);
      for (size_t t = 0; t < k; ++t) {
        sum = fused(rounding, std::bit_cast<double>(v.a[i * k + t]), std::bit_cast<double>(v.b[j * k + t]), sum);
      }
      v.d[i * form.n + j] = std::bit_cast<uint64_t>(sum);
    }
  }
}

bool is_f8(Element type) { return type == Element::e4m3 || type == Element::e5m2; }

// Multiplies by the instructions that the GPU has for this form.
void multiply_by_form(const isa::MatrixForm& form, const TensorSums& rules, MatrixValues& values) {
  const bool f8 = is_f8(form.a) && is_f8(form.b) && form.scale == isa::Scale::none;
  const bool warpgroup = form.op == isa::MatrixOp::warpgroup;
  if (form.quads && rules.quads_by_fma) {
    return multiply_quad_by_fma(form, values);
  }
  if (f8 && !warpgroup && rules.f8_as_f16) {
    return multiply_f8_as_f16(form, rules, values);
  }
  SumSteps steps{static_cast<int>(rules.row_bytes) * 8 / isa::bits(form.a), static_cast<int>(rules.fraction_bits)};
  if (f8 && warpgroup) {
    steps.fraction_bits = steps.result_bits = static_cast<int>(rules.warpgroup_f8_fraction_bits);
  }
  if (form.opaque && form.a == Element::tf32) {
    steps.columns = std::min(steps.columns, static_cast<int>(rules.wmma_tf32_columns));
  }
  if (form.c != form.d && !form.quads && rules.mixed_by_f32) {
    return multiply_mixed_by_f32(form, steps, values);
  }
  multiply_floats(form, steps, values);
}

}  // namespace

void multiply(const isa::MatrixForm& form, const TensorSums& rules, isa::Rnd rounding, bool saturate,
              MatrixValues& values) {
  values.d.resize(static_cast<size_t>(form.m) * form.n);
  switch (form.d) {
    case Element::s32: return multiply_integers(form, saturate, values);
    case Element::f64: return multiply_doubles(form, rounding, values);
    case Element::f16:
    case Element::f32: return multiply_by_form(form, rules, values);
    case Element::none:
    case Element::bf16:
    case Element::tf32:
    case Element::s8:
    case Element::u8:
    case Element::s4:
    case Element::u4:
    case Element::b1:
    case Element::e4m3:
    case Element::e5m2:
    case Element::e3m2:
    case Element::e2m3:
    case Element::e2m1:
    case Element::e2m1_packed: return;
  }
}

}  // namespace hpml::sim::exec
