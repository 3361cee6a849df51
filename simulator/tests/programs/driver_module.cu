// A module from PTX text: kernels by name, both ways to pass arguments, a variable, two modules side by side.
#include <string.h>

#include "driver.cuh"

static const char* const kScale = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .global .align 8 .u32 launches[2] = {40, 2};
.visible .entry scale(.param .u64 values, .param .u32 count, .param .f64 factor)
{
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %a<6>; .reg .f64 %d<4>;
  ld.param.u64 %a1, [values];
  ld.param.u32 %r1, [count];
  ld.param.f64 %d1, [factor];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p, %r5, %r1;
  @%p ret;
  mul.wide.u32 %a2, %r5, 8;
  add.u64 %a3, %a1, %a2;
  ld.global.f64 %d2, [%a3];
  mul.rn.f64 %d3, %d2, %d1;
  st.global.f64 [%a3], %d3;
  ret;
}
.visible .entry nothing() { ret; }
)";

// The same names with another meaning.
static const char* const kOther = R"(
// a comment first
.version 6.0
.target sm_60
.address_size 64
.visible .global .align 4 .u32 launches = 7;
.visible .entry nothing(.param .u64 out)
{
  .reg .b64 %a; .reg .b32 %r;
  ld.param.u64 %a, [out];
  ld.global.u32 %r, [launches];
  st.global.u32 [%a], %r;
  ret;
}
)";

static void launch_both_ways(CUfunction scale) {
  const unsigned count = 300;
  double host[count], factor = 0.5;
  for (unsigned i = 0; i < count; ++i) {
    host[i] = i;
  }
  CUdeviceptr values;
  DRIVER(cuMemAlloc(&values, sizeof(host)));
  DRIVER(cuMemcpyHtoD(values, host, sizeof(host)));
  void* parameters[] = {&values, (void*)&count, &factor};
  DRIVER(cuLaunchKernel(scale, 3, 1, 1, 128, 1, 1, 0, 0, parameters, 0));
  // Laid out as C lays out the parameters: the double lies at the next multiple of eight.
  struct {
    CUdeviceptr values;
    unsigned count;
    double factor;
  } block = {values, count, 3.0};
  size_t size = sizeof(block);
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  DRIVER(cuLaunchKernel(scale, 3, 1, 1, 128, 1, 1, 0, 0, 0, extra));
  DRIVER(cuMemcpyDtoH(host, values, sizeof(host)));
  printf("values %g %g %g\n", host[1], host[2], host[299]);
  printf("both at once: %s\n", named(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, 0, parameters, extra)));
  size = 12;
  printf("block too short: %s\n", named(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, 0, 0, extra)));
  printf("no arguments: %s\n", named(cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)));
  printf("block of 2048: %s\n", named(cuLaunchKernel(scale, 1, 1, 1, 2048, 1, 1, 0, 0, parameters, 0)));
  DRIVER(cuMemFree(values));
}

int main() {
  use_primary_context();
  CUmodule first, second;
  CUfunction scale, nothing, other;
  DRIVER(cuModuleLoadData(&first, kScale));
  DRIVER(cuModuleLoadData(&second, kOther));
  DRIVER(cuModuleGetFunction(&scale, first, "scale"));
  DRIVER(cuModuleGetFunction(&nothing, first, "nothing"));
  DRIVER(cuModuleGetFunction(&other, second, "nothing"));
  CUfunction absent = other;
  const CUresult missing = cuModuleGetFunction(&absent, first, "absent");
  printf("missing kernel: %s, null %d\n", named(missing), absent == NULL);
  launch_both_ways(scale);
  DRIVER(cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, 0, 0, 0));

  CUdeviceptr variable;
  size_t bytes;
  unsigned words[2];
  DRIVER(cuModuleGetGlobal(&variable, &bytes, first, "launches"));
  DRIVER(cuMemcpyDtoH(words, variable, sizeof(words)));
  printf("variable of %zu bytes: %u %u\n", bytes, words[0], words[1]);
  printf("missing variable: %s\n", named(cuModuleGetGlobal(&variable, &bytes, first, "absent")));
  DRIVER(cuModuleUnload(first));
  printf("unloaded: %s\n", named(cuModuleGetFunction(&scale, first, "scale")));

  CUdeviceptr out;
  DRIVER(cuMemAlloc(&out, 4));
  void* parameters[] = {&out};
  DRIVER(cuLaunchKernel(other, 1, 1, 1, 1, 1, 1, 0, 0, parameters, 0));
  DRIVER(cuMemcpyDtoH(words, out, 4));
  printf("the other module's: %u\n", words[0]);
  return 0;
}
