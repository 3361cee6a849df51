// Clusters by the driver's own calls: a launch with the attribute, one by the kernel's code, and what fits.
#include "driver.cuh"

static const char* const kCode = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry ranks(.param .u64 out)
{
  .reg .b64 %a<3>; .reg .b32 %r<3>;
  ld.param.u64 %a1, [out];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %a2, %r1, 4;
  add.u64 %a1, %a1, %a2;
  mov.u32 %r2, %cluster_ctarank;
  st.global.u32 [%a1], %r2;
  ret;
}
.visible .entry pairs(.param .u64 out) .explicitcluster .reqnctapercluster 2, 1, 1
{
  .reg .b64 %a; .reg .b32 %r;
  ld.param.u64 %a, [out];
  mov.u32 %r, %cluster_ctarank;
  red.global.add.u32 [%a], %r;
  ret;
}
)";

int main() {
  use_primary_context();
  CUmodule module;
  CUfunction ranks, pairs;
  DRIVER(cuModuleLoadData(&module, kCode));
  DRIVER(cuModuleGetFunction(&ranks, module, "ranks"));
  DRIVER(cuModuleGetFunction(&pairs, module, "pairs"));
  CUdeviceptr out;
  DRIVER(cuMemAlloc(&out, 64));
  DRIVER(cuMemsetD32(out, 0, 16));

  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim.x = 4;
  attribute.value.clusterDim.y = attribute.value.clusterDim.z = 1;
  CUlaunchConfig config = {};
  config.gridDimX = 8;
  config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
  config.blockDimX = 64;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* parameters[] = {&out};
  DRIVER(cuLaunchKernelEx(&config, ranks, parameters, nullptr));
  unsigned host[16];
  DRIVER(cuMemcpyDtoH(host, out, sizeof(host)));
  for (int block = 0; block < 8; ++block) {
    printf("%u ", host[block]);
  }
  printf("\n");

  int clusters = 0, size = 0, width = 0, must = 0;
  config.blockDimX = 256;  // eight fit on an SM
  DRIVER(cuOccupancyMaxActiveClusters(&clusters, ranks, &config));
  config.blockDimX = 64;
  DRIVER(cuOccupancyMaxPotentialClusterSize(&size, ranks, &config));
  printf("%d clusters of 4, at most %d blocks\n", clusters, size);
  attribute.value.clusterDim.x = 3;
  printf("threes: %s\n", named(cuLaunchKernelEx(&config, ranks, parameters, nullptr)));

  DRIVER(cuFuncGetAttribute(&width, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, pairs));
  DRIVER(cuFuncGetAttribute(&must, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, pairs));
  printf("pairs: %d wide, must be set: %d\n", width, must);
  DRIVER(cuMemsetD32(out, 0, 16));
  DRIVER(cuLaunchKernel(pairs, 6, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  DRIVER(cuMemcpyDtoH(host, out, sizeof(host)));
  printf("second blocks: %u\n", host[0]);
  printf("five blocks: %s\n", named(cuLaunchKernel(pairs, 5, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr)));
  return 0;
}
