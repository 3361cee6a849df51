// Question: does an access wait for the translation of its address as long as the nearest TLB that has its page takes,
// and does a kernel feel exactly that?
#include "simulator/timing/cache/tlb.hpp"

#include <gtest/gtest.h>

#include "simulator/tests/timing/bench.hpp"
#include "simulator/timing/gpu/memory_system.hpp"

namespace hpml::sim::timing {
namespace {

// Lines in a page of an SM's TLB, and of the shared one.
uint64_t page_lines(const GpuSpec& spec) { return spec.tlb.l1_page_kib * uint64_t{1024} / 128; }
uint64_t shared_page_lines(const GpuSpec& spec) { return spec.tlb.l2_page_kib * uint64_t{1024} / 128; }
uint64_t own_pages(const GpuSpec& spec) { return spec.tlb.l1_reach_mib * uint64_t{1024} / spec.tlb.l1_page_kib; }

std::vector<GpuSpec> gpus_with_tlbs() {
  std::vector<GpuSpec> specs;
  for (const std::string& key : all_gpus()) {
    if (gpu(key).tlb.l1_reach_mib > 0) {
      specs.push_back(gpu(key));
    }
  }
  return specs;
}

TEST(Translation, TheNearestTlbThatHasThePageSetsTheDelay) {
  for (const GpuSpec& spec : gpus_with_tlbs()) {
    const std::string& key = spec.identity.key;
    Translation tlbs(spec);
    EXPECT_EQ(tlbs.delay(0, 0, Cycle{0}), spec.tlb.walk_cycles) << key << ": nobody has it";
    EXPECT_EQ(tlbs.delay(0, page_lines(spec) - 1, Cycle{10000}), 0u) << key << ": the same page";
    EXPECT_EQ(tlbs.delay(1, 0, Cycle{10000}), spec.tlb.l2_hit_cycles) << key << ": another SM's TLB";
    EXPECT_EQ(tlbs.delay(0, shared_page_lines(spec) - 1, Cycle{10000}), spec.tlb.l2_hit_cycles)
        << key << ": another page of the SM's TLB, the same of the shared one";
    EXPECT_EQ(tlbs.delay(0, shared_page_lines(spec), Cycle{10000}), spec.tlb.walk_cycles) << key;
  }
}

TEST(Translation, WhoComesForAPageOnItsWayWaitsForTheRestOfIt) {
  const GpuSpec spec = gpu("v100");
  Translation tlbs(spec);
  tlbs.delay(0, 0, Cycle{1000});
  EXPECT_EQ(tlbs.delay(0, 1, Cycle{1100}), spec.tlb.walk_cycles - 100u);
  EXPECT_EQ(tlbs.delay(1, 2, Cycle{1100}), spec.tlb.walk_cycles - 100u) << "another SM, the same walk";
  EXPECT_EQ(tlbs.delay(0, 3, Cycle{1000 + spec.tlb.walk_cycles}), 0u);
}

TEST(Translation, AnSmKeepsAsManyPagesAsItReachesAndNoMore) {
  for (const GpuSpec& spec : gpus_with_tlbs()) {
    const std::string& key = spec.identity.key;
    Translation tlbs(spec);
    uint64_t clock = 0;
    const auto walk = [&](uint64_t pages) {
      uint64_t waited = 0;
      for (uint64_t page = 0; page < pages; ++page) {
        clock += 10000;
        waited += tlbs.delay(0, page * page_lines(spec), Cycle{clock});
      }
      return waited;
    };
    walk(own_pages(spec));
    EXPECT_EQ(walk(own_pages(spec)), 0u) << key;
    walk(own_pages(spec) + 1);
    EXPECT_EQ(walk(own_pages(spec) + 1), (own_pages(spec) + 1) * spec.tlb.l2_hit_cycles)
        << key << ": in turn, the least recently used is always the next";
  }
}

TEST(Translation, WithoutReachTakesNoTime) {
  Translation tlbs(without_tlb("v100"));
  EXPECT_EQ(tlbs.delay(0, 0, Cycle{0}), 0u);
}

// Loads that wait for each other, each from a page that nobody has seen, or all from one.
double chase_cycles(Bench& bench, int loads, uint64_t first, uint64_t apart) {
  FakeProgram program;
  for (int i = 0; i < loads; ++i) {
    program.push_back(load(1, 1, [=](uint64_t, int) { return first + uint64_t(i) * apart; }));
  }
  program.push_back(op(isa::Lat::fp32, 2, 1));
  return bench.run(program).cycles;
}

// Jia et al.: a cold access takes 1,029 cycles on a V100, 616 on a T4.
TEST(Translation, AColdChaseCostsDramAndAWalkPerPage) {
  for (const auto& [key, cold] : std::vector<std::pair<std::string, double>>{{"v100", 1029}, {"t4", 616}}) {
    Bench bench(key);
    const uint64_t page = shared_page_lines(bench.spec);
    const double one = chase_cycles(bench, 1, 0, page);
    EXPECT_DOUBLE_EQ((chase_cycles(bench, 9, 16 * page, page) - one) / 8, cold) << key;
  }
}

TEST(Translation, TheNextKernelFindsThePagesOfTheOneBefore) {
  Bench bench("v100");
  const double cold = chase_cycles(bench, 1, 0, 0);
  const double again = chase_cycles(bench, 1, 9, 0);  // another line
  EXPECT_DOUBLE_EQ(cold - again, bench.spec.tlb.walk_cycles);
}

TEST(Translation, ManyWarpsOnOnePageWaitForOneWalk) {
  Bench with("v100"), without(without_tlb("v100"));
  const FakeProgram program{load(1, 9, [](uint64_t b, int w) { return b * 32 + uint64_t(w); }),
                            op(isa::Lat::fp32, 2, 1)};
  const double longer = with.run(program, 160, 32).cycles - without.run(program, 160, 32).cycles;
  EXPECT_GT(longer, 0.5 * with.spec.tlb.walk_cycles);
  EXPECT_LT(longer, 1.1 * with.spec.tlb.walk_cycles);
}

TEST(Translation, WhatPassesUntimedIsTranslatedAfterwards) {
  const GpuSpec spec = gpu("v100");
  const auto first_reply = [&](bool passed) {
    MemorySystem memory(spec);
    memory.start_kernel(Cycle{0});
    if (passed) {
      memory.warm({.line = 1, .sm = 3, .sectors = 1});
    }
    const Cycle sent{100000};
    memory.port(3).out.send({.line = 9, .sm = 3, .sectors = 1}, sent, 0);
    memory.sent(3);
    for (Cycle now = sent; memory.port(3).in.next_ready() == kNever; now = later(memory.next_event(), now + 1)) {
      memory.tick(now);
    }
    return memory.port(3).in.next_ready() - sent;
  };
  EXPECT_EQ(first_reply(false) - first_reply(true), spec.tlb.walk_cycles);
}

}  // namespace
}  // namespace hpml::sim::timing
