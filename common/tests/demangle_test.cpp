#include "common/base/demangle.hpp"

#include <gtest/gtest.h>

namespace hpml {
namespace {

TEST(Demangle, ReadsCppNamesAndLeavesOthersAlone) {
  EXPECT_EQ(demangle("_Z3addiPfS_"), "add(int, float*, float*)");
  EXPECT_EQ(demangle("vector_add"), "vector_add");
  EXPECT_EQ(demangle("_Zbroken"), "_Zbroken");
}

}  // namespace
}  // namespace hpml
