// alloca, stacksave, stackrestore (PTX ISA 9.0, 9.7.11).
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// Every thread asks for 4 x (lane + 1) bytes, writes them, calls a function that has variables of its own, and sums.
constexpr const char* kTriangle = R"(
.func (.reg .b32 %ret) scribble(.reg .b32 %x) {
  .local .align 8 .b8 mine[64];
  .reg .b64 %p; .reg .b32 %i; .reg .pred %c;
  mov.u64 %p, mine; mov.u32 %i, 0;
L:
  st.local.u32 [%p], %x; add.u64 %p, %p, 4; add.u32 %i, %i, 1;
  setp.lt.u32 %c, %i, 16;
  @%c bra L;
  ld.local.u32 %ret, [%p-4];
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %out, %p, %q, %size, %saved; .reg .b32 %t, %i, %v, %sum, %got; .reg .pred %c;
  ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;
  stacksave.u64 %saved;
  add.u32 %i, %t, 1; mul.wide.u32 %size, %i, 4;
  alloca.u64 %p, %size, 16;
  mov.u64 %q, %p; mov.u32 %i, 0;
FILL:
  st.local.u32 [%q], %i; add.u64 %q, %q, 4; add.u32 %i, %i, 1;
  setp.le.u32 %c, %i, %t;
  @%c bra FILL;
  call (%got), scribble, (%t);
  mov.u64 %q, %p; mov.u32 %i, 0; mov.u32 %sum, 0;
READ:
  ld.local.u32 %v, [%q]; add.u32 %sum, %sum, %v; add.u64 %q, %q, 4; add.u32 %i, %i, 1;
  setp.le.u32 %c, %i, %t;
  @%c bra READ;
  stackrestore.u64 %saved;
  alloca.u64 %q, 8, 16;
  sub.u64 %q, %q, %p;           // the same place again
  cvt.u32.u64 %v, %q;
  mul.wide.u32 %size, %t, 12; add.u64 %out, %out, %size;
  st.global.u32 [%out], %sum; st.global.u32 [%out+4], %got; st.global.u32 [%out+8], %v;
  ret;
}
)";

TEST(Stack, EachThreadHasWhatItAskedForAndCallsLeaveItAlone) {
  PtxRig rig(kTriangle);
  const uint64_t out = rig.upload(std::vector<uint32_t>(3 * 32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  const auto got = rig.download<uint32_t>(out, 3 * 32);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(got[3 * lane], lane * (lane + 1) / 2) << lane;
    EXPECT_EQ(got[3 * lane + 1], lane);
    EXPECT_EQ(got[3 * lane + 2], 0u) << "after stackrestore";
  }
}

TEST(Stack, AskingForMoreThanThereIsIsAStackOverflow) {
  PtxRig rig(R"(
.visible .entry k() {
  .reg .b64 %p, %size;
  mov.u64 %size, 0x7fffffffffff;
  alloca.u64 %p, %size;
  ret;
}
)");
  const Grid& grid = rig.run("k", {1}, {32});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::stack_overflow);
}

}  // namespace
}  // namespace hpml::sim::exec
