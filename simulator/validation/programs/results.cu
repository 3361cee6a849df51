// What kernels compute, not how fast: a hash of each kernel's result vector, the same on every GPU and every compiler.
//   results            "name hash" per kernel; only operations whose results IEEE 754 and the PTX manual fix
#include "bench.cuh"

constexpr int kThreads = 256, kBlocks = 8, kCount = kThreads * kBlocks;

// The inputs: a counter through the finaliser of a 32-bit hash (Murmur's constants).
__device__ inline uint32_t scatter(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}
__device__ inline uint32_t index() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline float real(uint32_t x) { return __uint_as_float((x & 0x007fffffu) | 0x3f800000u) - 1.5f; }
__device__ inline double real64(uint32_t x) { return (static_cast<int>(x) >> 4) * 0x1p-20; }
__device__ inline uint64_t bits(float x) { return __float_as_uint(x); }
__device__ inline uint64_t bits(double x) { return static_cast<uint64_t>(__double_as_longlong(x)); }

__global__ void integers(uint64_t* out) {
  const uint32_t a = scatter(index()), b = scatter(a);
  const int c = static_cast<int>(a), d = static_cast<int>(b | 1);
  uint64_t sum = a / (b | 1) + a % (b | 1);
  sum = sum * 31 + static_cast<uint32_t>(c / d + c % d);
  sum = sum * 31 + __umulhi(a, b) + static_cast<uint32_t>(__mulhi(c, d));
  sum = sum * 31 + __popc(a) + __clz(static_cast<int>(a >> (b & 31))) + __ffs(static_cast<int>(b)) + __brev(a);
  sum = sum * 31 + __byte_perm(a, b, a & 0x7777) + __funnelshift_l(a, b, b & 31) + min(c, d) + max(a, b);
  out[index()] = sum;
}

__global__ void long_integers(uint64_t* out) {
  const uint64_t a = static_cast<uint64_t>(scatter(index())) << 32 | scatter(index() + 77), b = a * 0x9e3779b97f4a7c15u | 1;
  out[index()] = a / b + b / (a >> 20 | 1) + a % (b >> 13 | 1) + __umul64hi(a, b) + (a >> (b & 63)) + (a << (b >> 58));
}

__global__ void singles(uint64_t* out) {
  const float a = real(scatter(index())), b = real(scatter(index() + 1000)), c = real(scatter(index() + 2000));
  uint64_t sum = bits(__fadd_rn(a, b)) * 3 + bits(__fmul_rn(a, c)) * 5 + bits(__fmaf_rn(a, b, c)) * 7;
  sum += bits(__fdiv_rn(a, b)) * 11 + bits(__fsqrt_rn(fabsf(c))) * 13 + bits(__frcp_rn(b)) * 17;
  sum += bits(__fadd_rz(a, b)) * 19 + bits(__fmul_ru(a, c)) * 23 + bits(__fmaf_rd(a, b, c)) * 29 + bits(fminf(a, b));
  sum += static_cast<uint32_t>(__float2int_rn(a * 1e4f)) + static_cast<uint32_t>(__float2int_rz(b * 1e4f));
  out[index()] = sum + bits(__int2float_rn(static_cast<int>(scatter(index())))) * 31;
}

__global__ void doubles(uint64_t* out) {
  const double a = real64(scatter(index())), b = real64(scatter(index() + 1000)), c = real64(scatter(index() + 2000));
  uint64_t sum = bits(__dadd_rn(a, b)) * 3 + bits(__dmul_rn(a, c)) * 5 + bits(__fma_rn(a, b, c)) * 7;
  sum += bits(__ddiv_rn(a, b + 0.5)) * 11 + bits(__dsqrt_rn(fabs(c))) * 13 + bits(__double2float_rn(a)) * 17;
  out[index()] = sum + static_cast<uint64_t>(__double2ll_rz(c)) * 19;
}

__global__ void warps(uint64_t* out) {
  uint32_t value = scatter(index());
  const uint32_t lane = threadIdx.x % 32;
  uint64_t sum = __ballot_sync(0xffffffffu, value & 1);
  for (int step = 1; step < 32; step *= 2) {
    const uint32_t other = __shfl_up_sync(0xffffffffu, value, step);
    value += lane >= static_cast<uint32_t>(step) ? other : 0;
  }
  sum = sum * 31 + value + __shfl_xor_sync(0xffffffffu, value, 5) + __shfl_sync(0xffffffffu, value, lane / 2, 16);
  out[index()] = sum * 31 + __shfl_down_sync(0xffffffffu, value, 3);
}

__global__ void blocks(uint64_t* out) {
  __shared__ uint32_t values[kThreads];
  __shared__ uint32_t total, largest;
  const uint32_t mine = scatter(index());
  values[threadIdx.x] = mine;
  if (threadIdx.x == 0) {
    total = largest = 0;
  }
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < static_cast<unsigned>(half)) {
      values[threadIdx.x] = values[threadIdx.x] * 3 + values[threadIdx.x + half];
    }
    __syncthreads();
  }
  atomicAdd(&total, mine);
  atomicMax(&largest, mine >> (threadIdx.x % 7));
  __syncthreads();
  out[index()] = static_cast<uint64_t>(values[0]) << 32 ^ (static_cast<uint64_t>(largest) << 16) ^ total ^ threadIdx.x;
}

__global__ void atomics(uint64_t* out) {
  const uint32_t a = scatter(index());
  unsigned long long* words = reinterpret_cast<unsigned long long*>(out);
  atomicAdd(&words[a % (kCount / 2)], static_cast<unsigned long long>(a));
  atomicXor(&words[kCount / 2 + (a >> 7) % (kCount / 2)], static_cast<unsigned long long>(a) << 20);
}

struct Test {
  const char* name;
  void (*kernel)(uint64_t*);
};
constexpr Test kTests[] = {{"integers", integers}, {"long_integers", long_integers}, {"singles", singles},
                           {"doubles", doubles},   {"warps", warps},                 {"blocks", blocks},
                           {"atomics", atomics}};

int main() {
  uint64_t* out = device_array<uint64_t>(kCount);
  static uint64_t host[kCount];
  for (const Test& test : kTests) {
    CHECK(cudaMemset(out, 0, sizeof host));
    test.kernel<<<kBlocks, kThreads>>>(out);
    check_kernel();
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const unsigned char* byte = reinterpret_cast<unsigned char*>(host);
         byte < reinterpret_cast<unsigned char*>(host + kCount); ++byte) {
      hash = (hash ^ *byte) * 0x100000001b3u;
    }
    printf("%s %016llx\n", test.name, static_cast<unsigned long long>(hash));
  }
}
