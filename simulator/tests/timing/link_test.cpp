// Question: do kernels reach memory at the other end of the host link at the link's latency and rate?
#include <gtest/gtest.h>

#include "simulator/tests/timing/bench.hpp"
#include "simulator/timing/host/apertures.hpp"
#include "simulator/timing/host/link_port.hpp"
#include "simulator/timing/host/unified_memory.hpp"

namespace hpml::sim::timing {
namespace {

using isa::Lat;

double gbs(const GpuSpec& spec, double bytes, uint64_t cycles) {
  return bytes / spec.cycles_to_ns(static_cast<double>(cycles));
}

TEST(LinkPort, AReadAloneTakesTheRoundTrip) {
  const GpuSpec spec = gpu("v100");
  LinkPort link(spec);
  const double us = spec.cycles_to_ns(static_cast<double>(link.read(Cycle{1000}, 1))) / 1000;
  EXPECT_NEAR(us, spec.host_link.access_us, 0.002);
}

// Rate of many reads at once: the link's, or what the window lets through in a round trip.
double read_rate(const GpuSpec& spec, int sectors, int reads = 20'000) {
  LinkPort link(spec);
  uint64_t last = 0;
  for (int i = 0; i < reads; ++i) {
    last = std::max(last, link.read(Cycle{0}, sectors));
  }
  return gbs(spec, 32.0 * sectors * reads, last);
}

TEST(LinkPort, WholeLinesFillTheLinkAndSingleSectorsTheWindow) {
  const GpuSpec spec = gpu("v100");
  const double window = spec.host_link.reads_in_flight * 32.0 / (spec.host_link.access_us * 1000);
  for (const int sectors : {1, 2, 4}) {
    const double expected = std::min(spec.host_link.pinned_h2d_gbs, window * sectors);
    const double rate = read_rate(spec, sectors);
    std::printf("%3d bytes: expected %5.2f GB/s, measured %5.2f (%+.1f %%)\n", 32 * sectors, expected, rate,
                100 * (rate / expected - 1));
    EXPECT_NEAR(rate, expected, 0.03 * expected);
  }
  EXPECT_NEAR(read_rate(spec, 1), 4.74, 0.1);  // EMOGI
}

TEST(LinkPort, WritesAreTakenUntilTheBacklogIsFull) {
  const GpuSpec spec = gpu("v100");
  LinkPort link(spec);
  uint64_t sectors = 0;
  for (; link.can_send(Cycle{0}); ++sectors) {
    link.write(Cycle{0}, 1);
  }
  EXPECT_NEAR(gbs(spec, 32.0 * static_cast<double>(sectors), spec.host_link.write_backlog_cycles),
              spec.host_link.pinned_d2h_gbs, 0.2);
  EXPECT_GT(link.accepts_at(), Cycle{0});
  EXPECT_TRUE(link.can_send(link.accepts_at()));
}

class Link : public testing::Test {
 protected:
  Link()
      : memory_((memory::AddressSpace::create(1 << 30)).value()),
        pages_(bench_.spec, memory_->managed_base(), memory::kRegionBytes),
        apertures_(*memory_, pages_) {
    bench_.engine->attach(&apertures_);
  }
  // Each warp of many blocks reads a line of its own, from `first` on.
  RunResult read_lines(uint64_t first) {
    constexpr uint64_t kBlocks = 640;
    FakeProgram program;
    for (uint64_t i = 0; i < 4; ++i) {
      program.push_back(load(
          static_cast<ir::RegId>(i), 200,
          [=](uint64_t b, int w) { return first + i * kBlocks * 8 + b * 8 + uint64_t(w); }, 4));
    }
    return bench_.run(program, kBlocks, 8);
  }
  double rate(const RunResult& run) const { return 640 * 8 * 4 * 128.0 / bench_.spec.cycles_to_ns(run.cycles); }
  Bench bench_{"v100"};
  std::unique_ptr<memory::AddressSpace> memory_;
  UnifiedMemory pages_;
  Apertures apertures_;
};

TEST_F(Link, PinnedMemoryIsReadAtTheLinksRateAndNotFromDram) {
  const uint64_t pinned = memory_->allocate(memory::Kind::pinned, 4 << 20);
  const RunResult run = read_lines(pinned / 128);
  EXPECT_NEAR(rate(run), bench_.spec.host_link.pinned_h2d_gbs, 0.1 * bench_.spec.host_link.pinned_h2d_gbs);
  EXPECT_EQ(run.counters.link_read_sectors, 640u * 8 * 4 * 4);
  EXPECT_EQ(run.counters.dram_read_sectors, 0u);
  EXPECT_GT(rate(read_lines(memory_->allocate(memory::Kind::device, 4 << 20) / 128)), 200);
}

TEST_F(Link, NothingOfItIsKeptForTheNextKernel) {
  const uint64_t pinned = memory_->allocate(memory::Kind::pinned, 4 << 20);
  EXPECT_EQ(read_lines(pinned / 128).counters.link_read_sectors, read_lines(pinned / 128).counters.link_read_sectors);
}

TEST_F(Link, AKernelsWritesAreOverWhenTheyHaveLeft) {
  const uint64_t pinned = memory_->allocate(memory::Kind::pinned, 1 << 20);
  const FakeProgram program{store(1, [=](uint64_t b, int w) { return pinned / 128 + b * 8 + uint64_t(w); })};
  const RunResult run = bench_.run(program, 640, 8);
  EXPECT_EQ(run.counters.link_write_sectors, 640u * 8 * 4);
  EXPECT_EQ(run.counters.dram_write_sectors, 0u);
  const double gbs = 640 * 8 * 128.0 / bench_.spec.cycles_to_ns(run.cycles);
  EXPECT_NEAR(gbs, bench_.spec.host_link.pinned_d2h_gbs, 0.1 * bench_.spec.host_link.pinned_d2h_gbs);
}

TEST_F(Link, ManagedPagesThatStayOnTheHostAreReadOverIt) {
  const uint64_t managed = memory_->allocate(memory::Kind::managed, 4 << 20);
  pages_.allocated(managed, 4 << 20);
  pages_.host_fault(managed, true);
  EXPECT_FALSE(apertures_.over_link(managed / 128));
  pages_.advise(managed, 4 << 20, memory::Advice::accessed, true);
  EXPECT_TRUE(apertures_.over_link(managed / 128));
  EXPECT_FALSE(apertures_.over_link((managed + (1 << 20)) / 128)) << "nobody has touched it";
}

TEST_F(Link, RegisteredMemoryIsSeenWhereTheSystemsChoiceDoesNotMatter) {
  alignas(4096) static char buffer[3 * 4096];
  ASSERT_TRUE(memory_->register_host(buffer + 40, 5000));
  const uint64_t line = reinterpret_cast<uint64_t>(buffer) / 128;
  EXPECT_EQ(apertures_.place(line), memory::kRegisteredBase / 128);
  EXPECT_EQ(apertures_.place(line + 39), memory::kRegisteredBase / 128 + 39);
  EXPECT_EQ(apertures_.place(line + 40), line + 40) << "beyond its end";
  EXPECT_TRUE(apertures_.over_link(apertures_.place(line)));
}

}  // namespace
}  // namespace hpml::sim::timing
