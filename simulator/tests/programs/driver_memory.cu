// Fills of every width, boxes of two and three dimensions, arrays, pools, pinned and managed memory, captured work.
// CHECK double_free
#include <string.h>

#include "driver.cuh"

static unsigned sum(const void* bytes, size_t count) {
  unsigned total = 0;
  for (size_t i = 0; i < count; ++i) {
    total = total * 31 + ((const unsigned char*)bytes)[i];
  }
  return total;
}

static void fills() {
  CUdeviceptr rows;
  size_t pitch;
  DRIVER(cuMemAllocPitch(&rows, &pitch, 40, 3, 4));
  DRIVER(cuMemsetD2D8(rows, pitch, 1, 40, 3));
  DRIVER(cuMemsetD2D16(rows, pitch, 0x0203, 5, 2));
  DRIVER(cuMemsetD2D32Async(rows + pitch, pitch, 0x04050607, 1, 2, 0));
  DRIVER(cuMemsetD16(rows + 20, 0x0908, 3));
  DRIVER(cuMemsetD32(rows + 28, 0x0d0c0b0a, 2));
  unsigned char host[3][40], expected[3][40];
  memset(expected, 1, sizeof(expected));
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 10 && row < 2; ++i) {
      expected[row][i] = i % 2 == 0 ? 3 : 2;
    }
    if (row > 0) {
      memcpy(expected[row], "\7\6\5\4", 4);
    }
  }
  memcpy(expected[0] + 20, "\10\11\10\11\10\11", 6);
  memcpy(expected[0] + 28, "\12\13\14\15\12\13\14\15", 8);
  CUDA_MEMCPY2D copy;
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = rows;
  copy.srcPitch = pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = host;
  copy.dstPitch = 40;
  copy.WidthInBytes = 40;
  copy.Height = 3;
  DRIVER(cuMemcpy2D(&copy));
  printf("fills %d\n", memcmp(host, expected, sizeof(host)) == 0);
  printf("odd address: %s\n", named(cuMemsetD32(rows + 2, 0, 1)));
  copy.WidthInBytes = 41;
  printf("wider than the pitch: %s\n", named(cuMemcpy2D(&copy)));
  printf("pitch for odd elements: %s\n", named(cuMemAllocPitch(&rows, &pitch, 40, 3, 3)));
}

static void boxes() {
  enum { kX = 6, kY = 5, kZ = 4 };
  unsigned char host[kZ][kY][kX], back[2][3][4];
  for (size_t i = 0; i < sizeof(host); ++i) {
    ((unsigned char*)host)[i] = (unsigned char)i;
  }
  CUdeviceptr device;
  DRIVER(cuMemAlloc(&device, sizeof(host)));
  DRIVER(cuMemcpyHtoD(device, host, sizeof(host)));
  CUDA_MEMCPY3D copy;
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = device;
  copy.srcPitch = kX;
  copy.srcHeight = kY;
  copy.srcXInBytes = 1;
  copy.srcY = 2;
  copy.srcZ = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = 4;
  copy.dstHeight = 3;
  copy.WidthInBytes = 4;
  copy.Height = 3;
  copy.Depth = 2;
  DRIVER(cuMemcpy3D(&copy));
  int right = 1;
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      right &= memcmp(back[z][y], &host[z + 1][y + 2][1], 4) == 0;
    }
  }
  printf("box %d\n", right);
}

int main() {
  use_primary_context();
  fills();
  boxes();

  CUstream stream;
  DRIVER(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr pooled;
  unsigned* pinned;
  DRIVER(cuMemAllocHost((void**)&pinned, 64));
  DRIVER(cuMemAllocAsync(&pooled, 64, stream));
  DRIVER(cuMemsetD32Async(pooled, 17, 16, stream));
  DRIVER(cuMemcpyDtoHAsync(pinned, pooled, 64, stream));
  DRIVER(cuMemFreeAsync(pooled, stream));
  DRIVER(cuStreamSynchronize(stream));
  printf("pooled %u %u\n", pinned[0], pinned[15]);
  CUdeviceptr of_pinned;
  DRIVER(cuMemHostGetDevicePointer(&of_pinned, pinned, 0));
  DRIVER(cuMemsetD8(of_pinned, 0xff, 4));
  DRIVER(cuCtxSynchronize());
  printf("pinned %x\n", pinned[0]);

  CUdeviceptr managed;
  unsigned is_managed = 0;
  DRIVER(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  DRIVER(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  memset((void*)managed, 3, 4096);
  unsigned char first[8];
  DRIVER(cuMemcpyDtoH(first, managed + 100, sizeof(first)));
  printf("managed %d %u\n", (is_managed & 0xff) == 1, sum(first, sizeof(first)) == sum("\3\3\3\3\3\3\3\3", 8));

  unsigned char mine[256];
  DRIVER(cuMemHostRegister(mine, sizeof(mine), 0));
  printf("registered twice: %s\n", named(cuMemHostRegister(mine, sizeof(mine), 0)));
  DRIVER(cuMemHostUnregister(mine));
  printf("unknown pointer: %s\n", named(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                                              (CUdeviceptr)mine)));
  DRIVER(cuMemFree(managed));
  printf("freed twice: %s\n", named(cuMemFree(managed)));
  CUdeviceptr base;
  size_t bytes;
  printf("unknown range: %s\n", named(cuMemGetAddressRange(&base, &bytes, managed)));
  DRIVER(cuMemFreeHost(pinned));
  return 0;
}
