// Question: does a breakpoint stop in each round of a loop, also where the loop was unrolled?
#include "simulator/debug/code_map.hpp"

#include <gtest/gtest.h>

#include "simulator/ptx/parser.hpp"

namespace hpml::sim::debug {
namespace {

TEST(CodeMap, FindsALineOfPtxInEachRoundOfAnUnrolledLoopAndInTheLoopItself) {
  auto parsed = ptx::parse(R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .pred %p<2>; .reg .f32 %f<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r1, [n];
  mov.f32 %f1, 0f00000000;
L:
  add.f32 %f1, %f1, 0f3F800000;
  add.s32 %r1, %r1, -1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra L;
  st.global.f32 [%rd1], %f1;
  ret;
})",
                           "test.ptx");
  ASSERT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  const ir::Program program = std::move(ir::Program::link(std::move(modules))).value();
  ir::Names names;
  auto module = program.lower("k", &names);
  ASSERT_TRUE(module.ok());
  Launch launch;
  launch.program = &program;
  launch.code = &module.value();
  launch.names = &names;
  const CodeMap map(launch);
  EXPECT_EQ(map.at_ptx_line(10).size(), 5u);  // the addition
  EXPECT_EQ(map.at_ptx_line(14).size(), 1u);  // the store
}

}  // namespace
}  // namespace hpml::sim::debug
