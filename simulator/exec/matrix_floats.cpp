#include "simulator/exec/detail/matrix_floats.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "simulator/exec/detail/matrix_numbers.hpp"

namespace hpml::sim::exec {

namespace {

using isa::Element;

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
  FloatDot(const isa::MatrixForm& form, const SumSteps& steps)
      : k_(form.columns_a()),
        terms_(std::max(steps.columns, 1)),
        fraction_bits_(steps.fraction_bits),
        result_bits_(std::min(steps.result_bits, 23)),
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
    uint64_t bits = 0;
    int sum_fraction = c_.fraction;
    for (int from = 0; from < k_; from += terms_) {
      const int terms = std::min(terms_, k_ - from);
      const auto special = special_result(a + from, b + from, terms, sum);
      bits = special ? *special : group(a + from, b + from, terms, sum, sum_fraction);
      const Format f = format_of(f16_sum_ ? Element::f16 : Element::f32);
      sum = unpack(f, bits);
      sum_fraction = f.fraction;
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
    return f16_sum_ ? round_to_f16(total, last) : cut_to_f32(total, last, result_bits_);
  }

  // Infinities and NaNs, as IEEE 754 adds them.
  std::optional<uint64_t> special_result(const Number* a, const Number* b, int terms, const Number& c) const {
    bool any = c.infinite || c.nan;
    for (int t = 0; any_special_ && t < terms; ++t) {
      any |= a[t].infinite || a[t].nan || b[t].infinite || b[t].nan;
    }
    if (!any) {
      return std::nullopt;
    }
    double sum = c.infinite || c.nan ? c.special() : 0;
    for (int t = 0; t < terms; ++t) {
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
  int terms_, fraction_bits_, result_bits_;
  Format a_, b_, c_;
  int product_fraction_;
  bool f16_sum_;
  bool any_special_ = true;  // of the elements of a and b
};

}  // namespace

void multiply_floats(const isa::MatrixForm& form, const SumSteps& steps, MatrixValues& values) {
  FloatDot(form, steps).run(form, values);
}

}  // namespace hpml::sim::exec
