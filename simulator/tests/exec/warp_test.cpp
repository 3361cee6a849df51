// Question: do warp-wide instructions, barriers and calls do what PTX ISA 9.7.9 and 9.7.13 say?
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr char kHead[] = R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
)";
constexpr char kTail[] = "  st.global.u32 [%rd3], %r9;\n  ret;\n}";

std::vector<uint32_t> run(const std::string& body, uint32_t threads = 32) {
  PtxRig rig(kHead + body + kTail);
  const uint64_t out = rig.upload(std::vector<uint32_t>(threads));
  const Grid& grid = rig.run("k", {1}, {threads}, {out});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  return rig.download<uint32_t>(out, threads);
}

TEST(Shfl, ReadsTheLaneOfItsSegmentAtEveryWidth) {
  for (uint32_t width = 2; width <= 32; width *= 2) {
    const auto got = run("  shfl.sync.down.b32 %r9, %r1, 1, " + std::to_string(((32 - width) << 8) | 31) + ", -1;\n");
    for (uint32_t i = 0; i < 32; ++i) {
      EXPECT_EQ(got[i], i % width + 1 < width ? i + 1 : i) << "width " << width << " lane " << i;
    }
  }
}

// A value written by one lane in a divergent branch must be seen by all lanes of the exchange behind it.
TEST(Shfl, SeesAValueWrittenOnADivergentPath) {
  const auto got = run(R"(
  mov.u32 %r8, 0;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra JOIN;
  mov.u32 %r8, 42;
JOIN:
  shfl.sync.idx.b32 %r9, %r8, 0, 31, -1;
)");
  EXPECT_EQ(got, std::vector<uint32_t>(32, 42));
}

// Both sides of a branch execute a shuffle of the whole warp, at different places of the program.
TEST(Shfl, LanesAtDifferentPlacesExchangeWhenTheirMaskIsTheSame) {
  const auto got = run(R"(
  setp.lt.u32 %p1, %r1, 16;
  @%p1 bra LOW;
  shfl.sync.bfly.b32 %r9, %r1, 16, 31, -1;
  bra JOIN;
LOW:
  shfl.sync.bfly.b32 %r9, %r1, 16, 31, -1;
JOIN:
)");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], i ^ 16);
  }
}

TEST(Vote, BallotAndAnyCountMemberLanesOnly) {
  const auto got = run(R"(
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p1, %r2, 1;
  vote.sync.ballot.b32 %r9, %p1, -1;
  vote.sync.any.pred %p2, !%p1, -1;
  @%p2 add.u32 %r9, %r9, 1;
)");
  EXPECT_EQ(got, std::vector<uint32_t>(32, 0xaaaaaaabu));
}

// The tiles of a warp vote in one instruction, each lane with the mask of its own tile.
TEST(Vote, EachMaskOfOneInstructionIsAVoteOfItsOwn) {
  const auto got = run(R"(
  and.b32 %r2, %r1, 24;
  shl.b32 %r3, 255, %r2;
  and.b32 %r4, %r1, 1;
  setp.eq.u32 %p1, %r4, 1;
  vote.sync.ballot.b32 %r9, %p1, %r3;
  setp.lt.u32 %p2, %r1, 8;
  vote.sync.all.pred %p3, %p2, %r3;
  @%p3 add.u32 %r9, %r9, 1;
)");
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], i < 8 ? 0xabu : 0xaau << (i & 24u)) << i;
  }
}

TEST(Barrier, ReleasesWhenAllWarpsHaveArrivedAndReduces) {
  const auto got = run(R"(
  setp.lt.u32 %p1, %r1, 40;
  bar.red.popc.u32 %r9, 0, %p1;
)",
                       96);
  EXPECT_EQ(got, std::vector<uint32_t>(96, 40));
}

// `if (t >= n) return;` jumps to the return that the other lanes reach behind the barrier: nobody waits there.
TEST(Barrier, DoesNotWaitForLanesThatReturnedEarly) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 70;
  @%p1 bra LEAVE;
  bar.sync 0;
  ld.param.u64 %rd1, [out];
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
LEAVE:
  ret;
})");
  const uint64_t out = rig.upload(std::vector<uint32_t>(128));
  const Grid& grid = rig.run("k", {1}, {128}, {out});
  EXPECT_FALSE(grid.trap().has_value());
  const auto got = rig.download<uint32_t>(out, 128);
  EXPECT_EQ(got[69], 69u);
  EXPECT_EQ(got[70], 0u);
}

TEST(Barrier, AWarpThatNeverArrivesIsADeadlockThatNamesThePlaces) {
  PtxRig rig(R"(
.visible .entry k() {
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra OTHER;
  bar.sync 0;
  ret;
OTHER:
  bar.sync 1;
  ret;
})");
  const Grid& grid = rig.run("k", {1}, {64});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_EQ(grid.trap()->kind, TrapKind::deadlock);
  EXPECT_NE(grid.trap()->message.find("test.ptx:11"), std::string::npos) << grid.trap()->message;
  EXPECT_NE(grid.trap()->message.find("test.ptx:14"), std::string::npos) << grid.trap()->message;
}

TEST(Call, PassesArgumentsAndRecursesPerLane) {
  PtxRig rig(R"(
.func (.param .b32 result) fact(.param .b32 n) {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  ld.param.u32 %r1, [n];
  setp.gt.u32 %p1, %r1, 1;
  @%p1 bra MORE;
  st.param.b32 [result], 1;
  ret;
MORE:
  add.u32 %r2, %r1, -1;
  {
    .param .b32 a;
    .param .b32 r;
    st.param.b32 [a], %r2;
    call.uni (r), fact, (a);
    ld.param.b32 %r3, [r];
  }
  mul.lo.u32 %r4, %r3, %r1;
  st.param.b32 [result], %r4;
  ret;
}
)" + std::string(kHead) +
             R"(
  and.b32 %r2, %r1, 7;
  {
    .param .b32 a;
    .param .b32 r;
    st.param.b32 [a], %r2;
    call.uni (r), fact, (a);
    ld.param.b32 %r9, [r];
  }
)" + kTail);
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  const uint32_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], factorial[i % 8]);
  }
}

TEST(Call, GoesWhereEachLanesFunctionPointerSays) {
  PtxRig rig(R"(
.func (.param .b32 r) one(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, 100; st.param.b32 [r], %r2; ret; }
.func (.param .b32 r) two(.param .b32 x) { .reg .b32 %r<3>; ld.param.b32 %r1, [x]; add.u32 %r2, %r1, 200; st.param.b32 [r], %r2; ret; }
.visible .global .align 8 .u64 table[2] = {one, two};
)" + std::string(kHead) +
             R"(
  and.b32 %r2, %r1, 1;
  mul.wide.u32 %rd4, %r2, 8;
  mov.u64 %rd5, table;
  add.s64 %rd5, %rd5, %rd4;
  ld.global.u64 %rd6, [%rd5];
  {
    .param .b32 a;
    .param .b32 r;
    st.param.b32 [a], %r1;
    prototype_0: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (r), %rd6, (a), prototype_0;
    ld.param.b32 %r9, [r];
  }
)" + kTail);
  const uint64_t out = rig.upload(std::vector<uint32_t>(32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  const auto got = rig.download<uint32_t>(out, 32);
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(got[i], i + (i % 2 == 0 ? 100 : 200));
  }
}

}  // namespace
}  // namespace hpml::sim::exec
