#include "simulator/exec/detail/matrix_math.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "simulator/isa/rounding.hpp"

namespace hpml::sim::exec {

namespace {

using isa::Element;

// A floating-point format: value = significand * 2^(exponent - fraction).
struct Format {
  int exponent_bits, fraction, unused;  // unused: low bits of the word that are not looked at
  bool has_infinity = true, has_nan = true;
};
Format format_of(Element type) {
  switch (type) {
    case Element::f16: return {5, 10, 0};
    case Element::bf16: return {8, 7, 0};
    case Element::tf32: return {8, 10, 13};
    case Element::f32: return {8, 23, 0};
    case Element::e4m3: return {4, 3, 0, false};
    case Element::e5m2: return {5, 2, 0};
    case Element::e3m2: return {3, 2, 0, false, false};
    case Element::e2m3: return {2, 3, 0, false, false};
    case Element::e2m1: return {2, 1, 2, false, false};
    case Element::e2m1_packed: return {2, 1, 0, false, false};
    case Element::none:
    case Element::f64:
    case Element::s8:
    case Element::u8:
    case Element::s4:
    case Element::u4:
    case Element::b1:
    case Element::s32: break;
  }
  return {8, 23, 0};
}

constexpr int32_t kZeroExponent = -10'000;  // of zero: never the largest

struct Number {
  int32_t significand = 0;  // signed
  int32_t exponent = kZeroExponent;
  bool infinite = false, nan = false;
  double special() const {
    return nan        ? std::numeric_limits<double>::quiet_NaN()
           : infinite ? std::copysign(std::numeric_limits<double>::infinity(), significand)
                      : significand;
  }
};

Number unpack(const Format& f, uint64_t raw) {
  const uint64_t word = raw >> f.unused;
  const int bias = (1 << (f.exponent_bits - 1)) - 1, top = (1 << f.exponent_bits) - 1;
  const int exponent = static_cast<int>(word >> f.fraction) & top;
  const auto fraction = static_cast<int32_t>(word & ((uint64_t{1} << f.fraction) - 1));
  const bool negative = (word >> (f.fraction + f.exponent_bits) & 1) != 0;
  Number out;
  const int least_nan = f.has_infinity ? 1 : (1 << f.fraction) - 1;
  out.nan = f.has_nan && exponent == top && fraction >= least_nan;
  out.infinite = f.has_infinity && exponent == top && fraction == 0;
  const int32_t magnitude = exponent == 0 ? fraction : fraction | 1 << f.fraction;
  out.significand = negative ? -magnitude : magnitude;
  out.exponent = magnitude == 0 ? kZeroExponent : std::max(exponent, 1) - bias;
  return out;
}

// A factor of a block times an element. ue8m0: a power of two, 255 is NaN. ue4m3: as e4m3 without a sign.
constexpr int kScaleFraction = 3;  // of ue4m3
Number scaled(const Number& n, isa::Scale scale, uint8_t raw) {
  Number out = n;
  if (scale == isa::Scale::ue8m0) {
    out.nan |= raw == 0xff;
    out.exponent += n.significand == 0 ? 0 : raw - 127;
  } else {
    const Number factor = unpack({4, kScaleFraction, 0, false}, raw & 0x7fu);
    out.nan |= factor.nan;
    out.significand *= factor.significand;
    out.exponent = out.significand == 0 ? kZeroExponent : n.exponent + factor.exponent;
  }
  return out;
}

// The column of b that row `row` of a meets: all of it, or what a sparse row has kept.
template <class T>
const T* met_by(const isa::MatrixForm& form, const MatrixValues& v, size_t row, const T* column, std::vector<T>& kept) {
  if (!form.sparse) {
    return column;
  }
  const size_t count = form.columns_a();
  kept.resize(count);
  for (size_t t = 0; t < count; ++t) {
    kept[t] = column[v.kept[row * count + t]];
  }
  return kept.data();
}

// sum * 2^exponent, cut off to f32.
uint32_t cut_to_f32(int64_t sum, int exponent) {
  if (sum == 0) {
    return 0;
  }
  const uint32_t sign = sum < 0 ? 0x8000'0000u : 0u;
  auto magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int width = 64 - std::countl_zero(magnitude);
  constexpr int kLowest = -149;  // of a subnormal's last bit
  const int last = std::max(exponent + width - 24, kLowest);
  const int shift = last - exponent;
  magnitude = shift >= 64 ? 0 : shift >= 0 ? magnitude >> shift : magnitude << -shift;
  if ((magnitude & 1u << 23) == 0) {
    return sign | static_cast<uint32_t>(magnitude);
  }
  const int biased = last + 23 + 127;
  return biased >= 255 ? sign | 0x7f80'0000u : sign | static_cast<uint32_t>(biased) << 23 | (magnitude & 0x7f'ffff);
}

// sum * 2^exponent, rounded to nearest even.
uint16_t round_to_f16(int64_t sum, int exponent) {
  if (sum == 0) {
    return 0;
  }
  const auto sign = static_cast<uint16_t>(sum < 0 ? 0x8000 : 0);
  auto magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int width = 64 - std::countl_zero(magnitude);
  constexpr int kLowest = -24;
  int last = std::max(exponent + width - 11, kLowest);
  const int shift = last - exponent;
  if (shift > 0) {
    const uint64_t kept = shift >= 64 ? 0 : magnitude >> shift;
    const uint64_t rest = shift >= 64 ? magnitude : magnitude & ((uint64_t{1} << shift) - 1);
    const uint64_t half = shift > 64 ? ~uint64_t{0} : uint64_t{1} << (shift - 1);
    magnitude = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
  } else {
    magnitude <<= -shift;
  }
  if (magnitude == 1u << 11) {
    magnitude >>= 1;
    ++last;
  }
  if ((magnitude & 1u << 10) == 0) {
    return static_cast<uint16_t>(sign | magnitude);
  }
  const int biased = last + 10 + 15;
  return static_cast<uint16_t>(biased >= 31 ? sign | 0x7c00 : sign | biased << 10 | (magnitude & 0x3ff));
}

constexpr uint32_t kNanF32 = 0x7fff'ffff;
constexpr uint16_t kNanF16 = 0x7fff;

// Moves a signed significand by `left` bits; bits shifted out are cut off, towards zero.
int64_t aligned(int64_t significand, int left) {
  if (left >= 0) {
    return significand << left;
  }
  const int right = std::min(-left, 63);
  return significand < 0 ? -(-significand >> right) : significand >> right;
}

class FloatDot {
 public:
  FloatDot(const isa::MatrixForm& form, const TensorSums& rules)
      : k_(form.columns_a()),
        terms_(std::max(static_cast<int>(rules.row_bytes) * 8 / isa::bits(form.a), 1)),
        fraction_bits_(static_cast<int>(rules.fraction_bits)),
        a_(format_of(form.a)),
        b_(format_of(form.b)),
        c_(format_of(form.c)),
        product_fraction_(a_.fraction + b_.fraction + (form.scale == isa::Scale::ue4m3 ? 2 * kScaleFraction : 0)),
        f16_sum_(form.d == Element::f16) {}

