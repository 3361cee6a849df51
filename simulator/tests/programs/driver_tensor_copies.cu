// Boxes of a tensor through shared memory: loaded by a tensor copy, changed, and stored by another. The last boxes reach out
// of the tensor: there they are zero, and nothing is stored. A second kernel reads what was stored.
#include "driver.cuh"

constexpr int kWidth = 60, kHeight = 40, kPitch = 64, kBoxWidth = 32, kBoxHeight = 16;

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__global__ void add_one(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int* outside) {
  __shared__ alignas(128) int box[kBoxHeight][kBoxWidth];
  __shared__ unsigned long long full;
  const unsigned tile = shared_address(box), barrier = shared_address(&full);
  const int x = static_cast<int>(blockIdx.x) * kBoxWidth, y = static_cast<int>(blockIdx.y) * kBoxHeight;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(barrier),
                 "r"(static_cast<unsigned>(sizeof box))
                 : "memory");
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
            tile),
        "l"(&from), "r"(x), "r"(y), "r"(barrier)
        : "memory");
  }
  __syncthreads();
  asm volatile(
      "{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0; @!done bra again; }" ::"r"(barrier)
      : "memory");
  int zeros = 0;
  for (int i = static_cast<int>(threadIdx.x); i < kBoxHeight * kBoxWidth; i += static_cast<int>(blockDim.x)) {
    int& here = box[i / kBoxWidth][i % kBoxWidth];
    zeros += here == 0;
    ++here;
  }
  atomicAdd(outside, zeros);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x), "r"(y),
                 "r"(tile)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

__global__ void add_up(const int* tensor, int* sum) {
  for (int y = 0; y < kHeight; ++y) {
    for (int x = static_cast<int>(threadIdx.x); x < kWidth; x += static_cast<int>(blockDim.x)) {
      atomicAdd(sum, tensor[y * kPitch + x]);
    }
  }
}

static CUtensorMap map_of(int* tensor) {
  const cuuint64_t size[] = {kWidth, kHeight}, stride[] = {kPitch * sizeof(int)};
  const cuuint32_t box[] = {kBoxWidth, kBoxHeight}, step[] = {1, 1};
  CUtensorMap map;
  DRIVER(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, tensor, size, stride, box, step,
                                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  return map;
}

int main() {
  int host[kHeight * kPitch], expected = 0;
  for (int i = 0; i < kHeight * kPitch; ++i) {
    host[i] = 1 + i % 1000;
    expected += i % kPitch < kWidth ? host[i] + 1 : 0;
  }
  int *from = nullptr, *to = nullptr, *sums = nullptr;
  cudaMalloc(&from, sizeof host);
  cudaMalloc(&to, sizeof host);
  cudaMalloc(&sums, 2 * sizeof(int));
  cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(sums, 0, 2 * sizeof(int));
  add_one<<<dim3(2, 3), 128>>>(map_of(from), map_of(to), sums);
  add_up<<<1, 32>>>(to, sums + 1);
  int found[2] = {};
  printf("%s\n", cudaGetErrorName(cudaMemcpy(found, sums, sizeof found, cudaMemcpyDeviceToHost)));
  printf("outside of the tensor: %d, expected %d\n", found[0], 64 * 48 - kWidth * kHeight);
  printf("sum of the tensor: %d, expected %d\n", found[1], expected);
}
