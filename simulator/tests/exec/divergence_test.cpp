// Question: do diverged lanes meet again where the compiler means them to, and does every lane make progress?
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// out[tid] = value of %r9, for kernels with one pointer parameter.
std::string divergent_kernel(const std::string& body) {
  return R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
)" + body +
         R"(
  st.global.u32 [%rd3], %r9;
  ret;
})";
}

TEST(Divergence, BothSidesRunAndMeetAtThePostDominator) {
  PtxRig rig(divergent_kernel(R"(
  setp.lt.u32 %p1, %r1, 10;
  @%p1 bra LOW;
  mov.u32 %r9, 200;
  bra JOIN;
LOW:
  mov.u32 %r9, 100;
JOIN:
  add.u32 %r9, %r9, %r1;
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], (i < 10 ? 100 : 200) + i);
  }
  // ld.param, mov, mul, add, setp, bra | mov, bra | mov | add, st, ret: a re-merged tail runs once.
  EXPECT_EQ(grid.counters().warp_instructions, 12u);
}

TEST(Divergence, LanesLeaveALoopOneByOneAndMeetBehindIt) {
  PtxRig rig(divergent_kernel(R"(
  mov.u32 %r9, 0;
  mov.u32 %r2, 0;
LOOP:
  .pragma "nounroll";
  add.u32 %r9, %r9, 3;
  add.u32 %r2, %r2, 1;
  setp.le.u32 %p1, %r2, %r1;
  @%p1 bra LOOP;
  add.u32 %r9, %r9, 1000;
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], 3 * (i + 1) + 1000);
  }
  EXPECT_EQ(grid.counters().warp_instructions, 6u + 4 * 32 + 3);
}

TEST(Divergence, NestedBranchesMeetInnermostFirst) {
  PtxRig rig(divergent_kernel(R"(
  mov.u32 %r9, 0;
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 0;
  and.b32 %r3, %r1, 2;
  setp.eq.u32 %p2, %r3, 0;
  @%p1 bra OUTER_ELSE;
  @%p2 bra INNER_ELSE;
  add.u32 %r9, %r9, 1;
  bra INNER_JOIN;
INNER_ELSE:
  add.u32 %r9, %r9, 2;
INNER_JOIN:
  add.u32 %r9, %r9, 10;
  bra OUTER_JOIN;
OUTER_ELSE:
  add.u32 %r9, %r9, 20;
OUTER_JOIN:
  add.u32 %r9, %r9, 100;
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  rig.run("k", {1}, {32}, {out});
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], (i & 1) == 0 ? 120u : (i & 2) == 0 ? 112u : 111u);
  }
}

// A predicate is a bit per lane, a number is bytes per lane: if the two shared their bytes, the lanes that run ahead
// and compare would overwrite the numbers of those that wait.
TEST(Divergence, APredicateOfTheLanesAheadLeavesTheNumbersOfThoseBehindAlone) {
  PtxRig rig(divergent_kernel(R"(
  .reg .b16 %rs<2>;
  mov.u16 %rs1, 7;
  setp.ge.u32 %p1, %r1, 2;
  @%p1 bra HIGH;
  cvt.u32.u16 %r9, %rs1;
  bra JOIN;
HIGH:
  setp.ne.u32 %p2, %r1, 100;
  selp.u32 %r9, 1, 0, %p2;
JOIN:
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  rig.run("k", {1}, {32}, {out});
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], i < 2 ? 7 : 1);
  }
}

TEST(Divergence, ExitedLanesAreNotWaitedFor) {
  PtxRig rig(divergent_kernel(R"(
  setp.lt.u32 %p1, %r1, 5;
  @%p1 exit;
  mov.u32 %r9, 7;
  bar.sync 0;
)"));
  const uint64_t out = rig.upload(std::vector<uint32_t>(64));
  const Grid& grid = rig.run("k", {1}, {64}, {out});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  const auto got = rig.download<uint32_t>(out, 64);
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(got[i], i < 5 ? 0u : 7u);
  }
}

// Lane 0 spins on a value that lane 1 writes later: a pure reconvergence stack never gets there.
TEST(Divergence, ALaneThatSpinsLetsTheOthersOfItsWarpRun) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WRITER;
SPIN:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra SPIN;
  bra DONE;