  void run(const isa::MatrixForm& form, MatrixValues& v) {
    const std::vector<Number> a = numbers(form, a_, v.a, form.columns_a(), v.scale_a);
    const std::vector<Number> b = numbers(form, b_, v.b, form.k, v.scale_b);
    std::vector<Number> kept;
    const auto is_special = [](const Number& number) { return number.infinite || number.nan; };
    any_special_ = std::any_of(a.begin(), a.end(), is_special) || std::any_of(b.begin(), b.end(), is_special);
    for (size_t i = 0; i < form.m; ++i) {
      for (size_t j = 0; j < form.n; ++j) {
        const size_t at = i * form.n + j;
        v.d[at] = one(&a[i * static_cast<size_t>(k_)], met_by(form, v, i, &b[j * form.k], kept), v.c[at]);
      }
    }
  }

 private:
  // `along`: elements of one row of a or column of b.
  static std::vector<Number> numbers(const isa::MatrixForm& form, const Format& format,
                                     const std::vector<uint64_t>& raw, size_t along,
                                     const std::vector<uint8_t>& scales) {
    std::vector<Number> out;
    out.reserve(raw.size());
    for (size_t i = 0; i < raw.size(); ++i) {
      const Number n = unpack(format, raw[i]);
      out.push_back(
          form.scale == isa::Scale::none
              ? n
              : scaled(n, form.scale, scales[i / along * form.scale_blocks + i % along * form.scale_blocks / along]));
    }
    return out;
  }

