// Does a warp wait for what an atomic operation returns, and only for that?
#include <gtest/gtest.h>

#include "simulator/tests/device/devices.hpp"
#include "simulator/tests/device/t4.hpp"

namespace hpml::sim::device {
namespace {

constexpr int kTimes = 64;

// Cycles of one of kTimes times the instruction; %r1 is what it adds, %rd1 a word of global memory.
double cycles_of(const std::string& instruction) {
  const auto cycles = [&](int times) {
    std::string body = R"(
.visible .entry repeat(.param .u64 data) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  .shared .align 4 .b32 word;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, 1;
  st.shared.u32 [word], %r1;
)";
    for (int i = 0; i < times; ++i) {
      body += instruction + "\n";
    }
    body += "st.global.u32 [%rd1+64], %r1;\nret;\n}";
    const auto device = make(options(Mode::cycle));
    const uint64_t data = device->memory().allocate(memory::Kind::device, 1024);
    LaunchRequest request;
    request.kernel = load(*device, body, "repeat");
    request.params = std::as_bytes(std::span(&data, 1));
    device->launch(request);  // L2 has the line from here on
    return static_cast<double>(device->launch(request).record.cycles);
  };
  return (cycles(2 * kTimes) - cycles(kTimes)) / kTimes;
}

TEST(Atomics, AChainWaitsForEachRoundTripToL2) {
  const double round_trip = t4().l2.near_latency_cycles + t4().of(isa::Lat::atom_global).latency;
  EXPECT_NEAR(cycles_of("atom.global.add.u32 %r1, [%rd1], %r1;"), round_trip, 0.1 * round_trip);
  EXPECT_NEAR(cycles_of("atom.global.cas.b32 %r1, [%rd1], %r1, 5;"), round_trip, 0.1 * round_trip);
}

TEST(Atomics, WhatNobodyReadsIsNotWaitedFor) {
  const double reduction = cycles_of("red.global.add.u32 [%rd1], %r1;");
  EXPECT_LT(reduction, 20);
  EXPECT_DOUBLE_EQ(cycles_of("atom.global.add.u32 %r2, [%rd1], %r1;"), reduction);
}

TEST(Atomics, AChainInSharedMemoryTakesAnAccessAndTheUnit) {
  const double chain = t4().of(isa::Lat::ld_shared).latency + t4().of(isa::Lat::atom_shared).latency;
  EXPECT_NEAR(cycles_of("atom.shared.add.u32 %r1, [word], %r1;"), chain, 0.1 * chain);
}

}  // namespace
}  // namespace hpml::sim::device
