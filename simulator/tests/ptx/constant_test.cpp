// Are constants and constant expressions worth what the manual (PTX ISA 4.5) says?
#include <bit>
#include <cstdint>
#include <limits>

#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

Immediate value_of(std::string_view expression) {
  const Module module = must_parse(in_module(".global .b64 x = " + std::string(expression) + ";"));
  if (module.variables.size() != 1 || module.variables[0].init.size() != 1) {
    ADD_FAILURE() << expression;
    return {};
  }
  return std::get<Immediate>(module.variables[0].init[0].value);
}

struct Case {
  const char* text;
  int64_t value;
};

TEST(Constants, IntegersInEveryBase) {
  for (const Case& c : {Case{"0", 0},
                        {"42", 42},
                        {"0x1F", 31},
                        {"0XfF", 255},
                        {"0b101", 5},
                        {"0B11", 3},
                        {"017", 15},
                        {"WARP_SZ", 32},
                        {"9223372036854775807", std::numeric_limits<int64_t>::max()}}) {
    const Immediate value = value_of(c.text);
    EXPECT_EQ(value.kind, Immediate::Kind::integer) << c.text;
    EXPECT_EQ(static_cast<int64_t>(value.bits), c.value) << c.text;
    EXPECT_FALSE(value.is_unsigned) << c.text;
  }
}

TEST(Constants, UnsignedBySuffixOrBySize) {
  EXPECT_TRUE(value_of("5U").is_unsigned);
  EXPECT_TRUE(value_of("0x7U").is_unsigned);
  const Immediate large = value_of("18446744073709551615");
  EXPECT_TRUE(large.is_unsigned);
  EXPECT_EQ(large.bits, ~uint64_t{0});
  const Immediate smallest = value_of("-9223372036854775808");
  EXPECT_FALSE(smallest.is_unsigned);
  EXPECT_EQ(static_cast<int64_t>(smallest.bits), std::numeric_limits<int64_t>::min());
}

TEST(Constants, RealsKeepTheirExactBits) {
  EXPECT_EQ(value_of("0f3F800000").bits, 0x3F800000U);
  EXPECT_EQ(value_of("0F7fc00001").bits, 0x7FC00001U);
  EXPECT_EQ(value_of("0f3F800000").kind, Immediate::Kind::f32_bits);
  EXPECT_EQ(value_of("-0f3F800000").bits, 0xBF800000U);
  EXPECT_EQ(value_of("0d7FF0000000000001").bits, 0x7FF0000000000001U);
  EXPECT_EQ(value_of("0d7FF0000000000001").kind, Immediate::Kind::f64_bits);
  for (const auto& [text, expected] : {std::pair("1.5", 1.5),
                                       {"1e3", 1000.0},
                                       {"2.5E-1", 0.25},
                                       {".5", 0.5},
                                       {"1.", 1.0},
                                       {"-0.0", -0.0},
                                       {"1.5 + 2", 3.5}}) {
    EXPECT_EQ(value_of(text).kind, Immediate::Kind::f64_bits) << text;
    EXPECT_EQ(value_of(text).bits, std::bit_cast<uint64_t>(expected)) << text;
  }
}

TEST(Constants, OperatorsBindAsInC) {
  for (const Case& c : {Case{"1 + 2 * 3", 7},
                        {"(1 + 2) * 3", 9},
                        {"10 - 4 - 3", 3},
                        {"7 % 4 << 1", 6},
                        {"1 | 6 & 3 ^ 1", 1 | ((6 & 3) ^ 1)},
                        {"~0", -1},
                        {"!5", 0},
                        {"!0", 1},
                        {"- -5", 5},
                        {"2 < 3 == 1", 1},
                        {"5 > 4 && 2 != 2 || 0", 0},
                        {"1 ? 2 : 3", 2},
                        {"0 ? 2 : 0 ? 3 : 4", 4},
                        {"3 >= 3", 1},
                        {"-1 < 0", 1},
                        {"-1 < 0U", 0}}) {
    EXPECT_EQ(static_cast<int64_t>(value_of(c.text).bits), c.value) << c.text;
  }
}

// All of these are undefined behaviour when left to the host's operators.
TEST(Constants, CornersOfArithmeticAreDefined) {
  for (const Case& c : {Case{"-1 >> 1", -1},
                        {"-1 >> 64", -1},
                        {"-1 >> 0", -1},
                        {"1 << 64", 0},
                        {"1 << 200", 0},
                        {"-8 / 3", -2},
                        {"-8 % 3", -2},
                        {"-9223372036854775808 / -1", std::numeric_limits<int64_t>::min()},
                        {"-9223372036854775808 % -1", 0},
                        {"9223372036854775807 + 1", std::numeric_limits<int64_t>::min()},
                        {"(.s64)1e30", std::numeric_limits<int64_t>::max()},
                        {"(.u64)2.75", 2},
                        {"(.u64)-1.5", 0},
                        {"(.s64)-1 >> 63", -1},
                        {"(.u64)-1 >> 63", 1}}) {
    EXPECT_EQ(static_cast<int64_t>(value_of(c.text).bits), c.value) << c.text;
  }
}

}  // namespace
}  // namespace hpml::sim::ptx
