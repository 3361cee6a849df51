// Which launches would do again what they did before? Those that are not executed must leave what execution leaves.
#include "simulator/device/repeated_launches.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "simulator/tests/device/devices.hpp"

namespace hpml::sim::device {
namespace {

constexpr uint64_t kBytes = 4096, kInstructions = 1'000'000;

struct Rig {
  std::unique_ptr<memory::AddressSpace> memory = std::move(memory::AddressSpace::create(1 << 30)).value();
  RepeatedLaunches repeated;
  LaunchRequest request{.kernel = 1, .grid = {10, 1, 1}, .block = {64, 1, 1}, .params = {}};

  const memory::Allocation& allocate(memory::Kind kind = memory::Kind::device, uint64_t bytes = kBytes) {
    const memory::Allocation& out = *memory->find(memory->allocate(kind, bytes));
    std::memset(out.view, 1, std::min(bytes, kBytes));
    return out;
  }
  void executed(const exec::Touched& touched, double cycles = 7, uint64_t instructions = kInstructions) {
    LaunchOutcome outcome;
    outcome.cycles = cycles;
    outcome.counters.warp_instructions = instructions;
    repeated.remember(request, touched, repeated.find(request, *memory), outcome);
  }
  const RepeatedLaunches::Known* find() { return repeated.find(request, *memory); }
};

exec::Touched reads_and_writes(const memory::Allocation& in, const memory::Allocation& out) {
  exec::Touched touched;
  touched.add(in, true, false);
  touched.add(out, false, true);
  return touched;
}

TEST(RepeatedLaunches, ALaunchOnUnchangedMemoryIsKnownAndCounted) {
  Rig rig;
  EXPECT_EQ(rig.find(), nullptr);
  const auto touched = reads_and_writes(rig.allocate(), rig.allocate());
  rig.executed(touched, 5);
  ASSERT_NE(rig.find(), nullptr);
  EXPECT_EQ(rig.find()->times, 1);
  rig.executed(touched, 6);
  EXPECT_EQ(rig.find()->times, 2);
  EXPECT_EQ(rig.find()->outcome.cycles, 6);
}

TEST(RepeatedLaunches, OneOtherByteInWhatItReadsOrWroteMakesItUnknown) {
  for (const bool input : {true, false}) {
    Rig rig;
    const memory::Allocation &in = rig.allocate(), &out = rig.allocate();
    rig.executed(reads_and_writes(in, out));
    (input ? in : out).view[kBytes - 1] = std::byte{2};
    EXPECT_EQ(rig.find(), nullptr) << (input ? "input" : "output");
  }
}

TEST(RepeatedLaunches, FreedMemoryMakesItUnknown) {
  Rig rig;
  const memory::Allocation &in = rig.allocate(), &out = rig.allocate();
  const uint64_t base = in.base;
  rig.executed(reads_and_writes(in, out));
  rig.memory->free(base, memory::Kind::device);
  EXPECT_EQ(rig.find(), nullptr);
}

TEST(RepeatedLaunches, OtherParametersAreAnotherLaunch) {
  Rig rig;
  rig.executed(reads_and_writes(rig.allocate(), rig.allocate()));
  const std::array<std::byte, 4> params{};
  rig.request.params = params;
  EXPECT_EQ(rig.find(), nullptr);
}

TEST(RepeatedLaunches, WhoReadsWhatItWritesIsNeverKnown) {
  Rig rig;
  exec::Touched touched;
  touched.add(rig.allocate(), true, true);
  rig.executed(touched);
  EXPECT_EQ(rig.find(), nullptr);
}

TEST(RepeatedLaunches, MemoryOfTheHostIsNeverKnown) {
  for (const memory::Kind kind : {memory::Kind::pinned, memory::Kind::managed}) {
    Rig rig;
    rig.executed(reads_and_writes(rig.allocate(kind), rig.allocate()));
    EXPECT_EQ(rig.find(), nullptr) << memory::name(kind);
  }
}

TEST(RepeatedLaunches, WhoDidMoreThanTouchAllocationsIsNeverKnown) {
  Rig rig;
  auto touched = reads_and_writes(rig.allocate(), rig.allocate());
  touched.complete = false;
  rig.executed(touched);
  EXPECT_EQ(rig.find(), nullptr);
}

TEST(RepeatedLaunches, AShortLaunchOnMuchMemoryIsNotWorthComparing) {
  Rig rig;
  rig.executed(reads_and_writes(rig.allocate(memory::Kind::device, 1 << 20), rig.allocate()), 7, 100);
  EXPECT_EQ(rig.find(), nullptr);
}

TEST(RepeatedLaunches, AKernelOnOtherDataEveryTimeIsGivenUp) {
  Rig rig;
  const memory::Allocation &in = rig.allocate(), &out = rig.allocate();
  for (int i = 0; i < 20; ++i) {
    in.view[0] = static_cast<std::byte>(i);
    rig.executed(reads_and_writes(in, out));
  }
  EXPECT_EQ(rig.find(), nullptr);  // though nothing has changed since
}

// y = 2 x, n elements in blocks of 256
const char* const kTwice = R"(
.visible .entry twice(.param .u64 x, .param .u64 y)
{
  .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mul.wide.s32 %rd5, %r5, 4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  ld.global.f32 %f1, [%rd6];
  add.f32 %f3, %f1, %f1;
  st.global.f32 [%rd7], %f3;
  ret;
}
)";

class Repeating : public testing::TestWithParam<Mode> {
 protected:
  static constexpr uint32_t kCount = 1 << 16;
  struct Arguments {
    uint64_t x, y;
  };

