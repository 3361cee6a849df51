// Does a grid that is stepped do what run_rest() does, whatever the steps? Does it stop where it should?
#include "simulator/exec/stepper.hpp"

#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// Races on purpose: what block order and the turns of warps decide shows in the result. Divergence, a loop, a barrier,
// a call, shared and global memory, an atomic.
constexpr const char* kRacy = R"(
.global .u32 ticket;
.func (.reg .u32 %out) twist(.reg .u32 %in)
{
  .reg .pred %p<2>;
  .reg .u32 %r<4>;
  and.b32 %r1, %in, 3;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  mad.lo.u32 %out, %in, 3, 1;
  ret;
EVEN:
  shr.u32 %out, %in, 2;
  ret;
}
.entry racy(.param .u64 p_out, .param .u64 p_rounds)
{
  .reg .pred %p<4>;
  .reg .u32 %r<16>;
  .reg .u64 %rd<8>;
  .shared .u32 tile[256];
  ld.param.u64 %rd1, [p_out];
  ld.param.u32 %r10, [p_rounds];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, 0;
  mad.lo.u32 %r4, %r2, 7, %r1;
LOOP:
  call (%r4), twist, (%r4);
  atom.global.add.u32 %r5, [ticket], 1;
  add.u32 %r4, %r4, %r5;
  and.b32 %r6, %r1, %r3;
  setp.ne.u32 %p1, %r6, 0;
  @%p1 bra SKIP;
  xor.b32 %r4, %r4, 0x55;
SKIP:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, %r10;
  @%p2 bra LOOP;
  shl.b32 %r7, %r1, 2;
  mov.u32 %r8, tile;
  add.u32 %r8, %r8, %r7;
  st.shared.u32 [%r8], %r4;
  bar.sync 0;
  mov.u32 %r9, tile;
  ld.shared.u32 %r11, [%r9+128];
  add.u32 %r4, %r4, %r11;
  mul.wide.u32 %rd2, %r7, 1;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
)";

struct Outcome2 {
  std::vector<uint32_t> memory;
  Counters counters;
};

constexpr Extent kBlocks{6, 1, 1}, kThreads{96, 1, 1};
constexpr uint64_t kRounds = 2500;  // several turns for every warp

Outcome2 plain() {
  PtxRig rig(kRacy);
  const uint64_t out = rig.upload(std::vector<uint32_t>(256));
  Grid& grid = rig.run("racy", kBlocks, kThreads, {out, kRounds});
  EXPECT_FALSE(grid.trap().has_value());
  return {rig.download<uint32_t>(out, 256), grid.counters()};
}

template <class Drive>
Outcome2 stepped(Drive drive) {
  PtxRig rig(kRacy);
  const uint64_t out = rig.upload(std::vector<uint32_t>(256));
  Grid& grid = rig.prepare("racy", kBlocks, kThreads, {out, kRounds});
  const auto stepper = Stepper::create(grid, const_cast<ir::Module&>(rig.module()));
  drive(*stepper);
  EXPECT_FALSE(stepper->next().has_value());
  return {rig.download<uint32_t>(out, 256), grid.counters()};
}

void expect_same(const Outcome2& a, const Outcome2& b) {
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.counters.warp_instructions, b.counters.warp_instructions);
  EXPECT_EQ(a.counters.thread_instructions, b.counters.thread_instructions);
  EXPECT_EQ(a.counters.divergent_branches, b.counters.divergent_branches);
  EXPECT_EQ(a.counters.global_st.sectors, b.counters.global_st.sectors);
  EXPECT_EQ(a.counters.shared_ld.wavefronts, b.counters.shared_ld.wavefronts);
}

void run_out(Stepper& stepper) {
  while (stepper.run({}) != Stepper::Stop::end) {
  }
}

TEST(Stepper, RunsAsRunRestDoes) { expect_same(plain(), stepped(run_out)); }

TEST(Stepper, GivesTheSameInOddPieces) {
  expect_same(plain(), stepped([](Stepper& stepper) {
                uint64_t piece = 1;
                while (stepper.run({.position = stepper.position() + piece}) != Stepper::Stop::end) {
                  piece = piece * 7 % 1009;
                }
              }));
}

TEST(Stepper, GivesTheSameInstructionByInstruction) {
  expect_same(plain(), stepped([](Stepper& stepper) {
                Effects effects;
                while (stepper.next()) {
                  stepper.step(effects);
                }
              }));
}

