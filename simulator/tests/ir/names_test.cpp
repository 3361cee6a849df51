// Are names kept for a debugger, and the code left as it is?
#include "simulator/ir/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

constexpr const char* kText = R"(.version 7.5
.target sm_70
.address_size 64
.entry k(.param .u64 p_out, .param .u32 p_n)
{
  .reg .pred %p<3>;
  .reg .u32 %r<8>;
  .reg .f32 %unused;
  .reg .u64 %rd<3>;
  .local .align 4 .b8 depot[16];
  .shared .align 4 .b8 tile[64];
  ld.param.u64 %rd1, [p_out];
  ld.param.u32 %r1, [p_n];
  add.u32 %r2, %r1, 1;
  add.u32 %r3, %r2, 2;
  add.u32 %r4, %r3, 3;
  setp.gt.u32 %p1, %r4, 5;
  @%p1 st.global.u32 [%rd1], %r4;
  ret;
}
)";

Program program() {
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(ptx::parse(kText, "k.ptx")).value());
  return std::move(Program::link(std::move(modules))).value();
}

TEST(Names, GiveEveryRegisterAPlaceOfItsOwn) {
  Names names;
  const Program linked = program();
  const auto module = linked.lower("k", &names);
  ASSERT_TRUE(module.ok());
  std::set<isa::Slot> slots;
  for (const RegisterName& name : names.functions.at(0).registers) {
    EXPECT_TRUE(slots.insert(name.slot).second) << name.name;
    EXPECT_LT(name.slot, module->functions[0].frame_bytes);
  }
  const auto find = [&](const std::string& wanted) {
    return *std::ranges::find_if(names.functions[0].registers, [&](const auto& n) { return n.name == wanted; });
  };
  EXPECT_TRUE(find("%r4").written);
  EXPECT_FALSE(find("%unused").written);
  EXPECT_TRUE(find("%p1").predicate);
  EXPECT_EQ(find("%rd1").bytes, 8);
}

TEST(Names, SayWhereMemoryAndParametersAre) {
  Names names;
  ASSERT_TRUE(program().lower("k", &names).ok());
  const auto& places = names.functions.at(0).places;
  const auto find = [&](const std::string& wanted) {
    return *std::ranges::find_if(places, [&](const auto& n) { return n.name == wanted; });
  };
  EXPECT_EQ(find("tile").space, ptx::Space::shared);
  EXPECT_EQ(find("depot").space, ptx::Space::local);
  EXPECT_EQ(find("depot").size, 16U);
  EXPECT_EQ(find("p_n").space, ptx::Space::param);
  EXPECT_EQ(find("p_n").offset, 8U);
}

TEST(Names, LeaveInstructionsAndFiguresAsTheyAre) {
  Names names;
  const Program linked = program();
  const auto with = linked.lower("k", &names);
  const auto without = linked.lower("k");
  ASSERT_EQ(with->functions[0].code.size(), without->functions[0].code.size());
  for (size_t pc = 0; pc < with->functions[0].code.size(); ++pc) {
    EXPECT_EQ(with->functions[0].code[pc].variant, without->functions[0].code[pc].variant);
    EXPECT_EQ(with->functions[0].code[pc].machine_ops, without->functions[0].code[pc].machine_ops);
    EXPECT_EQ(with->functions[0].code[pc].ptx_line, without->functions[0].code[pc].ptx_line);
  }
  EXPECT_EQ(with->functions[0].registers, without->functions[0].registers);
  EXPECT_EQ(with->functions[0].local_bytes, without->functions[0].local_bytes);
}

}  // namespace
}  // namespace hpml::sim::ir
