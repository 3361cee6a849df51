// Question: do names, parts, constants and meeting points mean what PTX ISA chapters 5, 10 and 11 say?
#include "simulator/ir/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

constexpr char kHead[] = ".version 7.5\n.target sm_70\n.address_size 64\n";

Result<Program> link(const std::vector<std::string>& texts) {
  std::vector<ptx::Module> modules;
  for (const std::string& text : texts) {
    auto parsed = ptx::parse(kHead + text, "part" + std::to_string(modules.size()) + ".ptx");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
    modules.push_back(std::move(parsed).value());
  }
  return Program::link(std::move(modules));
}

std::string error_of(const std::string& body) {
  auto program = link({".visible .entry k(.param .u64 p) {\n" + body + "\n}"});
  const auto lowered = program->lower("k");
  return lowered.ok() ? "" : lowered.error().to_string();
}

TEST(Link, PureAndDeletedVirtualFunctionsAreAddressZeroInATable) {
  auto program =
      link({".extern .func __cxa_pure_virtual();\n.extern .func __cxa_deleted_virtual();\n.func f() { ret; }\n"
            ".visible .global .align 8 .u64 table[3] = {__cxa_pure_virtual, f, __cxa_deleted_virtual};"});
  ASSERT_TRUE(program.ok());
  const auto bytes = program->initial_bytes(program->variables()[0]);
  ASSERT_TRUE(bytes.ok()) << bytes.error().to_string();
  std::array<uint64_t, 3> table{};
  std::memcpy(table.data(), bytes->data(), sizeof table);
  EXPECT_EQ(table[0], 0u);
  EXPECT_NE(table[1], 0u);
  EXPECT_EQ(table[2], 0u);
}

TEST(Link, AnyOtherFunctionThatIsNotDefinedIsNamed) {
  auto program = link({".extern .func g();\n.visible .global .align 8 .u64 table[1] = {g};"});
  ASSERT_TRUE(program.ok());
  const auto bytes = program->initial_bytes(program->variables()[0]);
  ASSERT_FALSE(bytes.ok());
  EXPECT_NE(bytes.error().to_string().find("'g', which is not defined"), std::string::npos);
}

TEST(Link, FindsAFunctionAndAVariableOfAnotherPart) {
  auto program =
      link({".extern .func f();\n.extern .global .u32 v;\n.visible .entry k() { .reg .b32 %r<2>; call f, (); "
            "ld.global.u32 %r1, [v]; ret; }",
            ".visible .func f() { ret; }\n.visible .global .u32 v = 7;"});
  ASSERT_TRUE(program.ok());
  ASSERT_EQ(program->variables().size(), 1u);
  program->variables()[0].address = 4096;
  EXPECT_EQ((*program->initial_bytes(program->variables()[0]))[0], std::byte{7});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  EXPECT_EQ(module->functions.size(), 2u);
  EXPECT_EQ(module->functions[0].code[1].offset, 4096);
}

