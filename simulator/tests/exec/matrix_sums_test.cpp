// How floating-point sums of products are made (exec/tensor_sums.hpp), by sums whose digits tell the rules apart; the
// expected values are worked out by hand.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "simulator/exec/detail/matrix_math.hpp"
#include "simulator/isa/decode.hpp"
#include "simulator/tests/exec/matrix_reference.hpp"

namespace hpml::sim::exec {
namespace {

constexpr TensorSums kVolta{8, 23}, kAmpere{16, 24}, kHopper{32, 25};

const MatrixForm& form(const std::vector<std::string>& words, const char* root = "mma") {
  const auto decoded = isa::decode(root, words, 4);
  EXPECT_TRUE(decoded.ok());
  return *decoded->variant->matrix;
}
const MatrixForm& half_form() {
  return form({"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"});
}

// d[0][0] where row 0 of a is `a`, column 0 of b is all ones but for `b0`, and c is `c`.
uint64_t first(const MatrixForm& f, const TensorSums& rules, const std::vector<double>& a, double b0, uint64_t c) {
  MatrixValues v;
  v.a.resize(size_t{f.m} * f.k);
  v.b.resize(size_t{f.k} * f.n);
  v.c.resize(size_t{f.m} * f.n);
  for (size_t i = 0; i < a.size(); ++i) {
    v.a[i] = to_bits(f.a, a[i]);
  }
  for (size_t i = 0; i < f.k; ++i) {
    v.b[i] = to_bits(f.b, i == 0 ? b0 : 1);
  }
  v.c[0] = c;
  multiply(f, rules, isa::Rnd::none, false, v);
  return v.d[0];
}
float half_sum(const TensorSums& rules, const std::vector<double>& a, float c, double b0 = 1) {
  return std::bit_cast<float>(static_cast<uint32_t>(first(half_form(), rules, a, b0, std::bit_cast<uint32_t>(c))));
}

const double k24 = std::ldexp(1, -24), k23 = std::ldexp(1, -23), k22 = std::ldexp(1, -22);

// 1 + 8 * 2^-25, each a product of 2^-12 and 2^-13.
float eight_tiny_products(const TensorSums& rules) {
  const MatrixForm& f = half_form();
  MatrixValues v;
  v.a.resize(size_t{f.m} * f.k);
  v.b.resize(size_t{f.k} * f.n);
  v.c.resize(size_t{f.m} * f.n);
  for (size_t i = 0; i < 8; ++i) {
    v.a[i] = to_bits(f.a, std::ldexp(1, -12));
    v.b[i] = to_bits(f.b, std::ldexp(1, -13));
  }
  v.c[0] = std::bit_cast<uint32_t>(1.0F);
  multiply(f, rules, isa::Rnd::none, false, v);
  return std::bit_cast<float>(static_cast<uint32_t>(v.d[0]));
}

// 1 + 4 * 2^-24: three digits behind the last of f32 are kept, or each small term is lost on its own.
TEST(MatrixSums, TermsAreCutOffBehindTheDigitsTheGpuKeeps) {
  const std::vector<double> small(4, k24);
  EXPECT_EQ(half_sum(kVolta, small, 1), 1.0F);
  EXPECT_EQ(half_sum(kAmpere, small, 1), static_cast<float>(1 + k22));
  EXPECT_EQ(half_sum(kHopper, small, 1), static_cast<float>(1 + k22));
  // 8 * 2^-25, products of 2^-12 and 2^-13: one digit further.
  EXPECT_EQ(eight_tiny_products(kAmpere), 1.0F);
  EXPECT_EQ(eight_tiny_products(kHopper), static_cast<float>(1 + k22));
}

TEST(MatrixSums, SumsAreCutOffTowardsZeroNotRounded) {
  const std::vector<double> three(3, k24);  // 3 * 2^-24 = 1.5 of the last digit
  EXPECT_EQ(half_sum(kAmpere, three, 1), static_cast<float>(1 + k23));
  std::vector<double> negative;
  for (const double x : three) {
    negative.push_back(-x);
  }
  EXPECT_EQ(half_sum(kAmpere, negative, -1), static_cast<float>(-1 - k23));
}

// What is added at once does not see the sum in between: 2^-24 twice in one group survives, once in each of two does
// not.
TEST(MatrixSums, EachGroupOfProductsIsCutOffOnItsOwn) {
  std::vector<double> together(16, 0), apart(16, 0);
  together[0] = together[1] = apart[0] = apart[8] = k24;
  EXPECT_EQ(half_sum(kAmpere, together, 1), static_cast<float>(1 + k23));
  EXPECT_EQ(half_sum(kAmpere, apart, 1), 1.0F);
  EXPECT_EQ(half_sum(kHopper, apart, 1), static_cast<float>(1 + k23));
  std::vector<double> four_apart(16, 0);
  four_apart[0] = four_apart[4] = k23 / 2;
  EXPECT_EQ(half_sum(kVolta, four_apart, 1), 1.0F);
}

TEST(MatrixSums, LargeProductsCancelExactly) {
  std::vector<double> a(16, 0);
  a[0] = 60000;
  a[1] = -60000;
  a[2] = 0.5;
  EXPECT_EQ(half_sum(kAmpere, a, 0.25F), 0.75F);
}

TEST(MatrixSums, HalfSumsAreRoundedToNearestEven) {
  const MatrixForm& f = form({"sync", "aligned", "m16n8k16", "row", "col", "f16", "f16", "f16", "f16"});
  const uint64_t one = to_bits(Element::f16, 1);
  const double ulp = std::ldexp(1, -10);
  EXPECT_EQ(first(f, kAmpere, {ulp / 2}, 1, one), one);  // a tie, to even
  EXPECT_EQ(first(f, kAmpere, {ulp / 2, ulp / 64}, 1, one), one + 1);
  EXPECT_EQ(first(f, kAmpere, {ulp, ulp / 2}, 1, one), one + 2);  // a tie, to even
  EXPECT_EQ(first(f, kAmpere, {60000, 10000}, 1, one), 0x7c00u);  // overflow
}

// c and d of different types, where ptxas makes f32 products of them.
TEST(MatrixSums, HalfResultsOfF32SumsAreRoundedOnceBehindAllSteps) {
  const MatrixForm& f = form({"mma", "sync", "aligned", "row", "col", "m16n16k16", "f16", "f32"}, "wmma");
  const uint64_t c = std::bit_cast<uint32_t>(1.0F), one = to_bits(Element::f16, 1);
  const double tie = std::ldexp(1, -11);  // half of the last digit of 1
  std::vector<double> apart(16, 0);
  apart[0] = apart[8] = tie;  // in two groups: an f16 sum between them would lose both
  EXPECT_EQ(first(f, kAmpere, apart, 1, c), one + 1);
  EXPECT_EQ(first(f, kAmpere, {tie, k24}, 1, c), one);  // f32 has cut off 2^-24, so that a tie is left
}

TEST(MatrixSums, SubnormalHalfInputsOfF32SumsAreWidenedFirst) {
  const MatrixForm& f = form({"mma", "sync", "aligned", "row", "col", "m16n16k16", "f32", "f16"}, "wmma");
  const double c = k24, product = std::ldexp(1, -40);  // 2^-38 is the last digit that 24 behind 2^-14 would keep
  const uint64_t d = first(f, kAmpere, {std::ldexp(1, -20)}, std::ldexp(1, -20), to_bits(Element::f16, c));
  EXPECT_EQ(std::bit_cast<float>(static_cast<uint32_t>(d)), static_cast<float>(c + product));
}

TEST(MatrixSums, NegativeSumsTooSmallForTheResultBecomePlusZero) {
  const MatrixForm& half = form({"sync", "aligned", "m16n8k16", "row", "col", "f16", "f16", "f16", "f16"});
  EXPECT_EQ(first(half, kHopper, {-std::ldexp(1, -13)}, std::ldexp(1, -13), 0), 0u);
  const MatrixForm& bf16 = form({"sync", "aligned", "m16n8k16", "row", "col", "f32", "bf16", "bf16", "f32"});
  EXPECT_EQ(first(bf16, kHopper, {-std::ldexp(1, -100)}, std::ldexp(1, -60), 0), 0u);
  // An f16 result of an f32 sum keeps the sign: it is rounded by a conversion.
  const MatrixForm& mixed = form({"mma", "sync", "aligned", "row", "col", "m16n16k16", "f16", "f32"}, "wmma");
  EXPECT_EQ(first(mixed, kHopper, {-std::ldexp(1, -13)}, std::ldexp(1, -13), 0), 0x8000u);
}

TEST(MatrixSums, SubnormalsAreKept) {
  EXPECT_EQ(half_sum(kAmpere, {std::ldexp(1, -14)}, 0, std::ldexp(1, -14)), std::ldexp(1.0F, -28));
  const float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(half_sum(kAmpere, {}, 3 * tiny), 3 * tiny);
}

TEST(MatrixSums, InfinitiesAndNansFollowTheStandard) {
  const MatrixForm& f = half_form();
  const uint32_t infinity = 0x7f800000, minus_infinity = 0xff800000, nan = 0x7fffffff;
  const auto run = [&](uint64_t a0, uint64_t a1, uint64_t b0, uint32_t c) {
    MatrixValues v;
    v.a.resize(size_t{f.m} * f.k);
    v.b.resize(size_t{f.k} * f.n, 0x3c00);
    v.c.resize(size_t{f.m} * f.n);
    v.a[0] = a0;
    v.a[1] = a1;
    v.b[0] = b0;
    v.c[0] = c;
    multiply(f, kAmpere, isa::Rnd::none, false, v);
    return v.d[0];
  };
  EXPECT_EQ(run(0x7c00, 0, 0x3c00, 0), infinity);
  EXPECT_EQ(run(0xfc00, 0, 0x3c00, 0), minus_infinity);
  EXPECT_EQ(run(0x7c00, 0, 0, 0), nan);            // infinity times zero
  EXPECT_EQ(run(0x7c00, 0xfc00, 0x3c00, 0), nan);  // infinity less infinity
  EXPECT_EQ(run(0x7c00, 0, 0x3c00, minus_infinity), nan);
  EXPECT_EQ(run(0x7e00, 0, 0x3c00, 0), nan);
  EXPECT_EQ(run(0x3c00, 0, 0x3c00, infinity), infinity);
}

TEST(MatrixSums, RandomSumsAreNearTheExactOnes) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> numbers(-1, 1);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> a;
    double exact = 0.125, magnitude = 0.125;
    for (int i = 0; i < 16; ++i) {
      a.push_back(std::ldexp(std::floor(std::ldexp(numbers(random), 10)), -10));
      exact += a.back();
      magnitude += std::fabs(a.back());
    }
    for (const TensorSums& rules : {kVolta, kAmpere, kHopper}) {
      EXPECT_NEAR(half_sum(rules, a, 0.125F), exact, magnitude * std::ldexp(1, -20));
    }
  }
}

}  // namespace
}  // namespace hpml::sim::exec
