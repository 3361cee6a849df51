// Which line does a breakpoint go to that names one without code of its own?
#include "simulator/debug/code_index.hpp"

#include <gtest/gtest.h>

namespace hpml::sim::debug {
namespace {

// A kernel of lines 20 to 30 into which a function of lines 3 to 5 has been put; file 2 is a header.
FunctionLines kernel(bool inlined_is_said) {
  FunctionLines out;
  out.add({1, 20, false, false});
  out.add({1, 22, false, false});
  out.add({2, 32, false, false});
  out.add({1, 3, inlined_is_said, false});
  out.add({1, 5, inlined_is_said, false});
  out.add({1, 0, false, false});
  out.add({1, 28, false, false});
  out.add({1, 30, false, true});
  return out;
}

TEST(LineOfABreakpoint, IsItselfWhereItHasCode) {
  for (const int line : {3, 5, 20, 22, 28, 30}) {
    EXPECT_EQ(kernel(true).target(1, line), line);
    EXPECT_EQ(kernel(false).target(1, line), line);
  }
}

TEST(LineOfABreakpoint, IsTheNextOneInsideOfTheFunction) {
  EXPECT_EQ(kernel(true).target(1, 21), 22);
  EXPECT_EQ(kernel(false).target(1, 23), 28);
  EXPECT_EQ(kernel(true).behind(1, 22), (std::vector<int>{28, 30}));
}

TEST(LineOfABreakpoint, IsNoneOutsideOfTheFunctionWhereHostCodeMayBe) {
  for (const int line : {1, 4, 6, 19, 31, 100}) {
    EXPECT_EQ(kernel(true).target(1, line), 0) << line;
    EXPECT_EQ(kernel(false).target(1, line), 0) << line;
  }
  EXPECT_EQ(kernel(true).target(2, 31), 0);
  EXPECT_EQ(kernel(true).target(7, 20), 0);
  EXPECT_EQ(FunctionLines().target(1, 1), 0);
}

TEST(NameOfAFunction, IsMatchedWithAndWithoutScopeAndArguments) {
  for (const char* wanted : {"_ZN2ns1kEi", "k", "ns::k", "ns::k(int)"}) {
    EXPECT_TRUE(is_named("_ZN2ns1kEi", wanted)) << wanted;
  }
  EXPECT_FALSE(is_named("_ZN2ns1kEi", "ns"));
  EXPECT_TRUE(is_named("_Z1tILi3EEvi", "t"));
}

TEST(PathOfASource, IsMatchedByItsLastParts) {
  EXPECT_TRUE(same_source("/home/a/k.cu", "k.cu"));
  EXPECT_TRUE(same_source("k.cu", "/home/a/k.cu"));
  EXPECT_TRUE(same_source("/home/a/k.cu", "a/k.cu"));
  EXPECT_FALSE(same_source("/home/a/ok.cu", "k.cu"));
  EXPECT_FALSE(same_source("/home/a/k.cu", ""));
}

}  // namespace
}  // namespace hpml::sim::debug
