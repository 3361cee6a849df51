#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/base/result.hpp"

namespace hpml {
namespace {

Result<int> half(int x) {
  if (x % 2 != 0) {
    return error_in("<number>", "not even");
  }
  return x / 2;
}

Result<int> quarter(int x) {
  HPML_TRY(const int h, half(x));
  return half(h);
}

TEST(Result, PassesTheFirstErrorOn) {
  EXPECT_EQ(*quarter(8), 2);
  ASSERT_FALSE(quarter(6).ok());
  EXPECT_EQ(quarter(6).error().to_string(), "<number>: error: not even");
}

TEST(Diag, PutsTheCaretUnderTheColumnEvenAfterTabs) {
  const Diag diag = error_at("k.ptx", {12, 6}, "unknown modifier '.rx'", "\tadd.rx.f32 %f1;");
  EXPECT_EQ(diag.to_string(), "k.ptx:12:6: error: unknown modifier '.rx'\n    \tadd.rx.f32 %f1;\n    \t    ^");
}

TEST(Diag, SuggestsNearNamesOnly) {
  EXPECT_EQ(did_you_mean("rx", {"rn", "rz", "sat", "ftz"}), "; did you mean 'rn' or 'rz'?");
  EXPECT_EQ(did_you_mean("v1000", {"t4", "v100", "k80"}), "; did you mean 'v100'?");
  EXPECT_EQ(did_you_mean("zzzzzz", {"t4"}), "");
}

TEST(Check, EndsTheProcessWithCodeThree) {
  EXPECT_EXIT(HPML_CHECK(1 == 2, fmt::format("one is {}", 1)), testing::ExitedWithCode(3), "one is 1");
}

}  // namespace
}  // namespace hpml