WRITER:
  mov.u32 %r3, 1;
  st.volatile.global.u32 [%rd1], %r3;
DONE:
  ret;
})");
  const uint64_t flag = rig.upload(std::vector<uint32_t>(1));
  const Grid& grid = rig.run("k", {1}, {2}, {flag});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
}

// A lock taken in a loop: the winner leaves it for a point that all lanes share, and must not wait there for the
// losers.
const std::string kSpinLock = R"(
.visible .entry k(.param .u64 lock, .param .u64 count) {
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [lock];
  ld.param.u64 %rd2, [count];
SPIN:
  atom.global.cas.b32 %r2, [%rd1], 0, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra SPIN;
  ld.volatile.global.u32 %r3, [%rd2];
  add.u32 %r3, %r3, 1;
  st.volatile.global.u32 [%rd2], %r3;
  atom.global.exch.b32 %r4, [%rd1], 0;
  ret;
})";

TEST(Divergence, LanesTakeALockOneAfterTheOther) {
  PtxRig rig(kSpinLock);
  const uint64_t lock = rig.upload(std::vector<uint32_t>(1)), count = rig.upload(std::vector<uint32_t>(1));
  rig.max_warp_instructions = 10'000'000;
  const Grid& grid = rig.run("k", {3}, {70}, {lock, count});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  EXPECT_EQ(rig.download<uint32_t>(count, 1)[0], 210u);
}

TEST(Divergence, ALockThatNobodyReleasesIsADeadlock) {
  PtxRig rig(kSpinLock);
  const uint64_t lock = rig.upload(std::vector<uint32_t>{1}), count = rig.upload(std::vector<uint32_t>(1));
  const Grid& grid = rig.run("k", {2}, {32}, {lock, count});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::deadlock);
  EXPECT_NE(grid.trap()->message.find("waits in a loop"), std::string::npos) << grid.trap()->message;
}

TEST(Divergence, AnEndlessLoopEndsAtTheInstructionLimit) {
  PtxRig rig(".visible .entry k() {\n  .reg .b32 %r<1>;\nL:\n  add.u32 %r0, %r0, 1;\n  bra L;\n}");
  rig.max_warp_instructions = 100'000;
  const Grid& grid = rig.run("k", {1}, {32});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::timeout);
}

TEST(Divergence, AWarpThatWaitsForAnotherBlockLetsItStart) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 flag) {
  .reg .pred %p<3>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
  mov.u32 %r1, %ctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra WRITER;
SPIN:
  ld.volatile.global.u32 %r2, [%rd1];
  setp.ne.u32 %p2, %r2, 7;
  @%p2 bra SPIN;
  ret;
WRITER:
  atom.global.add.u32 %r3, [%rd1], 1;
  ret;
})");
  const uint64_t flag = rig.upload(std::vector<uint32_t>(1));
  const Grid& grid = rig.run("k", {8}, {1}, {flag});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
}

// The winner of the lock meets the losers behind the loop; these sleep longer each time round, so that nothing but
// their sleeping shows that they wait.
TEST(Divergence, LanesThatSleepLongerEachTimeLetTheOwnerOfTheLockGo) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 lock, .param .u64 out) {
  .reg .b64 %l, %o; .reg .b32 %old, %v, %ns; .reg .pred %free;
  ld.param.u64 %l, [lock]; ld.param.u64 %o, [out];
  mov.u32 %ns, 1;
TRY:
  atom.cas.b32 %old, [%l], 0, 1;
  setp.eq.u32 %free, %old, 0;
  @%free bra GOT;
  nanosleep.u32 %ns;
  add.u32 %ns, %ns, 1;
  bra TRY;
GOT:
  ld.volatile.global.u32 %v, [%o];
  add.u32 %v, %v, 1;
  st.volatile.global.u32 [%o], %v;
  atom.exch.b32 %old, [%l], 0;
  ret;
}
)");
  const uint64_t lock = rig.upload(std::vector<uint32_t>(1)), out = rig.upload(std::vector<uint32_t>(1));
  const Grid& grid = rig.run("k", {1}, {32}, {lock, out});
  EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  EXPECT_EQ(rig.download<uint32_t>(out, 1)[0], 32u);
  EXPECT_LT(grid.counters().warp_instructions, 20'000u);
}

}  // namespace
}  // namespace hpml::sim::exec
