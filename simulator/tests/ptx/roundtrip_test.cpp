// Is print() the inverse of parse()?
#include "simulator/ptx/printer.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

TEST(RoundTrip, PrintedSeedsParseToTheSameModule) {
  ASSERT_GE(seed_names().size(), 6U);
  for (const std::string& name : seed_names()) {
    SCOPED_TRACE(name);
    const std::string printed = print(must_parse(read_seed(name)));
    EXPECT_GT(printed.size(), read_seed(name).size() / 4);
    EXPECT_EQ(print(must_parse(printed)), printed);
  }
}

// Text that is already in the printer's form comes back unchanged, so nothing of it is lost on the way.
TEST(RoundTrip, InstructionsComeBackUnchanged) {
  for (const std::string line : {
           "ret;",
           "@!%p1 bra.uni $L__BB0_1;",
           "add.rn.ftz.f32 %f1, %f2, 0f3F800000;",
           "fma.rn.f64 %fd1, %fd2, 0d3FF0000000000000, %fd3;",
           "mov.b64 %rd1, -9223372036854775808;",
           "mov.b64 %rd1, 18446744073709551615U;",
           "mov.u32 %r1, %ctaid.y;",
           "mov.b64 {%r1, %r2}, %rd1;",
           "ld.global.nc.v4.f32 {%f1, %f2, _, %f4}, [%rd1+-16];",
           "st.shared::cta.u32 [tile+8], %r1;",
           "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;",
           "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
           "call.uni (retval0), f, (param0, 4);",
           "call (retval0), %rd1, (), prototype_0;",
           "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, s, {%f5, %f6}];",
           "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r1}], [%r2];",
           "vadd.s32.u32.s32 %r1, %r2.b0, %r3.h1;",
       }) {
    Module module;
    EXPECT_EQ(print(only_instruction(module, line)), line);
  }
}

TEST(RoundTrip, DeclarationsComeBackUnchanged) {
  for (const std::string line : {
           ".visible .global .attribute(.managed) .align 4 .u32 m = 7;",
           ".extern .shared .align 16 .b8 s[];",
           ".const .v4 .f32 q = {1, 2, 3, 4};",
           ".global .s32 x[2][2] = {{1, 2}, {3, 4}};",
           ".global .u64 p[3] = {x, x+8, generic(x)+4};",
           ".global .b8 b[2] = {0xFF(x), 0xFF00(generic(x)+4)};",
           ".weak .func (.param .b32 r) f (.param .align 8 .b8 a[16]) .noreturn;",
           ".alias g, f;",
       }) {
    const std::string printed = print(must_parse(in_module(line + "\n")));
    EXPECT_NE(printed.find("\n" + line + "\n"), std::string::npos) << printed;
  }
}

// A function may be named in an initialiser only after it is declared, so the printer must not sort by kind.
TEST(RoundTrip, DeclarationsKeepTheOrderOfTheSource) {
  const std::string printed =
      print(must_parse(in_module(".func f;\n.global .u64 p = f;\n.func f { ret; }\n.global .u32 z;\n")));
  const size_t declared = printed.find(".func f ();");
  const size_t used = printed.find("p = f");
  const size_t defined = printed.find("ret;");
  EXPECT_LT(declared, used);
  EXPECT_LT(used, defined);
  EXPECT_LT(defined, printed.find("u32 z"));
}

TEST(RoundTrip, KeepsThePragmaOfAModuleAFunctionAndALoop) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.pragma \"nounroll\";\n"
      ".visible .entry k() .pragma \"nounroll\";\n{\nL:\n.pragma \"nounroll\";\nbra L;\n}\n";
  const auto first = parse(text, "test.ptx");
  ASSERT_TRUE(first.ok()) << first.error().to_string();
  const auto again = parse(print(*first), "test.ptx");
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_TRUE(again->nounroll);
  ASSERT_TRUE(again->functions.front().nounroll);
  EXPECT_TRUE(std::get<Label>(again->functions.front().body->statements.front()).nounroll);
}

}  // namespace
}  // namespace hpml::sim::ptx
