// Question: does a configuration file that is not exactly what was asked for say what is wrong, and where?
#include <gtest/gtest.h>

#include "common/config/toml.hpp"

namespace hpml::config {
namespace {

struct Cache {
  uint32_t sets = 0;
  double latency = 0;
  bool sectored = false;
  std::string policy;
  std::vector<uint32_t> sizes;
};

void describe(Table& t, Cache& c) {
  t.get("sets", c.sets, at_least(1));
  t.get("latency", c.latency);
  t.get("sectored", c.sectored);
  t.get("policy", c.policy);
  t.get("sizes", c.sizes);
}

std::string error_of(std::string_view text) {
  Cache c;
  const Result<void> r = read_toml(text, "x.toml", [&](Table& t) { t.table("l1", [&](Table& s) { describe(s, c); }); });
  return r.ok() ? "" : r.error().to_string();
}

constexpr std::string_view kGood = "[l1]\nsets = 4\nlatency = 28\nsectored = true\npolicy = 'lru'\nsizes = [1, 2]\n";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kGood);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Toml, FillsAStruct) {
  Cache c;
  const Result<void> r =
      read_toml(kGood, "x.toml", [&](Table& t) { t.table("l1", [&](Table& s) { describe(s, c); }); });
  ASSERT_TRUE(r.ok()) << r.error().to_string();
  EXPECT_EQ(c.sets, 4u);
  EXPECT_EQ(c.latency, 28.0);
  EXPECT_TRUE(c.sectored);
  EXPECT_EQ(c.policy, "lru");
  EXPECT_EQ(c.sizes, (std::vector<uint32_t>{1, 2}));
}

TEST(Toml, MisspeltKeyIsNamedWithItsLineAndTheNearName) {
  const std::string error = error_of(with("latency", "latancy"));
  EXPECT_NE(error.find("x.toml:3:1: error: unknown key 'l1.latancy'; did you mean 'latency'?"), std::string::npos)
      << error;
}

TEST(Toml, MissingKeyIsNamed) {
  const std::string error = error_of(with("latency = 28\n", ""));
  EXPECT_NE(error.find("missing key 'l1.latency' in [l1]"), std::string::npos) << error;
  EXPECT_NE(error_of("").find("missing key 'l1'"), std::string::npos);
}

TEST(Toml, WrongTypeIsNamed) {
  EXPECT_NE(error_of(with("4", "'4'")).find("x.toml:2:8: error: 'l1.sets' must be an integer, not string"),
            std::string::npos);
  EXPECT_NE(error_of(with("4", "4.5")).find("must be an integer"), std::string::npos);
  EXPECT_NE(error_of(with("28", "'fast'")).find("must be a number"), std::string::npos);
  EXPECT_NE(error_of(with("true", "1")).find("must be true or false"), std::string::npos);
  EXPECT_NE(error_of(with("[1, 2]", "[1, 'a']")).find("array of integers"), std::string::npos);
  EXPECT_NE(error_of("l1 = 3\n").find("must be a table"), std::string::npos);
}

TEST(Toml, ValueOutOfBoundsIsNamed) {
  EXPECT_NE(error_of(with("4", "0")).find("'l1.sets' is 0, must be between 1"), std::string::npos);
  EXPECT_NE(error_of(with("28", "-1")).find("'l1.latency' is -1"), std::string::npos);
  EXPECT_NE(error_of(with("4", "99999999999")).find("'l1.sets' is"), std::string::npos);
}

TEST(Toml, SyntaxErrorHasALine) { EXPECT_NE(error_of("[l1]\nsets = = 4\n").find("x.toml:2:"), std::string::npos); }

TEST(Toml, MissingFileIsNamed) {
  const Result<void> r = read_toml_file("/nonexistent/v100.toml", [](Table&) {});
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.error().to_string().find("/nonexistent/v100.toml"), std::string::npos);
}

}  // namespace
}  // namespace hpml::config