TEST(Stepper, GivesTheSameWithStopsEverywhereAndAnObserver) {
  class Watcher final : public Observer {
   public:
    bool lenient() const override { return true; }
    void block_started(const ObservedBlock&) override {}
    isa::LaneMask access(const ObservedAccess& access) override {
      ++accesses;
      return access.active;
    }
    void written(int, isa::Space, uint64_t, uint64_t) override {}
    void barrier_arrived(const ObservedGroup&, uint32_t, bool, bool) override {}
    void barrier_opens(int, int, std::span<const ObservedGroup>, bool) override {}
    void warp_synced(std::span<const ObservedGroup>, isa::LaneMask, const std::array<isa::LaneMask, 32>&) override {}
    void deadlocked(std::span<const ObservedGroup>) override {}
    int accesses = 0;
  };
  Watcher watcher;
  expect_same(plain(), stepped([&](Stepper& stepper) {
                std::vector<CodePlace> stops;
                for (ir::Pc pc = 0; pc < 20; ++pc) {
                  stops.push_back({0, pc});
                  stops.push_back({1, pc % 6});
                }
                stepper.set_stops(stops);
                stepper.observe(&watcher);
                run_out(stepper);
                stepper.observe(nullptr);
              }));
  EXPECT_GT(watcher.accesses, 0);
}

TEST(Stepper, StopsInFrontOfEveryExecutionOfAPlace) {
  int stops = 0;
  stepped([&](Stepper& stepper) {
    const auto is_atomic = [](const ir::Inst& inst) { return inst.mem == isa::Mem::atom; };
    while (stepper.next() && !is_atomic(stepper.next()->inst())) {
      Effects effects;
      stepper.step(effects);
    }
    stepper.set_stops({stepper.next()->place});
    stops = 1;
    while (stepper.run({}) == Stepper::Stop::at_stop) {
      EXPECT_TRUE(is_atomic(stepper.next()->inst()));
      ++stops;
    }
  });
  EXPECT_EQ(stops, static_cast<int>(kRounds * 6 * 3));  // all lanes of a warp together
}

TEST(Stepper, StopsInFrontOfEveryInstructionOfOneWarp) {
  stepped([&](Stepper& stepper) {
    const WarpRef warp = stepper.next()->warp;
    uint64_t last = stepper.position();
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(stepper.run({.each = warp}), Stepper::Stop::each);
      EXPECT_EQ(stepper.next()->warp, warp);
      EXPECT_GT(stepper.position(), last);
      last = stepper.position();
    }
    run_out(stepper);
  });
}

TEST(Stepper, ShowsCallsRegistersAndSharedMemory) {
  stepped([&](Stepper& stepper) {
    while (stepper.next()->depth == 0) {
      Effects effects;
      stepper.step(effects);
    }
    const NextInst next = *stepper.next();
    const auto groups = stepper.groups(next.warp);
    ASSERT_EQ(groups.front().calls.size(), 2U);
    EXPECT_EQ(groups.front().calls[0].function->name, "twist");
    EXPECT_EQ(groups.front().calls[1].function->name, "racy");
    EXPECT_NE(groups.front().calls[0].registers, nullptr);
    ASSERT_EQ(stepper.blocks().size(), 1U);
    EXPECT_EQ(stepper.blocks()[0].shared.size(), 1024U);
    EXPECT_EQ(stepper.live_lanes(next.warp), isa::kFullMask);
    run_out(stepper);
  });
}

TEST(Stepper, StandsAtTheFaultThatEndsAGrid) {
  PtxRig rig(".entry bad() {\n .reg .u64 %rd<2>;\n mov.u64 %rd1, 64;\n st.global.u32 [%rd1], 1;\n ret;\n}\n");
  Grid& grid = rig.prepare("bad", {1, 1, 1}, {32, 1, 1});
  const auto stepper = Stepper::create(grid, const_cast<ir::Module&>(rig.module()));
  EXPECT_EQ(stepper->run({}), Stepper::Stop::end);
  ASSERT_TRUE(stepper->trap().has_value());
  EXPECT_EQ(stepper->last(), (WarpRef{0, 0}));
  EXPECT_EQ(stepper->groups(stepper->last()).front().calls.front().place.pc, 1U);
}

}  // namespace
}  // namespace hpml::sim::exec
