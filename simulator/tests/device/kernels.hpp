#pragma once
// PTX of the kernels that these tests launch.
#include <string>

namespace hpml::sim::device {

inline std::string ptx_header(const std::string& target = "sm_75") {
  return ".version 7.0\n.target " + target + "\n.address_size 64\n";
}

// y[i] = x[i] + y[i], one element per thread
inline const char* const kAdd = R"(
.visible .entry add(.param .u32 n, .param .u64 x, .param .u64 y)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u32 %r1, [n];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd3, %rd1;
  cvta.to.global.u64 %rd4, %rd2;
  mul.wide.s32 %rd5, %r5, 4;
  add.s64 %rd6, %rd3, %rd5;
  add.s64 %rd7, %rd4, %rd5;
  ld.global.f32 %f1, [%rd6];
  ld.global.f32 %f2, [%rd7];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
DONE:
  ret;
}
)";

// Variables of every kind, and a kernel that adds them up: 5 + 7 + m + *pointer_to_five
inline const char* const kVariables = R"(
.visible .global .align 4 .u32 five = 5;
.visible .const .align 4 .u32 seven = 7;
.visible .global .attribute(.managed) .align 4 .u32 m = 4;
.visible .global .align 8 .u64 pointer_to_five = generic(five);
.visible .entry sum(.param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [five];
  ld.const.u32 %r2, [seven];
  ld.global.u32 %r3, [m];
  ld.global.u64 %rd2, [pointer_to_five];
  ld.u32 %r4, [%rd2];
  add.u32 %r5, %r1, %r2;
  add.u32 %r6, %r3, %r4;
  add.u32 %r7, %r5, %r6;
  st.global.u32 [%rd1], %r7;
  ret;
}
)";

inline const char* const kForever = R"(
.visible .entry forever()
{
  .reg .b32 %r<1>;
LOOP:
  add.u32 %r0, %r0, 1;
  bra LOOP;
}
)";

inline const char* const kRefusedInstruction = R"(
.visible .entry refused()
{
  .reg .b32 %r<3>;
  tcgen05.wait::ld.sync.aligned;
  ret;
}
)";

// Waits 1,000 cycles by the clock.
inline const char* const kWaitForClock = R"(
.visible .entry wait_for_clock()
{
  .reg .pred %p<2>; .reg .b64 %rd<5>;
  mov.u64 %rd1, %clock64;
LOOP:
  mov.u64 %rd2, %clock64;
  sub.s64 %rd3, %rd2, %rd1;
  setp.lt.s64 %p1, %rd3, 1000;
  @%p1 bra LOOP;
  ret;
}
)";

}  // namespace hpml::sim::device
