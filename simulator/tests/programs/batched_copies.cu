// Many copies by one call, of bytes and of boxes beside arrays, prefetches by one call, and the pools of a location
#include <string.h>

#include "check.cuh"

#if CUDART_VERSION >= 13000
#define FAILED
#else
#define FAILED nullptr,
#endif

__global__ void read_texture(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}

const char* named(cudaError_t error) {
  cudaGetLastError();
  return cudaGetErrorName(error);
}

void bytes(cudaStream_t stream) {
  std::vector<int> in[3] = {std::vector<int>(10, 1), std::vector<int>(20, 2), std::vector<int>(30, 3)}, out[3];
  void *device[3], *to[3];
  const void *host[3], *from[3];
  size_t sizes[3], firsts[2] = {0, 2};
  for (int i = 0; i < 3; ++i) {
    sizes[i] = in[i].size() * sizeof(int);
    CHECK(cudaMalloc(&device[i], sizes[i]));
    out[i].resize(in[i].size());
    host[i] = in[i].data();
    from[i] = device[i];
    to[i] = out[i].data();
  }
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpyBatchAsync(device, host, sizes, 3, attributes, firsts, 2, FAILED stream));
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, firsts, 2, FAILED stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("bytes %d %d %d\n", out[0] == in[0], out[1] == in[1], out[2] == in[2]);
  firsts[0] = 1;
  printf("attributes from 1 on: %s\n", named(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, firsts, 2, FAILED stream)));
  firsts[0] = 0;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  printf("no order: %s\n", named(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, firsts, 2, FAILED stream)));
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  printf("legacy stream: %s\n", named(cudaMemcpyBatchAsync(to, from, sizes, 3, attributes, firsts, 2, FAILED cudaStreamLegacy)));
}

void boxes(cudaStream_t stream) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, 4, 3));
  float rows[3 * 6];
  for (int i = 0; i < 18; ++i) {
    rows[i] = static_cast<float>(i);
  }
  float* copied = device_array<float>(12);
  cudaMemcpy3DBatchOp copies[2] = {};
  copies[0].src.type = cudaMemcpyOperandTypePointer;
  copies[0].src.op.ptr.ptr = rows;
  copies[0].src.op.ptr.rowLength = 6;
  copies[0].dst.type = cudaMemcpyOperandTypeArray;
  copies[0].dst.op.array.array = array;
  copies[0].extent = make_cudaExtent(4, 3, 1);
  copies[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  copies[1] = copies[0];  // between pointers elements are bytes
  copies[1].src.op.ptr.rowLength = 24;
  copies[1].dst = {};
  copies[1].dst.type = cudaMemcpyOperandTypePointer;
  copies[1].dst.op.ptr.ptr = copied;
  copies[1].extent = make_cudaExtent(16, 3, 1);
  CHECK(cudaMemcpy3DBatchAsync(2, copies, FAILED 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  float* read = device_array<float>(12);
  read_texture<<<1, 12>>>(texture, read);
  check_launch();
  const std::vector<float> a = to_host(read, 12), b = to_host(copied, 12);
  printf("boxes %g %g %g, %g %g %g\n", a[0], a[4], a[11], b[0], b[4], b[11]);
  cudaArray_t second;
  float last[4];
  CHECK(cudaMallocArray(&second, &format, 4, 3));
  CHECK(cudaMemcpyArrayToArray(second, 0, 0, array, 0, 0, 12 * sizeof(float), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpyFromArray(last, second, 0, 2, sizeof last, cudaMemcpyDeviceToHost));
  printf("from array to array %g %g\n", last[0], last[3]);
  copies[0].src.op.ptr.rowLength = 3;
  printf("short rows: %s\n", named(cudaMemcpy3DBatchAsync(1, copies, FAILED 0, stream)));
}

void prefetches(cudaStream_t stream) {
  int* p;
  CHECK(cudaMallocManaged(&p, 1 << 20));
  void* ranges[2] = {p, p + (1 << 17)};
  size_t sizes[2] = {1 << 19, 1 << 19}, firsts[2] = {0, 1};
  cudaMemLocation places[2] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  CHECK(cudaMemPrefetchBatchAsync(ranges, sizes, 2, places, firsts, 2, 0, stream));
  int first = -5, second = -5;
  CHECK(cudaMemRangeGetAttribute(&first, sizeof(int), cudaMemRangeAttributeLastPrefetchLocation, ranges[0], sizes[0]));
  CHECK(cudaMemRangeGetAttribute(&second, sizeof(int), cudaMemRangeAttributeLastPrefetchLocation, ranges[1], sizes[1]));
  CHECK(cudaMemDiscardBatchAsync(ranges, sizes, 2, 0, stream));
  CHECK(cudaStreamSynchronize(stream));
  printf("prefetched to %d and %d\n", first, second == cudaCpuDeviceId ? -1 : second);
  cudaMemPool_t by_place, by_device;
  CHECK(cudaMemGetDefaultMemPool(&by_place, &places[0], cudaMemAllocationTypePinned));
  CHECK(cudaDeviceGetDefaultMemPool(&by_device, 0));
  printf("one pool %d\n", by_place == by_device);
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  bytes(stream);
  boxes(stream);
  prefetches(stream);
}