TEST(Link, AKernelSaysWhichClustersItRequires) {
  const auto program =
      link({".visible .entry one() { ret; }\n"
            ".visible .entry four() .explicitcluster .reqnctapercluster 2, 2 { ret; }\n"
            ".visible .entry most() .maxntid 128 .maxclusterrank 8 { ret; }"});
  ASSERT_TRUE(program.ok());
  const auto& kernels = program->kernels();
  EXPECT_EQ(kernels[0].cluster, (std::array<uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(kernels[1].cluster, (std::array<uint32_t, 3>{2, 2, 1}));
  EXPECT_EQ(kernels[2].max_cluster_rank, 8u);
}

TEST(Link, RefusesTwoStrongDefinitionsAndKeepsOneOfTwoWeakOnes) {
  const auto twice = link({".visible .global .u32 v;", ".visible .global .u32 v;"});
  ASSERT_FALSE(twice.ok());
  EXPECT_NE(twice.error().to_string().find("'v' is defined in two parts"), std::string::npos);
  const auto weak = link({".weak .global .u32 v = 1;", ".weak .global .u32 v = 2;"});
  ASSERT_TRUE(weak.ok());
  EXPECT_EQ(weak->variables().size(), 1u);
}

TEST(Link, InitialisersHoldAddressesAndNestedArrays) {
  auto program = link({".visible .global .align 4 .u16 a[2][2] = {{1, 2}, {3, 4}};\n.visible .global .u64 p = a+4;"});
  ASSERT_TRUE(program.ok());
  program->variables()[0].address = 0x1000;
  const auto a = *program->initial_bytes(program->variables()[0]);
  ASSERT_EQ(a.size(), 8u);
  EXPECT_EQ(a[6], std::byte{4});
  const auto p = *program->initial_bytes(program->variables()[1]);
  EXPECT_EQ(p[0], std::byte{4});
  EXPECT_EQ(p[1], std::byte{0x10});
}

TEST(Lower, NamesWhatIsUndefinedWithLineAndColumn) {
  EXPECT_NE(error_of("  .reg .b32 %r<2>;\n  mov.u32 %r1, %tidx.x;")
                .find("part0.ptx:6:16: error: undefined register '%tidx.x'"),
            std::string::npos)
      << error_of("  .reg .b32 %r<2>;\n  mov.u32 %r1, %tidx.x;");
  EXPECT_NE(error_of("  .reg .b32 %r<3>;\n  add.s32 %r1, -%r2, %r2;").find("does not negate"), std::string::npos);
  EXPECT_NE(error_of("  bra NOWHERE;").find("not a label"), std::string::npos);
  EXPECT_NE(error_of("  .reg .b64 %rd<3>;\n  add.s32 %rd1, %rd2, %rd2;").find("32 bits"), std::string::npos);
}

TEST(Lower, TheTableOfLop3IsANumber) {
  const std::string head = "  .reg .b32 %r<6>;\n  lop3.b32 %r0, %r1, %r2, %r3, ";
  EXPECT_NE(error_of(head + "%r4;").find("part0.ptx:6:32: error: the table of 'lop3' must be a number"),
            std::string::npos)
      << error_of(head + "%r4;");
  EXPECT_EQ(error_of(head + "0x96; ret;"), "");
}

TEST(Lower, BytesOfAMovAreInRegistersOfTheirOwnWidth) {
  const std::string head = "  .reg .b8 %b<4>; .reg .b16 %h<4>; .reg .b32 %r<2>;\n  ";
  EXPECT_EQ(error_of(head + "mov.b32 %r0, {%b0, %b1, %b2, 7}; mov.b16 {%b0, _}, %h0; mov.b32 {%h0, %h1}, %r1; ret;"),
            "");
  for (const char* wrong : {"mov.b16 %h0, {%h1, %h2};", "mov.b32 {%h0, %b1, %b2, %b3}, %r0;"}) {
    EXPECT_NE(error_of(head + wrong).find("is a .b16 register; one of 8 bits is needed"), std::string::npos) << wrong;
  }
  EXPECT_NE(error_of(head + "mov.b32 %r0, {%b0, %h1};").find("one of 16 bits is needed"), std::string::npos);
}

TEST(Lower, AnUnknownInstructionIsKeptForTheLaunchThatReachesIt) {
  auto program = link({".visible .entry k() {\n  frobnicate.u32 1;\n  ret;\n}"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  ASSERT_EQ(module->functions[0].unsupported.size(), 1u);
  EXPECT_NE(module->functions[0].unsupported[0].second.find("frobnicate"), std::string::npos);
  EXPECT_EQ(program->check().size(), 1u);
}

TEST(Lower, ABranchMeetsAtItsPostDominatorEvenInAnEndlessLoop) {
  auto program = link({R"(.visible .entry k() {
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
FOREVER:
  @%p1 bra SKIP;
  add.u32 %r1, %r1, 1;
SKIP:
  add.u32 %r2, %r1, 1;
  bra FOREVER;
})"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  EXPECT_EQ(module->functions[0].code[2].reconverge, 4u);
  EXPECT_TRUE(module->functions[0].code[4].is_join);
}

TEST(Lower, ShadowedNamesAreDifferentRegisters) {
  auto program = link({R"(.visible .entry k(.param .u64 out) {
  .reg .b32 %r<3>;
  mov.u32 %r1, 1;
  {
    .reg .b32 %r<3>;
    mov.u32 %r1, 2;
    st.shared.u32 [0], %r1;
  }
  st.shared.u32 [0], %r1;
  ret;
})"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  const auto at = [&](int line) {  // the kernel's text begins at line 4
    const auto& code = module->functions[0].code;
    return *std::find_if(code.begin(), code.end(), [&](const Inst& i) { return i.ptx_line == line; });
  };
  const Inst outer = at(6), inner = at(9), inner_use = at(10), outer_use = at(12);
  EXPECT_NE(inner.writes[0], outer.writes[0]);
  EXPECT_EQ(inner_use.reads[0], inner.writes[0]);
  EXPECT_EQ(outer_use.reads[0], outer.writes[0]);
}

TEST(Registers, SharedByValuesThatAreNeverAliveTogether) {
  std::string body;
  for (int i = 1; i < 200; ++i) {
    body += "  add.u32 %r" + std::to_string(i) + ", %r" + std::to_string(i - 1) + ", 1;\n";
  }
  auto program = link({".visible .entry k() {\n  .reg .b32 %r<200>;\n  mov.u32 %r0, %tid.x;\n" + body +
                       "  st.shared.u32 [0], %r199;\n  ret;\n}"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok());
  EXPECT_LE(module->functions[0].registers, 8);
  EXPECT_LT(module->functions[0].frame_bytes, 2048u);
}

TEST(Registers, ADestinationNeverOverlapsADyingSourceOfAnotherWidth) {
  auto program =
      link({".visible .entry k() {\n  .reg .b32 %r<4>;\n  .reg .b64 %rd<4>;\n  mov.u32 %r1, %tid.x;\n"
            "  mul.wide.u32 %rd1, %r1, %r1;\n  st.shared.u64 [0], %rd1;\n  ret;\n}"});
  const auto module = program->lower("k");
  const Inst& wide = module->functions[0].code[1];
  const auto begin = wide.dst[0], end = begin + 256;
  EXPECT_TRUE(wide.src[0] + 128 <= begin || wide.src[0] >= end);
}

TEST(Turns, AreTakenByWhatOtherBlocksSeeAndNothingElse) {
  auto program =
      link({".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
            ".visible .func plain() { ret; }\n.visible .shared .u32 s;\n.visible .global .u32 g;\n"
            ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %d<3>; .local .u32 l;\n"
            "ld.global.u32 %r1, [g];\nst.shared.u32 [s], %r1;\natom.shared.add.u32 %r1, [s], %r1;\n"
            "st.local.u32 [l], %r1;\nadd.u32 %r2, %r1, %r1;\nbar.sync 0;\ncall plain, ();\n"
            "st.global.u32 [g], %r1;\nst.u32 [%d1], %r1;\nred.global.add.u32 [g], %r1;\n"
            "mov.u32 %r3, %clock;\n"
            "{ .param .b64 f; .param .b64 a; .param .b32 r; call (r), vprintf, (f, a); }\nret; }"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  std::vector<int> lines;
  for (const Inst& inst : module->functions[0].code) {
    if (inst.turns == Turns::always) {
      lines.push_back(inst.ptx_line);
    }
  }
  const int first = module->functions[0].code[0].ptx_line;
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (std::vector{first + 7, first + 8, first + 9, first + 10, first + 11}));
}

TEST(Turns, AreTakenInClustersByWhatReachesOtherBlocks) {
  auto program =
      link({".visible .shared .u32 s;\n.visible .shared .u64 m;\n"
            ".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %d<3>;\n"
            "ld.shared.u32 %r1, [s];\nld.shared::cluster.u32 %r1, [s];\nld.u32 %r1, [%d1];\n"
            "atom.shared.add.u32 %r1, [s], 1;\natom.shared::cluster.add.u32 %r1, [s], 1;\n"
            "mbarrier.arrive.shared::cta.b64 %d1, [m];\nmbarrier.arrive.shared::cluster.b64 _, [m];\n"
            "barrier.cluster.arrive;\nbarrier.cluster.wait;\nmapa.u64 %d1, %d2, 1;\nret; }"});
  const auto module = program->lower("k");
  ASSERT_TRUE(module.ok()) << module.error().to_string();
  std::vector<int> lines;
  int first = 1 << 20;
  for (const Inst& inst : module->functions[0].code) {
    if (inst.ptx_line == 0) {
      continue;  // the end of every function
    }
    first = std::min(first, inst.ptx_line);
    EXPECT_NE(inst.turns, Turns::always) << inst.ptx_line;
    if (inst.turns == Turns::in_clusters) {
      lines.push_back(inst.ptx_line);
    }
  }
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines, (std::vector{first + 1, first + 2, first + 4, first + 6, first + 7, first + 10}));
}

}  // namespace
}  // namespace hpml::sim::ir
