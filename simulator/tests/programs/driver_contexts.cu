// Contexts of cuCtxCreate: a stack per thread; what was made in one goes with it.
#include <string.h>

#include <thread>

#include "driver.cuh"

static CUcontext make_context(CUdevice device) {
  CUcontext context;
#if CUDA_VERSION >= 13000
  DRIVER(cuCtxCreate(&context, NULL, CU_CTX_SCHED_AUTO, device));
#else
  DRIVER(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
#endif
  return context;
}

int main() {
  CUdevice device;
  DRIVER(cuInit(0));
  printf("flags: %s\n", named(cuInit(1)));
  DRIVER(cuDeviceGet(&device, 0));
  printf("no such device: %s\n", named(cuDeviceGet(&device, 99)));
  char name[8];
  DRIVER(cuDeviceGetName(name, sizeof(name), 0));
  printf("a short name is cut: %zu\n", strlen(name));

  CUcontext first = make_context(device), second = make_context(device), current;
  DRIVER(cuCtxGetCurrent(&current));
  printf("the newest is current %d\n", current == second);
  size_t before, after, total;
  DRIVER(cuMemGetInfo(&before, &total));
  CUdeviceptr memory;
  CUstream stream;
  CUmodule module;
  DRIVER(cuMemAlloc(&memory, 64 << 20));
  DRIVER(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  DRIVER(cuModuleLoadData(&module, ".version 6.0\n.target sm_60\n.address_size 64\n.global .b8 big[1000];\n"));
  DRIVER(cuMemGetInfo(&after, &total));
  printf("memory is in use %d\n", before - after >= (64 << 20));
  DRIVER(cuCtxDestroy(second));
  DRIVER(cuCtxGetCurrent(&current));
  printf("the older is current again %d\n", current == first);
  DRIVER(cuMemGetInfo(&after, &total));
  printf("its memory is free %d\n", after == before);

  std::thread other([&] {
    CUcontext here = first;
    cuCtxGetCurrent(&here);
    printf("another thread begins without %d\n", here == NULL);
    printf("and may take it: %s\n", named(cuCtxSetCurrent(first)));
    CUdevice its = -1;
    cuCtxGetDevice(&its);
    printf("of device %d\n", its);
  });
  other.join();

  DRIVER(cuCtxPopCurrent(&current));
  printf("popped %d, then: %s\n", current == first, named(cuCtxPopCurrent(&current)));
  printf("synchronise nothing: %s\n", named(cuCtxSynchronize()));
  CUcontext primary, again;
  unsigned flags;
  int active;
  DRIVER(cuDevicePrimaryCtxRetain(&primary, device));
  DRIVER(cuDevicePrimaryCtxRetain(&again, device));
  DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
  printf("one primary %d, active %d\n", primary == again, active);
  printf("not to be destroyed: %s\n", named(cuCtxDestroy(primary)));
  DRIVER(cuDevicePrimaryCtxRelease(device));
  DRIVER(cuDevicePrimaryCtxRelease(device));
  DRIVER(cuDevicePrimaryCtxGetState(device, &flags, &active));
  printf("released: active %d, again: %s\n", active, named(cuDevicePrimaryCtxRelease(device)));
  // Uses of what was destroyed come last: a real driver may stop the program.
  fflush(stdout);
  DRIVER(cuCtxSetCurrent(first));
  printf("its stream: %s\n", named(cuStreamSynchronize(stream)));
  printf("destroyed: %s\n", named(cuCtxPushCurrent(second)));
  return 0;
}
