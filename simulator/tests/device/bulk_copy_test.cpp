// Does who waits for an mbarrier wait for the copies that it counts, and do bulk copies take what their bytes take?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "simulator/tests/device/devices.hpp"
#include "simulator/timing/gpu_spec.hpp"

namespace hpml::sim::device {
namespace {

const timing::GpuSpec& h100() {
  static const timing::GpuSpec spec =
      timing::load_gpu(std::string(HPML_SOURCE_DIR) + "/simulator/gpus/h100.toml").value();
  return spec;
}

struct Cycles {
  double body = 0, launch = 0;
};

// One block of one warp: `body` between two readings of the clock. %rd1: global memory, %r5: 32 KiB of shared memory,
// %p1: the first lane. L2 holds what is copied: the launch counted is the second.
Cycles measure(const std::string& body, const std::string& gpu = "h100", const std::string& target = "sm_90") {
  const std::string text = R"(
.visible .entry copies(.param .u64 data) {
  .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  .shared .align 128 .b8 buffer[32768];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r5, buffer;
  @%p1 mbarrier.init.shared.b64 [bar], 1;
  bar.sync 0;
  mov.u32 %r2, %clock;
)" + body + R"(
  mov.u32 %r3, %clock;
  sub.u32 %r4, %r3, %r2;
  st.global.u32 [%rd1], %r4;
  ret;
}
)";
  const auto device = make(options(Mode::cycle, gpu));
  const uint64_t data = device->memory().allocate(memory::Kind::device, 1 << 20);
  LaunchRequest request;
  request.kernel = load(*device, text, "copies", {}, target);
  request.block = {.x = 32};
  request.params = std::as_bytes(std::span(&data, 1));
  device->launch(request);
  const LaunchResult second = device->launch(request);
  EXPECT_FALSE(second.trap.has_value()) << second.trap->message;
  const auto launch = static_cast<double>(second.record.cycles);
  uint32_t cycles = 0;
  std::memcpy(&cycles, device->memory().find(data)->view, sizeof cycles);
  return {static_cast<double>(cycles), launch};
}

double body_cycles(const std::string& body) { return measure(body).body; }

std::string bulk(int bytes) {
  const std::string count = std::to_string(bytes);
  return "@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], " + count + ";\n" +
         "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd1], " + count +
         ", [bar];\n";
}
const std::string kWait = R"(
again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra again;
)";

TEST(BulkCopies, WhoWaitsForTheMbarrierWaitsForTheData) {
  const double started = body_cycles(bulk(128)), waited = body_cycles(bulk(128) + kWait);
  EXPECT_LT(started, 100);
  EXPECT_GT(waited, h100().l2.near_latency_cycles);
  EXPECT_LT(waited, h100().l2.far_latency_cycles + 150);
}

TEST(BulkCopies, EveryByteTakesItsTimeOnThePort) {
  const double further = body_cycles(bulk(32768) + kWait) - body_cycles(bulk(16384) + kWait);
  const double expected = 16384 / h100().l2.sm_port_bytes_per_cycle;
  EXPECT_NEAR(further, expected, 0.1 * expected);
}

TEST(BulkCopies, OfWritesOnlyTheEndOfTheKernelWaits) {
  const auto writes = [](int bytes) {
    return measure("@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+4096], [%r5], " + std::to_string(bytes) +
                   ";\ncp.async.bulk.commit_group;\n");
  };
  const Cycles few = writes(4096), many = writes(32768);
  const double packets = (32768 - 4096) / 128 * (1 + 4);  // of 32 bytes: a header for the four sectors of a line
  const double expected = packets * 32 / h100().l2.tpc_port_bytes_per_cycle;
  EXPECT_LT(many.body, 100);
  EXPECT_NEAR(many.launch - few.launch, expected, 0.05 * expected + 10);
}

// What a warp does between the start of its copies and the wait is free.
const std::string kCopies = R"(
  mov.u32 %r6, 0;
  shl.b32 %r7, %r1, 4;
  cvt.u64.u32 %rd4, %r7;
  add.u64 %rd5, %rd1, %rd4;
  add.u32 %r8, %r5, %r7;
  cp.async.cg.shared.global [%r8], [%rd5], 16;
  cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
)";

std::string work(int steps) {
  std::string out;
  for (int i = 0; i < steps; ++i) {
    out += "mad.lo.u32 %r6, %r6, %r6, %r1;\n";
  }
  return out;
}

TEST(AsynchronousCopies, AnArrivalOnTheirBehalfHoldsNobodyBackButWhoWaits) {
  const auto on_a100 = [](const std::string& body) {
    const std::string every_lane = "@%p1 mbarrier.init.shared.b64 [bar], 32;\n";
    return measure(every_lane + body, "a100", "sm_80").body;
  };
  const std::string poll = "again: mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0;\n@!%p2 bra again;\n";
  const double nothing = on_a100(work(40)), started = on_a100(kCopies + work(40)), waited = on_a100(kCopies + poll),
               both = on_a100(kCopies + work(40) + poll);
  EXPECT_LT(started - nothing, 60);
  EXPECT_GT(waited, 205);
  EXPECT_LT(both, std::max(nothing, waited) + 60);
}

}  // namespace
}  // namespace hpml::sim::device
