// Question: does an unrolled loop do what the loop says, however it counts, in every lane?
#include <fmt/format.h>

#include <limits>

#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr int kMostRounds = 600;  // the test gives no lane a start from which its loop runs longer

struct Count {
  std::string cmp, type;
  int64_t step = 0;
  int64_t bound = 0;
};

bool goes_on(const Count& count, uint32_t counter) {
  const auto compare = [&](auto a, auto b) {
    return count.cmp == "ne"   ? a != b
           : count.cmp == "lt" ? a < b
           : count.cmp == "le" ? a <= b
           : count.cmp == "gt" ? a > b
                               : a >= b;
  };
  const auto bound = static_cast<uint32_t>(count.bound);
  return count.type == "s32" ? compare(static_cast<int32_t>(counter), static_cast<int32_t>(bound))
                             : compare(counter, bound);
}

struct Result {
  uint32_t sum = 0, last = 0, counter = 0;
  int rounds = 0;
};

// What the kernel below does, in C++.
Result expected(const Count& count, uint32_t start, const std::vector<uint32_t>& table) {
  Result out{.sum = 1, .last = 7, .counter = start};
  size_t at = 0;
  do {
    const uint32_t read = table[at++ % table.size()];
    out.last = out.counter % 4 == 0 ? out.sum : out.last;
    out.sum = out.sum * 5 + (read ^ out.counter);
    out.counter += static_cast<uint32_t>(count.step);
    ++out.rounds;
  } while (out.rounds < kMostRounds && goes_on(count, out.counter));
  return out;
}

// The table is read through a pointer that grows; %r10 keeps its value in some lanes; %r11 is used in the round after.
std::string kernel(const Count& count) {
  return fmt::format(R"(
.visible .entry k(.param .u64 starts, .param .u64 table, .param .u64 out) {{
  .reg .pred %p<8>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [starts];
  ld.param.u64 %rd2, [table];
  ld.param.u64 %rd3, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd4, %r1, 4;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.u32 %r2, [%rd5];
  mul.wide.u32 %rd6, %r1, 12;
  add.s64 %rd7, %rd3, %rd6;
  mov.u32 %r9, 1;
  mov.u32 %r10, 7;
LOOP:
  ld.global.u32 %r3, [%rd2];
  and.b32 %r4, %r2, 3;
  setp.eq.u32 %p2, %r4, 0;
  @%p2 mov.u32 %r10, %r9;
  mul.lo.u32 %r5, %r9, 5;
  xor.b32 %r6, %r3, %r2;
  add.u32 %r9, %r5, %r6;
  add.s64 %rd2, %rd2, 4;
  add.s32 %r2, %r2, {};
  setp.{}.{} %p1, %r2, {};
  @%p1 bra LOOP;
  st.global.u32 [%rd7], %r9;
  st.global.u32 [%rd7+4], %r10;
  st.global.u32 [%rd7+8], %r2;
  ret;
}})",
                     count.step, count.cmp, count.type, count.bound);
}

class UnrolledLoop : public testing::TestWithParam<Count> {};

TEST_P(UnrolledLoop, DoesWhatTheLoopSays) {
  const Count& count = GetParam();
  std::vector<uint32_t> table(kMostRounds), starts;
  for (uint32_t i = 0; i < table.size(); ++i) {
    table[i] = i * 2654435761u;
  }
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();
  for (const int64_t from : {count.bound, int64_t{0}, kLeast, kMost}) {
    for (int64_t steps = -9; steps <= 9; ++steps) {
      for (const int64_t beside : {0, 1}) {
        const auto start = static_cast<uint32_t>(from - steps * count.step + beside);
        if (expected(count, start, table).rounds < kMostRounds) {
          starts.push_back(start);
        }
      }
    }
  }
  ASSERT_GT(starts.size(), 8u);
  PtxRig rig(kernel(count));
  const uint64_t out = rig.upload(std::vector<uint32_t>(starts.size() * 3));
  rig.run("k", {1}, {static_cast<uint32_t>(starts.size())}, {rig.upload(starts), rig.upload(table), out});
  const auto got = rig.download<uint32_t>(out, starts.size() * 3);
  for (size_t i = 0; i < starts.size(); ++i) {
    const Result want = expected(count, starts[i], table);
    EXPECT_EQ(got[3 * i], want.sum) << "start " << static_cast<int32_t>(starts[i]);
    EXPECT_EQ(got[3 * i + 1], want.last) << "start " << static_cast<int32_t>(starts[i]);
    EXPECT_EQ(got[3 * i + 2], want.counter) << "start " << static_cast<int32_t>(starts[i]);
  }
}

constexpr int64_t kLarge = int64_t{1} << 24;  // past the end of the type in 256 steps

INSTANTIATE_TEST_SUITE_P(Counts, UnrolledLoop,
                         testing::Values(Count{"ne", "s32", -1, 0}, Count{"ne", "u32", -4, 0},
                                         Count{"ne", "s32", 1, 100}, Count{"ne", "s32", 3, -7},
                                         Count{"ne", "s32", kLarge, 5}, Count{"lt", "s32", 1, 100},
                                         Count{"lt", "s32", kLarge, 2147483647}, Count{"le", "s32", 16, -3},
                                         Count{"lt", "u32", 5, 4000000000}, Count{"le", "u32", kLarge, 4026531840},
                                         Count{"gt", "s32", -1, 0}, Count{"gt", "s32", -kLarge, -2147483647},
                                         Count{"ge", "s32", -7, 100}, Count{"gt", "u32", -3, 10},
                                         Count{"ge", "u32", -kLarge, 1}));

}  // namespace
}  // namespace hpml::sim::exec
