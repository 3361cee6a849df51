// Lanes that return early: the lanes that wait at a barrier pass it without them, in every mode.
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "simulator/tests/device/devices.hpp"

namespace hpml::sim::device {
namespace {

// Threads from n on leave. The others meet three times; in between each reads what another has written. As compilers
// write it without optimisation: all lanes leave at one place, where those that come first wait for the rest of their
// warp.
constexpr char kLeaveEarly[] = R"(
.visible .entry leave_early(.param .u64 out, .param .u32 n) {
  .reg .pred %p<3>; .reg .b32 %r<16>; .reg .b64 %rd<4>;
  .shared .align 4 .b32 tile[128];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  setp.lt.s32 %p1, %r2, %r1;
  @%p1 bra STAY;
  bra.uni LEAVE;
STAY:
  shl.b32 %r3, %r2, 2;
  mov.u32 %r4, tile;
  add.u32 %r5, %r4, %r3;
  add.u32 %r6, %r2, 1;
  st.shared.u32 [%r5], %r6;
  bar.sync 0;
  sub.u32 %r7, %r1, %r6;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r4, %r7;
  ld.shared.u32 %r8, [%r7];
  bar.sync 0;
  shl.b32 %r9, %r8, 1;
  st.shared.u32 [%r5], %r9;
  bar.sync 0;
  rem.u32 %r10, %r6, %r1;
  shl.b32 %r10, %r10, 2;
  add.u32 %r10, %r4, %r10;
  ld.shared.u32 %r11, [%r10];
  add.u32 %r12, %r11, %r8;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r12;
  bra.uni LEAVE;
LEAVE:
  ret;
})";

constexpr uint32_t kThreads = 128;

class EarlyExit : public testing::TestWithParam<Mode> {};

TEST_P(EarlyExit, LetsTheOthersMeetWithoutThem) {
  const auto device = make(options(GetParam()));
  const KernelId kernel = load(*device, kLeaveEarly, "leave_early");
  const uint64_t out = device->memory().allocate(memory::Kind::device, kThreads * 4);
  const std::byte* view = device->memory().find(out)->view;
  for (const uint32_t n : {128u, 127u, 97u, 96u, 70u, 33u, 32u, 5u, 1u}) {
    const std::array<uint64_t, 2> arguments = {out, n};
    LaunchRequest request;
    request.kernel = kernel;
    request.grid = {1, 1, 1};
    request.block = {kThreads, 1, 1};
    request.params = std::as_bytes(std::span(arguments)).first(12);
    const LaunchResult result = device->launch(request);
    ASSERT_FALSE(result.trap) << n << " stay: " << result.trap->message;
    std::vector<uint32_t> got(n);
    std::memcpy(got.data(), view, n * 4);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t own = n - i, next = n - (i + 1) % n;
      ASSERT_EQ(got[i], own + 2 * next) << "element " << i << " where " << n << " stay";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, EarlyExit, testing::Values(Mode::functional, Mode::cycle, Mode::automatic));

}  // namespace
}  // namespace hpml::sim::device
