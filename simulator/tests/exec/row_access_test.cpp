// Does the shortest way of loads and stores (row_access.cpp) do and count what stepping one instruction at a time does,
// while the addresses change from rows to anything else and back?
#include <gtest/gtest.h>

#include <cstring>

#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

struct Element {
  const char* suffix;     // of ld and st
  const char* registers;  // in braces where there are several
  uint64_t bytes;
};

// 64 iterations, eight of each pattern: a row (later two rows of half a warp), scattered lanes at places that the row
// has not come to, every second lane of a row, one address.
std::string program(const Element& e) {
  std::string text = R"(
.file 1 "rows.cu"
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<5>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<10>;
  .reg .b32 %a<4>;
  .reg .b64 %b<2>;
  .shared .align 16 .b8 tile[4096];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  and.b32 %r3, %r2, 24;
  add.s32 %r4, %r1, %r2;
  setp.ge.s32 %p1, %r2, 32;
  and.b32 %r5, %r1, 16;
  @%p1 add.s32 %r4, %r4, %r5;
  setp.eq.s32 %p2, %r3, 8;
  mad.lo.s32 %r6, %r1, 37, 12;
  and.b32 %r6, %r6, 127;
  @%p2 mov.u32 %r4, %r6;
  setp.eq.s32 %p3, %r3, 24;
  @%p3 mov.u32 %r4, %r2;
  and.b32 %r7, %r1, 1;
  setp.eq.s32 %p4, %r7, 0;
  setp.eq.s32 %p1, %r3, 16;
  and.pred %p4, %p4, %p1;
  mul.lo.s32 %r8, %r4, BYTES;
  cvt.u64.u32 %rd3, %r8;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r9, tile;
  add.s32 %r9, %r9, %r8;
  mad.lo.s32 %r10, %r2, 32, %r1;
  mul.lo.s32 %r10, %r10, BYTES;
  cvt.u64.u32 %rd5, %r10;
  add.s64 %rd6, %rd2, %rd5;
  .loc 1 7 0
  @!%p4 ld.global.SUFFIX VALUES, [%rd4];
  .loc 1 8 0
  @!%p4 st.shared.SUFFIX [%r9], VALUES;
  .loc 1 9 0
  @!%p4 ld.shared.SUFFIX VALUES, [%r9];
  .loc 1 10 0
  st.global.SUFFIX [%rd6], VALUES;
  add.s32 %r2, %r2, 1;
  setp.lt.s32 %p1, %r2, 64;
  @%p1 bra LOOP;
  ret;
}
)";
  const std::array<std::pair<std::string, std::string>, 3> words = {
      {{"SUFFIX", e.suffix}, {"VALUES", e.registers}, {"BYTES", std::to_string(e.bytes)}}};
  for (const auto& [word, value] : words) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      text.replace(at, word.size(), value);
    }
  }
  return text;
}

struct Outcome {
  std::vector<uint32_t> memory;
  Counters counters;
  std::vector<LineAccess> lines;
};

void step_all(Grid& grid) {
  Effects effects;
  for (int handle = grid.start_block(0); handle >= 0; handle = grid.start_block(0)) {
    while (grid.block(handle).warp(0).ready()) {
      grid.block(handle).warp(0).step(effects);
    }
    grid.retire(handle);
  }
}

Outcome outcome(const Element& e, bool stepped) {
  PtxRig rig(program(e));
  std::vector<uint32_t> in(4096), out(64 * 32 * e.bytes / 4);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<uint32_t>(i * 2654435761u);
  }
  const uint64_t from = rig.upload(in), to = rig.upload(out);
  Grid& grid = rig.prepare("k", {2}, {32}, {from, to});
  stepped ? step_all(grid) : grid.run_rest();
  EXPECT_FALSE(grid.trap().has_value());
  return {rig.download<uint32_t>(to, out.size()), grid.counters(), grid.line_accesses()};
}

class RowAccess : public testing::TestWithParam<Element> {};

TEST_P(RowAccess, DoesAndCountsWhatSteppingDoes) {
  const Outcome ran = outcome(GetParam(), false), stepped = outcome(GetParam(), true);
  EXPECT_EQ(ran.memory, stepped.memory);
  EXPECT_EQ(std::memcmp(&ran.counters, &stepped.counters, sizeof(Counters)), 0);
  ASSERT_EQ(ran.lines.size(), 4u);
  ASSERT_EQ(stepped.lines.size(), 4u);
  for (size_t i = 0; i < ran.lines.size(); ++i) {
    const AccessCounters &a = ran.lines[i].counters, &b = stepped.lines[i].counters;
    EXPECT_EQ(a.requests, b.requests) << i;
    EXPECT_EQ(a.parts, b.parts) << i;
    EXPECT_EQ(a.ideal_parts, b.ideal_parts) << i;
    EXPECT_EQ(a.stride.least, b.stride.least) << i;
    EXPECT_EQ(a.stride.most, b.stride.most) << i;
    EXPECT_EQ(a.conflict.lanes, b.conflict.lanes) << i;
    EXPECT_EQ(a.conflict.words, b.conflict.words) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, RowAccess,
                         testing::Values(Element{"u32", "%a0", 4}, Element{"u64", "%b0", 8},
                                         Element{"v2.u32", "{%a0, %a1}", 8},
                                         Element{"v4.u32", "{%a0, %a1, %a2, %a3}", 16},
                                         Element{"v2.u64", "{%b0, %b1}", 16}));

}  // namespace
}  // namespace hpml::sim::exec
