// Question: does a kernel combine the atomics of a warp where ptxas does? Expected: what ptxas 13.0 makes for sm_75 and
// sm_80 of each line; one request under a vote is `elect`, REDUX or a tree of shuffles `reduce`, a running sum `scan`.
#include <gtest/gtest.h>

#include <algorithm>

#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

// Atomic number `which` of a kernel: %rd1, %rd2 and %r1 are parameters, %r2 is %tid.x; %r3 is stored if `used`.
Inst atomic_of(const std::string& body, bool used, int which = 0) {
  const std::string text =
      ".version 7.5\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n) "
      "{\n"
      ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<3>; .reg .pred %p<3>; .shared .u32 word;\n"
      "ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
      "cvt.u64.u32 %rd6, %r1; cvt.u64.u32 %rd7, %r2; mov.b32 %f1, %r1; mov.u32 %r8, word;\n" +
      body + (used ? "\nmul.wide.u32 %rd8, %r2, 4; add.u64 %rd2, %rd2, %rd8; st.global.u32 [%rd2], %r3;" : "") +
      "\nret;\n}\n";
  auto parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  const Program program = std::move(Program::link(std::move(modules))).value();
  auto module = program.lower("k");
  EXPECT_TRUE(module.ok()) << module.error().to_string();
  const std::vector<Inst>& code = module->functions.front().code;
  return *std::find_if(code.begin(), code.end(), [&](const Inst& i) {
    return (i.mem == isa::Mem::atom || i.mem == isa::Mem::red) && which-- == 0;
  });
}

struct Case {
  const char* body;
  Combine combine;
  bool used = false;
};

class CombineAtomics : public testing::TestWithParam<Case> {};

TEST_P(CombineAtomics, IsWhatPtxasDoes) {
  const Inst inst = atomic_of(GetParam().body, GetParam().used);
  EXPECT_EQ(inst.combine, GetParam().combine) << GetParam().body;
  EXPECT_EQ(inst.helpers > 0, GetParam().combine != Combine::none);
}

constexpr Case kCases[] = {
    {"red.global.add.u32 [%rd1], 1;", Combine::elect},
    {"red.global.add.u32 [%rd1], %r1;", Combine::elect},
    {"red.global.add.u32 [%rd1], %r2;", Combine::reduce},
    {"red.global.max.u32 [%rd1], %r1;", Combine::elect},
    {"red.global.max.s32 [%rd1], %r2;", Combine::reduce},
    {"red.global.and.b32 [%rd1], %r2;", Combine::reduce},
    {"red.global.inc.u32 [%rd1], %r1;", Combine::none},
    {"red.global.add.f32 [%rd1], %f1;", Combine::none},
    {"red.global.add.u64 [%rd1], %rd6;", Combine::elect},
    {"red.global.add.u64 [%rd1], %rd7;", Combine::none},
    {"red.add.u32 [%rd1], %r1;", Combine::elect},
    {"red.shared.add.u32 [%r8], %r1;", Combine::elect},
    {"atom.global.add.u32 %r3, [%rd1], %r1;", Combine::elect, true},
    {"atom.global.add.u32 %r3, [%rd1], %r2;", Combine::scan, true},
    {"atom.global.max.u32 %r3, [%rd1], %r2;", Combine::none, true},
    {"atom.global.exch.b32 %r3, [%rd1], %r1;", Combine::none, true},
    {"atom.global.cas.b32 %r3, [%rd1], %r1, %r2;", Combine::none, true},
    // A result that nobody reads: a red.
    {"atom.global.add.u32 %r3, [%rd1], %r2;", Combine::reduce},
    {"atom.global.max.u32 %r3, [%rd1], %r1;", Combine::elect},
    // Addresses: of the block, loaded from a place that all lanes name, of the thread.
    {"mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd1, %rd3; red.global.add.u32 [%rd3], 1;",
     Combine::elect},
    {"ld.global.u32 %r4, [%rd2]; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd1, %rd3; red.global.add.u32 [%rd3], 1;",
     Combine::elect},
    {"mul.wide.u32 %rd3, %r2, 4; add.u64 %rd3, %rd1, %rd3; red.global.add.u32 [%rd3], 1;", Combine::none},
    {"setp.lt.u32 %p1, %r2, 7; @%p1 red.global.add.u32 [%rd1], 1;", Combine::elect},
    // Written on one side of a branch that lanes take differently, and before it.
    {"mov.u64 %rd3, %rd1; setp.lt.u32 %p1, %r2, 7; @%p1 bra L; mov.u64 %rd3, %rd2; L: red.global.add.u32 [%rd3], 1;",
     Combine::none},
    {"mov.u64 %rd3, %rd1; setp.lt.u32 %p1, %r1, 7; @%p1 bra L; mov.u64 %rd3, %rd2; L: red.global.add.u32 [%rd3], 1;",
     Combine::elect},
};
INSTANTIATE_TEST_SUITE_P(Listings, CombineAtomics, testing::ValuesIn(kCases));

TEST(CombinedAtomics, VoteOnceInABasicBlock) {
  EXPECT_GT(atomic_of("red.global.add.u32 [%rd1], 1; red.global.add.u32 [%rd2], 1;", false).helpers, 0);
  const auto second = [](const std::string& between) {
    return atomic_of("red.global.add.u32 [%rd1], 1;" + between + "red.global.add.u32 [%rd2], 1;", false, 1).helpers;
  };
  EXPECT_EQ(second(""), 0);
  EXPECT_GT(second("setp.lt.u32 %p1, %r1, 7; @%p1 bra L; bar.sync 0; L:"), 0);
}

TEST(UnusedResults, TurnAnAtomicIntoAReductionWhereThereIsOne) {
  EXPECT_TRUE(atomic_of("atom.global.add.f32 %f2, [%rd1], %f1;", false).result_unused);
  EXPECT_TRUE(atomic_of("atom.global.inc.u32 %r3, [%rd1], %r1;", false).result_unused);
  EXPECT_FALSE(atomic_of("atom.global.inc.u32 %r3, [%rd1], %r1;", true).result_unused);
  EXPECT_FALSE(atomic_of("atom.global.exch.b32 %r3, [%rd1], %r1;", false).result_unused);
}

}  // namespace
}  // namespace hpml::sim::ir
