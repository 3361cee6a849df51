#include "simulator/cli/launch_argument.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace hpml::sim::cli {
namespace {

template <class T>
T value_of(const std::string& text) {
  const auto argument = parse_launch_argument(text);
  EXPECT_TRUE(argument.ok()) << text;
  EXPECT_EQ(argument->value.size(), sizeof(T));
  T value{};
  std::memcpy(&value, argument->value.data(), sizeof(T));
  return value;
}

TEST(LaunchArgument, NumbersBecomeTheirBytes) {
  EXPECT_EQ(value_of<uint32_t>("u32:7"), 7u);
  EXPECT_EQ(value_of<int32_t>("s32:-1"), -1);
  EXPECT_EQ(value_of<uint64_t>("u64:18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(value_of<float>("f32:1.5"), 1.5F);
  EXPECT_EQ(value_of<double>("f64:-2.25"), -2.25);
}

TEST(LaunchArgument, BuffersNameAFileAndADirection) {
  const auto in = parse_launch_argument("in:data/x.bin");
  EXPECT_TRUE(in->reads_file);
  EXPECT_FALSE(in->writes_file);
  const auto both = parse_launch_argument("inout:x.bin");
  EXPECT_TRUE(both->reads_file && both->writes_file);
  const auto out = parse_launch_argument("out:C:odd:name:4096");
  EXPECT_EQ(out->path, "C:odd:name");
  EXPECT_EQ(out->bytes, 4096u);
}

TEST(LaunchArgument, BadOnesAreExplained) {
  for (const std::string text : {"7", "u32:", "u32:-1", "u32:4294967296", "s32:1.5", "f32:abc", "u8:1",
                                 "in:", "out:file", "out:file:0", "out:file:many", ""}) {
    EXPECT_FALSE(parse_launch_argument(text).ok()) << text;
  }
  EXPECT_THAT(parse_launch_argument("u8:1").error().message, testing::HasSubstr("inout:FILE"));
}

}  // namespace
}  // namespace hpml::sim::cli
