// Does a launch do and cost the same, whatever number of threads simulates it?
#include <gtest/gtest.h>

#include <cstring>

#include "simulator/tests/device/devices.hpp"

namespace hpml::sim::device {
namespace {

// Every warp draws tickets that all warps of the GPU compete for, adds them up in shared memory behind a barrier, reads
// a table, asks the clock and notes what it got: who comes first decides every number.
constexpr char kTickets[] = R"(
.visible .entry tickets(.param .u64 data) {
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<6>;
  .shared .align 4 .b32 sum;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  st.shared.u32 [sum], 0;
  bar.sync 0;
  mov.u32 %r5, 0;
DRAW:
  atom.global.add.u32 %r6, [%rd1], 1;
  atom.shared.add.u32 %r7, [sum], %r6;
  and.b32 %r8, %r6, 1023;
  mul.wide.u32 %rd2, %r8, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r9, [%rd3+64];
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p1, %r5, 6;
  @%p1 bra DRAW;
  bar.sync 0;
  ld.shared.u32 %r10, [sum];
  mov.u32 %r11, %clock;
  xor.b32 %r10, %r10, %r11;
  add.u32 %r10, %r10, %r9;
  mul.wide.u32 %rd4, %r4, 4;
  add.s64 %rd5, %rd1, %rd4;
  st.global.u32 [%rd5+64], %r10;
  ret;
})";

// Blocks 3, 9 and 20 go out of bounds, in the same cycle as far as they run alike.
constexpr char kStray[] = R"(
.visible .entry stray(.param .u64 data) {
  .reg .pred %p<4>; .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 3;
  setp.eq.or.u32 %p2, %r1, 9, %p1;
  setp.eq.or.u32 %p3, %r1, 20, %p2;
  selp.b64 %rd2, 1099511627776, 0, %p3;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ret;
})";

// Every block waits a time of its own, then asks the clock around a chain of 20 additions.
constexpr char kIntervals[] = R"(
.visible .entry intervals(.param .u64 data) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .f32 %f<2>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.s32 %r3, %r2, 96, %r1;
  mul.lo.s32 %r4, %r2, 7;
  rem.u32 %r4, %r4, 31;
WAIT:
  sub.u32 %r4, %r4, 1;
  setp.gt.s32 %p1, %r4, 0;
  @%p1 bra WAIT;
  cvt.rn.f32.u32 %f1, %r4;
  mov.u32 %r5, %clock;
)";
constexpr char kIntervalsEnd[] = R"(
  mov.u32 %r6, %clock;
  sub.u32 %r6, %r6, %r5;
  cvt.rzi.u32.f32 %r7, %f1;
  and.b32 %r7, %r7, 0;
  add.u32 %r6, %r6, %r7;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3+64], %r6;
  ret;
})";

constexpr uint32_t kBlocks = 90, kThreads = 96;

struct Outcome {
  std::vector<std::byte> memory;
  std::string record, trap;
  bool operator==(const Outcome&) const = default;
};

Outcome run(const char* text, const char* kernel, Mode mode, int threads) {
  const auto device = make(options(mode, "t4", threads));
  const uint64_t bytes = 64 + uint64_t{kBlocks} * kThreads * 4;
  const uint64_t data = device->memory().allocate(memory::Kind::device, bytes);
  std::byte* view = device->memory().find(data)->view;
  std::memset(view, 0, bytes);
  LaunchRequest request;
  request.kernel = load(*device, text, kernel);
  request.grid = {kBlocks, 1, 1};
  request.block = {kThreads, 1, 1};
  request.params = std::as_bytes(std::span(&data, 1));
  const LaunchResult result = device->launch(request);
  return {std::vector(view, view + bytes), to_text(result.record), result.trap ? result.trap->message : ""};
}

TEST(Threads, OfAnyNumberGiveTheSameMemoryCountersAndTime) {
  for (const Mode mode : {Mode::cycle, Mode::automatic}) {
    const Outcome alone = run(kTickets, "tickets", mode, 1);
    EXPECT_EQ(alone.trap, "");
    for (const int threads : {2, 3, 8}) {
      EXPECT_EQ(run(kTickets, "tickets", mode, threads), alone) << threads;
    }
  }
}

// Multiprocessors are simulated one ahead of the other; each shows its own time.
TEST(Threads, AClockMeasuresOnEveryMultiprocessorTheSame) {
  std::string text = kIntervals;
  for (int i = 0; i < 20; ++i) {
    text += "add.f32 %f1, %f1, 0f3F800000;\n";
  }
  const Outcome got = run((text + kIntervalsEnd).c_str(), "intervals", Mode::cycle, 2);
  ASSERT_EQ(got.trap, "");
  const uint32_t chain = 20 * 4;  // GPU file of the T4: an FP32 addition is ready after four cycles
  for (uint32_t block = 0; block < kBlocks; ++block) {
    uint32_t cycles = 0;
    std::memcpy(&cycles, got.memory.data() + 64 + size_t{block} * kThreads * 4, sizeof cycles);
    EXPECT_GE(cycles, chain) << block;
    EXPECT_LT(cycles, 3 * chain) << block << ": up to three warps share a scheduler";
  }
}

TEST(Threads, OfAnyNumberReportTheSameTrapOfSeveral) {
  const Outcome alone = run(kStray, "stray", Mode::cycle, 1);
  EXPECT_NE(alone.trap, "");
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(run(kStray, "stray", Mode::cycle, 3), alone);
  }
}

}  // namespace
}  // namespace hpml::sim::device
