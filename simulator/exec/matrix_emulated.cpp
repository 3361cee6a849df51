// Matrix products for which the chip has no tensor-core instruction: ptxas makes them of other instructions. The order
// of the additions is read from the SASS for sm_80 and sm_90, and an H200 gives the same bits.
#include <bit>
#include <cmath>

#include "simulator/exec/detail/matrix_floats.hpp"
#include "simulator/exec/detail/matrix_numbers.hpp"
#include "simulator/isa/ops/half_arith.hpp"
#include "simulator/isa/ops/tiny_kernels.hpp"

namespace hpml::sim::exec {

namespace {

using isa::Element;

float f32_of_half(uint64_t raw) { return isa::to_f32(isa::F16{static_cast<uint16_t>(raw)}); }
uint64_t bits_of_f32(float value) { return std::isnan(value) ? kNanF32 : std::bit_cast<uint32_t>(value); }
uint64_t half_bits(double value) { return isa::to_half<isa::F16>(isa::Rnd::rn, value).bits; }
float sum_of(Element type, uint64_t raw) {
  return type == Element::f16 ? f32_of_half(raw) : std::bit_cast<float>(static_cast<uint32_t>(raw));
}

// An 8-bit float as f16, which holds all of them.
uint64_t widened(Element type, uint64_t raw) {
  const auto bits = static_cast<uint32_t>(raw);
  return half_bits(type == Element::e4m3 ? isa::of_tiny<isa::Ty::e4m3x2>(bits) : isa::of_tiny<isa::Ty::e5m2x2>(bits));
}
std::vector<uint64_t> widened(Element type, const std::vector<uint64_t>& raw) {
  std::vector<uint64_t> out;
  out.reserve(raw.size());
  for (const uint64_t element : raw) {
    out.push_back(widened(type, element));
  }
  return out;
}

// Moves the first two of each four elements of a row to its first half, and the other two to its second half.
template <class T>
std::vector<T> pairs_apart(const std::vector<T>& rows, size_t columns) {
  std::vector<T> out(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t t = i % columns, half = t / 2 % 2;
    out[i - t + half * columns / 2 + t / 4 * 2 + t % 2] = rows[i];
  }
  return out;
}

}  // namespace

// ptxas widens each register of four 8-bit floats to two registers of f16. The first of these go into one product of
// f16 that starts from zero, the second ones into another that continues the sum. Then c is added, rounded to nearest.
void multiply_f8_as_f16(const isa::MatrixForm& form, const TensorSums& rules, MatrixValues& v) {
  const size_t columns = form.columns_a();
  isa::MatrixForm halves = form;
  halves.a = halves.b = Element::f16;
  MatrixValues products;
  products.a = pairs_apart(widened(form.a, v.a), columns);
  products.b = widened(form.b, v.b);
  if (form.sparse) {
    products.kept = pairs_apart(v.kept, columns);
  } else {
    products.b = pairs_apart(products.b, columns);
  }
  products.c.resize(v.c.size());
  products.d.resize(v.d.size());
  const int at_once = static_cast<int>(rules.row_bytes) * 8 / isa::bits(Element::f16);
  multiply_floats(halves, {std::min(static_cast<int>(columns / 2), at_once), static_cast<int>(rules.fraction_bits)},
                  products);
  for (size_t i = 0; i < v.d.size(); ++i) {
    const float c = sum_of(form.c, v.c[i]), product = sum_of(form.d, products.d[i]);
    v.d[i] = form.d == Element::f16 ? half_bits(double{c} + product) : bits_of_f32(c + product);
  }
}

// ptxas converts before and after a product that has f32 for both. Widening an f16 c first gives its subnormals their
// own exponents; an f16 d is rounded from the last f32 sum.
void multiply_mixed_by_f32(const isa::MatrixForm& form, const SumSteps& steps, MatrixValues& v) {
  isa::MatrixForm all_f32 = form;
  all_f32.c = all_f32.d = Element::f32;
  for (uint64_t& c : v.c) {
    c = std::bit_cast<uint32_t>(sum_of(form.c, c));
  }
  multiply_floats(all_f32, steps, v);
  for (uint64_t& d : v.d) {
    d = form.d == Element::f16 ? half_bits(sum_of(Element::f32, d)) : d;
  }
}

// For an f32 result the products are added one by one from zero, and c last. For an f16 result c comes first, and the
// products are added in two pairs.
void multiply_quad_by_fma(const isa::MatrixForm& form, MatrixValues& v) {
  constexpr size_t kColumns = 4;
  for (size_t i = 0; i < form.m; ++i) {
    for (size_t j = 0; j < form.n; ++j) {
      const auto a = [&](size_t t) { return f32_of_half(v.a[i * kColumns + t]); };
      const auto b = [&](size_t t) { return f32_of_half(v.b[j * kColumns + t]); };
      const size_t at = i * form.n + j;
      const float c = sum_of(form.c, v.c[at]);
      if (form.d == Element::f16) {
        const float first = std::fma(a(1), b(1), a(0) * b(0)), second = std::fma(a(3), b(3), a(2) * b(2));
        v.d[at] = half_bits((c + first) + second);
      } else {
        float sum = 0;
        for (size_t t = 0; t < kColumns; ++t) {
          sum = std::fma(a(t), b(t), sum);
        }
        v.d[at] = bits_of_f32(c + sum);
      }
    }
  }
}

}  // namespace hpml::sim::exec
