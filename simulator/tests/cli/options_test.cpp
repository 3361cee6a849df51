#include "simulator/cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulator/cli/elf_needs.hpp"

namespace hpml::sim::cli {
namespace {

TEST(Dim3, OneToThreeSizes) {
  EXPECT_EQ(parse_dim3("--grid", "5")->x, 5u);
  EXPECT_EQ(parse_dim3("--grid", "5")->z, 1u);
  EXPECT_EQ(parse_dim3("--grid", "5,6")->y, 6u);
  EXPECT_EQ(parse_dim3("--grid", "5,6,7")->z, 7u);
}

TEST(Dim3, AnythingElseIsRefused) {
  for (const std::string text : {"", "0", "1,0", "1,2,3,4", "x", "1,", "1 2", "-1", "1,2,"}) {
    EXPECT_FALSE(parse_dim3("--grid", text).ok()) << text;
  }
}

TEST(ElfNeeds, ThisTestNeedsNoCuda) {
  const auto needs = read_elf_needs("/proc/self/exe");
  ASSERT_TRUE(needs.ok());
  EXPECT_TRUE(needs->is_elf);
  EXPECT_EQ(needs->cudart_soname, "");
  EXPECT_EQ(needs->static_runtime, "");
  EXPECT_FALSE(needs->hidden_runtime());
}

TEST(ElfNeeds, AScriptIsNoElf) {
  const auto needs = read_elf_needs(HPML_SOURCE_DIR "/simulator/tests/fatbin/corpus/make_corpus.sh");
  ASSERT_TRUE(needs.ok());
  EXPECT_FALSE(needs->is_elf);
}

TEST(ElfNeeds, AMissingFileIsAnError) { EXPECT_FALSE(read_elf_needs("/nonexistent").ok()); }

}  // namespace
}  // namespace hpml::sim::cli
