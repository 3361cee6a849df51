// Products that an instruction makes count twice; all others once.
#include "simulator/ptx/twice.hpp"

#include <gmock/gmock.h>

#include "simulator/ptx/printer.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string doubled(const std::string& body, std::string_view name) {
  Module module = must_parse(in_kernel(body));
  twice(module, name);
  return print(must_parse(print(module)));  // what it prints is a module again
}

TEST(Twice, TheSecondProductIsAddedToTheFirstUnderTheSameGuard) {
  const std::string text = doubled("@%p1 dp4a.s32.u32 %r1, %r1, %r3, %r4;", "dp4a");
  EXPECT_THAT(text, HasSubstr("@%p1 dp4a.s32.u32 %once0, %r1, %r3, %r4;"));
  EXPECT_THAT(text, HasSubstr("@%p1 dp4a.s32.u32 %r1, %r1, %r3, %once0;"));
}

TEST(Twice, AMatrixInstructionHasARegisterForEachPartOfItsResult) {
  const std::string text = doubled(
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};"
      "wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd5, %fd6};",
      "mma");
  EXPECT_THAT(text, HasSubstr("s32 {%once0, %once1}, {%r3}, {%r4}, {%r5, %r6};"));
  EXPECT_THAT(text, HasSubstr("s32 {%r1, %r2}, {%r3}, {%r4}, {%once0, %once1};"));
  EXPECT_THAT(text, HasSubstr(".reg .f64 %once0;"));
  EXPECT_THAT(text, HasSubstr("{%fd1, %fd2}, {%fd3}, {%fd4}, {%once0, %once1};"));
}

TEST(Twice, OtherInstructionsStayAsTheyAre) {
  const std::string body =
      "mad.lo.s32 %r1, %r2, %r3, %r4; dp2a.lo.s32.s32 %r1, %r2, %r3, %r4; "
      "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1], %r2, %r3;";
  EXPECT_THAT(doubled(body, "dp4a"), Not(HasSubstr("%once")));
  EXPECT_THAT(doubled(body, "mma"), Not(HasSubstr("%once")));
  EXPECT_TRUE(can_be_twice("dp4a") && can_be_twice("mma") && !can_be_twice("fma"));
}

}  // namespace
}  // namespace hpml::sim::ptx
