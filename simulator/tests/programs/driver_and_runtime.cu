// Runtime and driver API in one program: one context, the same pointers, streams, events and kernels.
// CHECK double_free
#include "check.cuh"
#include "driver.cuh"

__global__ void add(int* values, int what) { values[threadIdx.x] += what; }

static const char* const kTwice = R"(
.version 6.0
.target sm_60
.address_size 64
.visible .entry twice(.param .u64 values)
{
  .reg .b64 %a; .reg .b32 %r<3>;
  ld.param.u64 %a, [values];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %a, %r1, 4, %a;
  ld.global.u32 %r2, [%a];
  shl.b32 %r2, %r2, 1;
  st.global.u32 [%a], %r2;
  ret;
}
)";

static void mix(CUcontext primary) {
  int* values;
  int host[32];
  cudaStream_t stream;
  CUevent before;
  cudaEvent_t after;
  CHECK(cudaMalloc(&values, sizeof(host)));
  CHECK(cudaStreamCreate(&stream));
  DRIVER(cuEventCreate(&before, CU_EVENT_DEFAULT));
  CHECK(cudaEventCreate(&after));
  DRIVER(cuEventRecord(before, stream));
  CHECK(cudaMemsetAsync(values, 0, sizeof(host), stream));
  add<<<1, 32, 0, stream>>>(values, 5);
  CUmodule module;
  CUfunction twice;
  DRIVER(cuModuleLoadData(&module, kTwice));
  DRIVER(cuModuleGetFunction(&twice, module, "twice"));
  void* parameters[] = {&values};
  DRIVER(cuLaunchKernel(twice, 1, 1, 1, 32, 1, 1, 0, stream, parameters, 0));
  add<<<1, 32, 0, stream>>>(values, 1);
  CHECK(cudaLaunchKernel((const void*)twice, dim3(1), dim3(32), parameters, 0, stream));
  CHECK(cudaEventRecord(after, stream));
  DRIVER(cuMemcpyDtoHAsync(host, (CUdeviceptr)values, sizeof(host), stream));
  DRIVER(cuStreamSynchronize(stream));
  float milliseconds = 0;
  DRIVER(cuEventElapsedTime(&milliseconds, before, after));
  printf("value %d, time passed %d\n", host[31], milliseconds > 0);

  CUcontext owner;
  CUmemorytype type;
  DRIVER(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, (CUdeviceptr)values));
  DRIVER(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(values + 3)));
  printf("in the primary context %d, device memory %d\n", owner == primary, type == CU_MEMORYTYPE_DEVICE);
  CUdeviceptr base;
  size_t size;
  DRIVER(cuMemGetAddressRange(&base, &size, (CUdeviceptr)(values + 3)));
  printf("range found %d, of %zu bytes\n", base == (CUdeviceptr)values, size);
  DRIVER(cuEventDestroy(before));
  DRIVER(cuStreamDestroy(stream));
  DRIVER(cuMemFree((CUdeviceptr)values));
  printf("freed by the driver: %d\n", cudaFree(values) == cudaErrorInvalidValue);
  cudaGetLastError();
}

int main() {
  CUcontext current, primary;
  CUdevice device;
  unsigned flags;
  int active;
  DRIVER(cuInit(0));
  DRIVER(cuDeviceGet(&device, 0));
  DRIVER(cuCtxGetCurrent(&current));
  DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
  printf("at first: no context %d, active %d\n", current == NULL, active);
  CHECK(cudaFree(0));
  DRIVER(cuCtxGetCurrent(&current));
  DRIVER(cuDevicePrimaryCtxRetain(&primary, device));
  DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
  printf("the runtime made the primary one current %d, active %d\n", current == primary, active);
  mix(primary);

  // An error of the driver API is none of the runtime's.
  CUdeviceptr pointer;
  printf("zero bytes: %s\n", named(cuMemAlloc(&pointer, 0)));
  printf("the runtime's last error: %s\n", cudaGetErrorName(cudaPeekAtLastError()));

  DRIVER(cuCtxPushCurrent(primary));
  DRIVER(cuCtxPopCurrent(&current));
  printf("popped what was pushed %d\n", current == primary);
  DRIVER(cuCtxSetCurrent(NULL));
  printf("no context: %s\n", named(cuMemAlloc(&pointer, 4)));
  int* again;
  CHECK(cudaMalloc(&again, 4));
  DRIVER(cuCtxGetCurrent(&current));
  printf("bound again %d\n", current == primary);
  DRIVER(cuDevicePrimaryCtxRelease(device));
  CHECK(cudaMemset(again, 0, 4));
  printf("the runtime keeps it: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