  void SetUp() override {
    device_ = make(options(GetParam()));
    kernel_ = load(*device_, kTwice, "twice");
    arguments_ = {.x = device_->memory().allocate(memory::Kind::device, kCount * 4),
                  .y = device_->memory().allocate(memory::Kind::device, kCount * 4)};
  }
  float* view(uint64_t address) { return reinterpret_cast<float*>(device_->memory().find(address)->view); }
  LaunchResult launch() {
    LaunchRequest request;
    request.kernel = kernel_;
    request.grid = {kCount / 256, 1, 1};
    request.block = {256, 1, 1};
    request.params = std::as_bytes(std::span(&arguments_, 1));
    return device_->launch(request);
  }

  std::unique_ptr<Device> device_;
  KernelId kernel_ = -1;
  Arguments arguments_{};
};

TEST_P(Repeating, EveryLaunchLeavesTwiceItsInputWhateverTheHostWroteBetween) {
  for (int i = 0; i < 6; ++i) {
    if (i % 2 == 0) {
      std::fill_n(view(arguments_.x), kCount, static_cast<float>(i));
    } else {
      view(arguments_.y)[kCount - 1] = -1;
    }
    launch();
    EXPECT_EQ(view(arguments_.y)[0], 2.0f * static_cast<float>(i / 2 * 2));
    EXPECT_EQ(view(arguments_.y)[kCount - 1], view(arguments_.y)[0]);
  }
}

TEST_P(Repeating, ALaunchThatIsNotExecutedHasTheCountersAndTheTimeOfOneThatIs) {
  launch();
  const LaunchResult executed = launch(), repeated = launch();
  EXPECT_NEAR(static_cast<double>(repeated.duration), static_cast<double>(executed.duration),
              0.01 * static_cast<double>(executed.duration));
  EXPECT_EQ(repeated.record.warp_instructions, executed.record.warp_instructions);
  EXPECT_TRUE(repeated.record.lines == executed.record.lines);
  if (GetParam() == Mode::automatic) {
    EXPECT_EQ(repeated.record.sampled_fraction, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Repeating, testing::Values(Mode::automatic, Mode::cycle, Mode::functional),
                         [](const auto& info) {
                           return std::string(info.param == Mode::automatic ? "automatic"
                                              : info.param == Mode::cycle   ? "cycle"
                                                                            : "functional");
                         });

}  // namespace
}  // namespace hpml::sim::device
