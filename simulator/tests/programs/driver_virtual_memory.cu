// Memory that a program maps into a range of addresses: an array that grows without a copy, and parts of it that move.
#include "check.cuh"
#include "driver.cuh"

static const int kChunks = 3;

__global__ void fill(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    values[i] = i;
  }
}

static CUmemAllocationProp properties() {
  CUmemAllocationProp out = {};
  out.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  out.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  out.location.id = 0;
  return out;
}

static CUmemAccessDesc access(CUmemAccess_flags flags) {
  CUmemAccessDesc out = {};
  out.location = properties().location;
  out.flags = flags;
  return out;
}

int main() {
  use_primary_context();
  const CUmemAllocationProp wanted = properties();
  const CUmemAccessDesc open = access(CU_MEM_ACCESS_FLAGS_PROT_READWRITE), shut = access(CU_MEM_ACCESS_FLAGS_PROT_NONE);
  int supported = 0;
  DRIVER(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
  size_t unit = 0, before = 0, after = 0, total = 0;
  DRIVER(cuMemGetAllocationGranularity(&unit, &wanted, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  printf("supported %d, granularity %zu\n", supported, unit);

  CUdeviceptr base = 0;
  CUmemGenericAllocationHandle handles[kChunks];
  DRIVER(cuMemAddressReserve(&base, 8 * unit, 0, 0, 0));
  DRIVER(cuMemGetInfo(&before, &total));
  for (int i = 0; i < kChunks; ++i) {  // it grows
    DRIVER(cuMemCreate(&handles[i], unit, &wanted, 0));
    DRIVER(cuMemMap(base + i * unit, unit, 0, handles[i], 0));
    DRIVER(cuMemSetAccess(base + i * unit, unit, &open, 1));
  }
  DRIVER(cuMemGetInfo(&after, &total));
  printf("%zu units taken\n", (before - after) / unit);
  const int count = static_cast<int>(kChunks * unit / sizeof(int)), part = count / kChunks;
  int* const values = reinterpret_cast<int*>(base);
  fill<<<(count + 255) / 256, 256>>>(values, count);
  std::vector<int> host(count);
  DRIVER(cuMemcpyDtoH(host.data(), base, kChunks * unit));  // over the borders
  bool right = true;
  for (int i = 0; i < count; ++i) {
    right = right && host[i] == i;
  }
  printf("one array %d\n", right);

  // The second part moves behind the third and keeps what it holds.
  DRIVER(cuMemUnmap(base + unit, unit));
  int one = -1;
  printf("a hole: %s\n", named(cuMemcpyDtoH(&one, base + unit, sizeof(one))));
  DRIVER(cuMemMap(base + 3 * unit, unit, 0, handles[1], 0));
  // One memory at two addresses: a GPU can, the simulated one refuses it with CUDA_ERROR_NOT_SUPPORTED.
  const CUresult twice = cuMemMap(base + 5 * unit, unit, 0, handles[1], 0);
  if (twice == CUDA_SUCCESS) {
    DRIVER(cuMemUnmap(base + 5 * unit, unit));
  }
  printf("mapped twice: %d\n", twice == CUDA_SUCCESS || twice == CUDA_ERROR_NOT_SUPPORTED);
  printf("mapped over it: %s\n", named(cuMemMap(base + 3 * unit, unit, 0, handles[1], 0)));
  DRIVER(cuMemSetAccess(base + 3 * unit, unit, &open, 1));
  DRIVER(cuMemcpyDtoH(host.data(), base + 2 * unit, 2 * unit));
  printf("moved: %d %d\n", host[0] == 2 * part, host[part] == part);
  DRIVER(cuMemSetAccess(base, unit, &shut, 1));
  unsigned long long flags = 9;
  DRIVER(cuMemGetAccess(&flags, &wanted.location, base + 8));
  printf("shut: access %llu, %s\n", flags, named(cuMemcpyDtoH(&one, base, sizeof(one))));
  DRIVER(cuMemSetAccess(base, unit, &open, 1));
  DRIVER(cuMemcpyDtoH(&one, base + 4, sizeof(one)));
  DRIVER(cuMemGetAccess(&flags, &wanted.location, base));
  printf("open again: access %llu, value %d\n", flags, one);

  // Memory goes with the last of its handles and mappings.
  CUmemGenericAllocationHandle same = 0;
  DRIVER(cuMemRetainAllocationHandle(&same, values));
  printf("retained %d, free %s, address free %s\n", same == handles[0], named(cuMemFree(base)),
         named(cuMemAddressFree(base, 8 * unit)));
  DRIVER(cuMemRelease(same));
  for (int i = 0; i < kChunks; ++i) {
    DRIVER(cuMemRelease(handles[i]));
  }
  printf("released once more: %s\n", named(cuMemRelease(handles[0])));
  DRIVER(cuMemGetInfo(&after, &total));
  printf("%zu units taken\n", (before - after) / unit);
  DRIVER(cuMemUnmap(base, unit));
  DRIVER(cuMemUnmap(base + 2 * unit, 2 * unit));
  DRIVER(cuMemAddressFree(base, 8 * unit));
  DRIVER(cuMemGetInfo(&after, &total));
  printf("%zu units taken\n", (before - after) / unit);
  printf("odd size: %s\n", named(cuMemCreate(&handles[0], unit / 2, &wanted, 0)));
  printf("not mapped: %s\n", named(cuMemSetAccess(base, unit, &open, 1)));
}