  uint64_t one(const Number* a, const Number* b, uint64_t c) const {
    Number sum = unpack(c_, c);
    if (const auto special = special_result(a, b, sum); special) {
      return *special;
    }
    uint64_t bits = 0;
    int sum_fraction = c_.fraction;
    for (int from = 0; from < k_; from += terms_) {
      bits = group(a + from, b + from, std::min(terms_, k_ - from), sum, sum_fraction);
      const Format f = format_of(f16_sum_ ? Element::f16 : Element::f32);
      sum = unpack(f, bits);
      sum_fraction = f.fraction;
      if (sum.infinite) {
        return bits;
      }
    }
    return bits;
  }

  uint64_t group(const Number* a, const Number* b, int terms, const Number& c, int c_fraction) const {
    std::array<int64_t, 64> product;
    std::array<int32_t, 64> exponent;
    int32_t top = c.exponent;
    for (int t = 0; t < terms; ++t) {
      const auto i = static_cast<size_t>(t);
      product[i] = int64_t{a[t].significand} * b[t].significand;
      exponent[i] = a[t].exponent + b[t].exponent;
      top = std::max(top, product[i] == 0 ? kZeroExponent : exponent[i]);
    }
    const int fraction = product_fraction_;
    int64_t total = aligned(c.significand, fraction_bits_ - c_fraction - (top - c.exponent));
    for (int t = 0; t < terms; ++t) {
      const auto i = static_cast<size_t>(t);
      total += aligned(product[i], fraction_bits_ - fraction - (top - exponent[i]));
    }
    const int last = top - fraction_bits_;
    return f16_sum_ ? round_to_f16(total, last) : cut_to_f32(total, last);
  }

  // Infinities and NaNs, as IEEE 754 adds them.
  std::optional<uint64_t> special_result(const Number* a, const Number* b, const Number& c) const {
    bool any = c.infinite || c.nan;
    for (int t = 0; any_special_ && t < k_; ++t) {
      any |= a[t].infinite || a[t].nan || b[t].infinite || b[t].nan;
    }
    if (!any) {
      return std::nullopt;
    }
    double sum = c.infinite || c.nan ? c.special() : 0;
    for (int t = 0; t < k_; ++t) {
      if (a[t].infinite || a[t].nan || b[t].infinite || b[t].nan) {
        sum += a[t].special() * b[t].special();
      }
    }
    if (std::isnan(sum)) {
      return f16_sum_ ? kNanF16 : kNanF32;
    }
    const bool negative = sum < 0;
    return f16_sum_ ? uint64_t{negative ? 0xfc00u : 0x7c00u} : uint64_t{negative ? 0xff80'0000u : 0x7f80'0000u};
  }

  int k_;
  int terms_, fraction_bits_;
  Format a_, b_, c_;
  int product_fraction_;
  bool f16_sum_;
  bool any_special_ = true;  // of the elements of a and b
};

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

// A chain of fused multiply-adds in ascending k.
void multiply_doubles(const isa::MatrixForm& form, isa::Rnd rounding, MatrixValues& v) {
  const size_t k = form.k;
  for (size_t i = 0; i < form.m; ++i) {
    for (size_t j = 0; j < form.n; ++j) {
      double sum = std::bit_cast<double>(v.c[i * form.n + j]);
      for (size_t t = 0; t < k; ++t) {
        const double x = std::bit_cast<double>(v.a[i * k + t]), y = std::bit_cast<double>(v.b[j * k + t]);
        const bool nearest = rounding == isa::Rnd::none || rounding == isa::Rnd::rn;
        sum = nearest ? std::fma(x, y, sum) : isa::fma_rounded(rounding, x, y, sum);
      }
      v.d[i * form.n + j] = std::bit_cast<uint64_t>(sum);
    }
  }
}

}  // namespace

void multiply(const isa::MatrixForm& form, const TensorSums& rules, isa::Rnd rounding, bool saturate,
              MatrixValues& values) {
  values.d.resize(static_cast<size_t>(form.m) * form.n);
  switch (form.d) {
    case Element::s32: return multiply_integers(form, saturate, values);
    case Element::f64: return multiply_doubles(form, rounding, values);
    case Element::f16:
    case Element::f32: return FloatDot(form, rules).run(form, values);
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
