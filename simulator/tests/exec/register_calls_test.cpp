// Calls whose arguments and results are registers or constants (PTX ISA 9.0, 7.1 and 9.7.12.6).
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr const char* kCalls = R"(
.func (.reg .b32 r, .reg .pred big) mix(.reg .b32 a, .reg .pred p, .reg .f64 d, .reg .b16 h) {
  .reg .b32 t; .reg .f64 s;
  { .reg .b32 r; mov.b32 r, 77; }               // hides the result, and must not be returned
  cvt.u32.u16 t, h;
  add.u32 r, a, t;
  add.f64 s, d, d;
  cvt.rzi.u32.f64 t, s;
  @p add.u32 r, r, t;
  setp.gt.u32 big, r, 20;
  @big ret;
  add.u32 r, r, 1000;
}
.func (.reg .u32 r) factorial(.reg .u32 n) {
  .reg .pred c; .reg .u32 m;
  setp.le.u32 c, n, 1;
  mov.u32 r, 1;
  @c ret;
  sub.u32 m, n, 1;
  call (r), factorial, (m);
  mul.lo.u32 r, r, n;
  ret;
}
.visible .entry k(.param .u64 out) {
  .reg .b64 %o, %f; .reg .b32 %x, %y, %z, %w; .reg .pred %p, %q;
  mov.u32 %x, %tid.x;
  setp.ge.u32 %p, %x, 8;
  call (%y, %q), mix, (%x, %p, 0d4014000000000000, 3);
  selp.u32 %w, 1, 0, %q;
  and.b32 %z, %x, 7;
  mov.u64 %f, factorial;
  proto: .callprototype (.reg .u32 _) _ (.reg .u32 _);
  call (%z), %f, (%z), proto;
  @%p call (%z), factorial, (5);
  ld.param.u64 %o, [out];
  mad.wide.u32 %o, %x, 12, %o;
  st.global.u32 [%o], %y; st.global.u32 [%o+4], %w; st.global.u32 [%o+8], %z;
  ret;
}
)";

uint32_t factorial(uint32_t n) { return n <= 1 ? 1 : n * factorial(n - 1); }

TEST(RegisterCalls, ValuesPredicatesConstantsAndRecursion) {
  PtxRig rig(kCalls);
  const uint64_t out = rig.upload(std::vector<uint32_t>(3 * 32));
  const Grid& grid = rig.run("k", {1}, {32}, {out});
  EXPECT_EQ(grid.trap() ? grid.trap()->message : "", "");
  const auto got = rig.download<uint32_t>(out, 3 * 32);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t sum = lane + 3 + (lane >= 8 ? 10 : 0);
    EXPECT_EQ(got[3 * lane], sum > 20 ? sum : sum + 1000) << lane;
    EXPECT_EQ(got[3 * lane + 1], sum > 20 ? 1u : 0u) << lane;
    EXPECT_EQ(got[3 * lane + 2], factorial(lane >= 8 ? 5 : lane & 7)) << lane;
  }
}

}  // namespace
}  // namespace hpml::sim::exec
