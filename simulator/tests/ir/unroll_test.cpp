// Question: are the loops unrolled that ptxas unrolls? The limits are those that ptxas 13.0 has for sm_75, sm_80 and
// sm_90, found by compiling each of these loops with one instruction more and one less.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

struct Loop {
  std::string body;
  int ffma = 0;  // further ones, in a chain
  std::string start = {};
  std::string end = "add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 0;";
  std::string pragma = {};
};

// Copies of the loop's FFMAs in the code: 1 as it is, 5 with four rounds in front.
int copies(const Loop& loop) {
  std::string text =
      ".version 7.5\n.target sm_75\n.address_size 64\n"
      ".visible .entry k(.param .u64 a, .param .u32 n) {\n"
      ".reg .pred %p<8>; .reg .f32 %f<80>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .shared .align 4 .b8 tile[8192];\n"
      "ld.param.u64 %rd1, [a]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mov.u32 %r4, tile; mov.f32 %f1, "
      "0f00000000;\n" +
      loop.start + "\nL:\n" + loop.pragma + "\n" + loop.body + "\n";
  for (int i = 0; i < loop.ffma; ++i) {
    text += "fma.rn.f32 %f1, %f1, 0f3F800001, 0f3F000000;\n";
  }
  text += loop.end + "\n@%p1 bra L;\nst.global.f32 [%rd1], %f1;\nret;\n}\n";
  auto parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  const auto module = std::move(Program::link(std::move(modules))).value().lower("k");
  EXPECT_TRUE(module.ok()) << module.error().to_string();
  const auto& code = module->functions.front().code;
  const auto ffma = std::ranges::count_if(
      code, [](const Inst& inst) { return inst.variant != nullptr && inst.variant->spec->mnemonic == "fma"; });
  return static_cast<int>(ffma) / loop.ffma;
}

std::string loads(const std::string& space, const std::string& base, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const std::string reg = "%f" + std::to_string(10 + i);
    out += "ld." + space + ".f32 " + reg + ", [" + base + "+" + std::to_string(128 * i) + "]; add.f32 %f1, %f1, " +
           reg + ";\n";
  }
  return out + (space == "global" ? "add.s64 %rd1, %rd1, 2048;" : "add.s32 %r4, %r4, 4;");
}

struct Limit {
  std::string body;
  int most = 0;  // FFMAs
};
class Unroll : public testing::TestWithParam<Limit> {};

TEST_P(Unroll, IsDoneUpToTheSizeThatPtxasUnrolls) {
  EXPECT_EQ(copies({GetParam().body, GetParam().most}), 5);
  EXPECT_EQ(copies({GetParam().body, GetParam().most + 1}), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Loops, Unroll,
    testing::Values(Limit{"", 18}, Limit{"bar.sync 0;", 17}, Limit{"st.global.f32 [%rd1], %f1;", 16},
                    Limit{"st.shared.f32 [%r4], %f1;", 17}, Limit{"red.global.add.f32 [%rd1], %f1;", 16},
                    Limit{"shfl.sync.idx.b32 %r3, %r3, %r2, 31, -1;", 17}, Limit{loads("global", "%rd1", 1), 43},
                    Limit{loads("global", "%rd1", 2), 40}, Limit{loads("global", "%rd1", 4), 34},
                    Limit{loads("global", "%rd1", 8), 22}, Limit{loads("shared", "%r4", 1), 20},
                    Limit{loads("shared", "%r4", 4), 26}, Limit{loads("shared", "%r4", 8), 34},
                    Limit{loads("shared", "%r4", 16), 48}, Limit{loads("shared", "%r4", 24), 24}));

TEST(UnrollLoops, OnlyWhereTheStepIsAConstant) {
  const std::string until = " setp.lt.s32 %p1, %r5, %r1;";
  EXPECT_EQ(copies({"", 4, "mov.u32 %r5, %r2;", "add.s32 %r5, %r5, 128;" + until}), 5);
  EXPECT_EQ(copies({"", 4, "mov.u32 %r5, %r2;", "add.s32 %r5, %r5, %r2;" + until}), 1);
  EXPECT_EQ(copies({"", 4, "", "shr.u32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0;"}), 1);
}

TEST(UnrollLoops, NotWhereAPragmaForbidsIt) {
  EXPECT_EQ(copies({.body = "", .ffma = 4, .pragma = ".pragma \"nounroll\";"}), 1);
  EXPECT_EQ(copies({.body = "", .ffma = 4, .pragma = ".pragma \"used_bytes_mask 1\";"}), 5);
}

TEST(UnrollLoops, NotWithADivision) { EXPECT_EQ(copies({"div.rn.f32 %f2, %f2, %f1;", 1}), 1); }

TEST(UnrollLoops, WithABarrierOnlyWhereAllLanesMakeAsManyRoundsUpToAParameter) {
  const std::string up = "add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r1;",
                    down = "add.s32 %r1, %r1, -1; setp.ne.s32 %p1, %r1, 0;";
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, 0;", up}), 5);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, %r2;", up}), 1);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, 0; shr.s32 %r1, %r1, 4;", up}), 1);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "shr.s32 %r1, %r1, 4;", down}), 5);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r1, %r2;", down}), 1);
}

}  // namespace
}  // namespace hpml::sim::ir
