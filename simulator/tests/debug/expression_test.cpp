// Do expressions mean what they mean in C?
#include "simulator/debug/expression.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace hpml::sim::debug {
namespace {

// Memory of 64 bytes at 0x1000, and a few variables.
class FakeScope final : public Scope {
 public:
  explicit FakeScope(Types& types) {
    Value array;
    array.type = types.array_of(types.integer(4, true), 4);
    array.home = Home::memory;
    array.address = 0x1000;
    variables["a"] = array;
    Value pointer = from_number(types, {.is_unsigned = true, .bytes = 8, .integer = 0x1004});
    pointer.type = types.pointer_to(types.integer(4, true));
    variables["p"] = pointer;
    variables["f"] = from_number(types, {.is_float = true, .bytes = 4, .real = 1.5});
    variables["u"] = from_number(types, {.is_unsigned = true, .bytes = 4, .integer = 0xffffffff});
    variables["%r1"] = from_number(types, {.bytes = 4, .integer = 17});
    Value dims;
    dims.type = types.dimensions();
    dims.bytes.resize(12);
    const uint32_t xyz[3] = {7, 8, 9};
    std::memcpy(dims.bytes.data(), xyz, sizeof xyz);
    variables["threadIdx"] = dims;
    for (int i = 0; i < 16; ++i) {
      words[static_cast<size_t>(i)] = i * 10;
    }
  }
  Result<Value> find(const std::string& name) override {
    const auto found = variables.find(name);
    return found != variables.end() ? Result<Value>(found->second) : error_in("test", "no variable " + name);
  }
  Result<std::vector<std::byte>> read(Home /*home*/, uint64_t address, uint64_t bytes) override {
    if (address < 0x1000 || address + bytes > 0x1040) {
      return error_in("test", "no memory there");
    }
    const auto* first = reinterpret_cast<const std::byte*>(words.data()) + (address - 0x1000);
    return std::vector(first, first + bytes);
  }
  std::map<std::string, Value> variables;
  std::array<int, 16> words{};
};

class Expressions : public testing::Test {
 protected:
  std::string value(const std::string& text) {
    const auto result = evaluate(text, types, scope);
    return result.ok() ? to_text(types, *result, scope) : "error: " + result.error().message;
  }
  Types types{{}};
  FakeScope scope{types};
};

TEST_F(Expressions, FollowThePrecedenceOfC) {
  EXPECT_EQ(value("1 + 2 * 3"), "7");
  EXPECT_EQ(value("(1 + 2) * 3"), "9");
  EXPECT_EQ(value("10 - 4 - 3"), "3");
  EXPECT_EQ(value("1 << 2 + 1"), "8");
  EXPECT_EQ(value("7 & 3 == 3"), "1");
  EXPECT_EQ(value("1 || 0 && 0"), "true");
  EXPECT_EQ(value("-3 / 2"), "-1");
  EXPECT_EQ(value("!5"), "false");
  EXPECT_EQ(value("~0"), "-1");
}

TEST_F(Expressions, ConvertNumbersAsCDoes) {
  EXPECT_EQ(value("f * 2"), "3");
  EXPECT_EQ(value("u + 1"), "0");
  EXPECT_EQ(value("u > 0"), "true");
  EXPECT_EQ(value("-1 < u"), "false");  // -1 becomes unsigned
  EXPECT_EQ(value("0x7fffffff + 1"), "-2147483648");
  EXPECT_EQ(value("1.0f / 3"), "0.33333334");
  EXPECT_EQ(value("(int) 2.9"), "2");
  EXPECT_EQ(value("'a'"), "97");
}

TEST_F(Expressions, ReachMemoryThroughPointersAndArrays) {
  EXPECT_EQ(value("a"), "{0, 10, 20, 30}");
  EXPECT_EQ(value("a[2]"), "20");
  EXPECT_EQ(value("*p"), "10");
  EXPECT_EQ(value("p[3]"), "40");
  EXPECT_EQ(value("*(p + 2)"), "30");
  EXPECT_EQ(value("p - &a[0]"), "1");
  EXPECT_EQ(value("*p@3"), "{10, 20, 30}");
  EXPECT_EQ(value("&a[1] == p"), "true");
  EXPECT_EQ(value("*(int *) 0x1010"), "40");
}

TEST_F(Expressions, KnowRegistersAndMembers) {
  EXPECT_EQ(value("%r1 + 1"), "18");
  EXPECT_EQ(value("5 % 3"), "2");
  EXPECT_EQ(value("threadIdx.y"), "8");
  EXPECT_EQ(value("threadIdx"), "{x = 7, y = 8, z = 9}");
}

TEST_F(Expressions, SayWhatIsWrong) {
  EXPECT_EQ(value("1 +").substr(0, 6), "error:");
  EXPECT_NE(value("1 2").find("left over"), std::string::npos);
  EXPECT_NE(value("a[").find("operand"), std::string::npos);
  EXPECT_NE(value("1 / 0").find("division by zero"), std::string::npos);
  EXPECT_NE(value("q").find("no variable q"), std::string::npos);
  EXPECT_NE(value("threadIdx.w").find("no member"), std::string::npos);
  EXPECT_NE(value("*f").find("points to nothing"), std::string::npos);
  EXPECT_NE(value("p[100]").find("no memory"), std::string::npos);
  EXPECT_NE(value(std::string(10'000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(value("(-9223372036854775807 - 1) / -1"), "-9223372036854775808");
}

}  // namespace
}  // namespace hpml::sim::debug
