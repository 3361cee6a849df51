// A product of matrices of halves as Hopper does it: one thread asks for boxes of both by their tensor maps, an mbarrier
// counts the bytes, and a warpgroup multiplies what has arrived straight from shared memory.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "check.cuh"

constexpr int kM = 64, kN = 64, kDepth = 256, kTile = 64;  // 64 halves: the 128 bytes of the widest swizzle

__device__ unsigned shared_address(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void load(void* to, const CUtensorMap* map, int x, int y, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}
__device__ void wait_for(unsigned barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred done; again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; @!done bra again; }" ::"r"(
          barrier),
      "r"(parity)
      : "memory");
}
// Rows of 128 bytes, eight of them a pattern of 1024.
__device__ unsigned long long descriptor(const void* tile, int k) {
  const unsigned long long start = (shared_address(tile) + 2 * k) >> 4;
  return start | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
}
__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15}, %16, %17, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
        "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(128) product(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b, float* out) {
  __shared__ alignas(1024) __half a[kM * kTile];
  __shared__ alignas(1024) __half b[32 * kTile];
  __shared__ alignas(8) unsigned long long full;
  const unsigned barrier = shared_address(&full);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
  }
  __syncthreads();
  float d[16] = {};
  for (int step = 0; step < kDepth / kTile; ++step) {
    if (threadIdx.x == 0) {
      asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(barrier),
                   "r"(static_cast<unsigned>(sizeof a + sizeof b))
                   : "memory");
      load(a, &map_a, step * kTile, 0, barrier);
      load(b, &map_b, step * kTile, 32 * static_cast<int>(blockIdx.x), barrier);
    }
    wait_for(barrier, step & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < kTile; k += 16) {
      multiply(d, descriptor(a, k), descriptor(b, k));
    }
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 16; ++i) {
    const int row = warp * 16 + lane / 4 + 8 * (i / 2 % 2), col = i / 4 * 8 + lane % 4 * 2 + i % 2;
    out[row * kN + 32 * blockIdx.x + col] = d[i];
  }
}

CUtensorMap map_of(void* data, unsigned rows, unsigned box_rows) {
  CUtensorMap map;
  const cuuint64_t size[2] = {kDepth, rows}, stride[1] = {kDepth * sizeof(__half)};
  const cuuint32_t box[2] = {kTile, box_rows}, step[2] = {1, 1};
  const CUresult result = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::printf("a tensor map cannot be made: %d\n", result);
  }
  return map;
}

int main() {
  std::vector<__half> a(kM * kDepth), b(kN * kDepth);  // b by columns
  for (int i = 0; i < kM * kDepth; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 11 - 5));
  }
  for (int i = 0; i < kN * kDepth; ++i) {
    b[i] = __float2half(static_cast<float>(i * 5 % 13 - 6));
  }
  __half *device_a, *device_b;
  float* out;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(__half)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(__half)));
  CHECK(cudaMalloc(&out, kM * kN * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(__half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(__half), cudaMemcpyHostToDevice));
  product<<<kN / 32, 128>>>(map_of(device_a, kM, kM), map_of(device_b, kN, 32), out);
  CHECK(cudaGetLastError());
  std::vector<float> result(kM * kN);
  CHECK(cudaMemcpy(result.data(), out, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int row = 0; row < kM; ++row) {
    for (int col = 0; col < kN; ++col) {
      float sum = 0;
      for (int k = 0; k < kDepth; ++k) {
        sum += __half2float(a[row * kDepth + k]) * __half2float(b[col * kDepth + k]);
      }
      wrong += result[row * kN + col] != sum;
    }
  }
  CUtensorMap map;
  const cuuint64_t size[1] = {16};
  const cuuint32_t box[1] = {3}, step[1] = {1};  // 6 bytes: not a multiple of 16
  const CUresult refused = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 1, device_a, size, nullptr, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  std::printf("%d of %d sums are wrong; a box of 6 bytes: error %d\n", wrong, kM * kN, refused);
  return wrong != 0;
}
