// Kernels long enough that automatic mode times only a part of them, each of another shape: what sampling is tested with.
//   sampled KIND...  prints the time of one launch of each; KIND as in time_of()
#include "bench.cuh"

constexpr int kBlock = 256;

__device__ inline uint32_t scramble(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

__device__ inline uint32_t thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

// Memory in order: one element per thread.
__global__ void triad(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(thread_number());
  if (i < n) {
    c[i] = a[i] + 3.0f * b[i];
  }
}

// The same by as many threads as the GPU holds: one wave of long blocks.
__global__ void triad_resident(const float* a, const float* b, float* c, int n) {
  for (int i = static_cast<int>(thread_number()); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    c[i] = a[i] + 3.0f * b[i];
  }
}

// Memory out of order: each thread walks over neighbours of its own.
__global__ void runs(const float* a, float* c, int each) {
  const size_t begin = static_cast<size_t>(thread_number()) * each;
  float sum = 0;
  for (int i = 0; i < each; ++i) {
    sum += a[begin + i];
  }
  c[thread_number()] = sum;
}

__global__ void gather(const float* a, float* c, uint32_t mask, int each) {
  float sum = 0;
  for (int i = 0; i < each; ++i) {
    sum += a[scramble(thread_number() * each + i) & mask];
  }
  c[thread_number()] = sum;
}

constexpr int kTile = 16;

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int step = 0; step < n; step += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + step + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(step + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// Without tiles: the caches do what they can.
__global__ void product_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}

__global__ void doubles(double* c, int each) {
  double x = thread_number(), y = 1.0 + x, z = 2.0 + x;
  for (int i = 0; i < each; ++i) {
    x = x * 1.0000001 + 0.5;
    y = y * 0.9999999 + 0.25;
    z = z * 1.0000002 + 0.125;
  }
  c[thread_number()] = x + y + z;
}

__global__ void functions(float* c, int each) {
  float x = thread_number() * 1e-6f;
  for (int i = 0; i < each; ++i) {
    x = __sinf(x) + __expf(-x);
  }
  c[thread_number()] = x;
}

// Each lane takes another number of turns.
__global__ void divergent(float* c, int most) {
  float x = 1;
  for (uint32_t i = scramble(thread_number()) % most; i > 0; --i) {
    x = x * 1.01f + 0.5f;
  }
  c[thread_number()] = x;
}

// Later blocks have more to do.
__global__ void triangle(const float* a, float* c, int n) {
  float sum = 0;
  for (int i = threadIdx.x; i < static_cast<int>(blockIdx.x) * 16; i += blockDim.x) {
    sum += a[(blockIdx.x * 64 + i) % n] * 1.5f;
  }
  c[thread_number()] = sum;
}

__global__ void histogram(const uint32_t* a, uint32_t* bins, int n) {
  __shared__ uint32_t own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = static_cast<int>(thread_number()); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    atomicAdd(&own[scramble(a[i] + i) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void scatter(uint32_t* bins, uint32_t mask, int each) {
  for (int i = 0; i < each; ++i) {
    atomicAdd(&bins[scramble(thread_number() * each + i) & mask], 1u);
  }
}

__global__ void stencil(const float* a, float* c, int n) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1) {
    c[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
  }
}

__global__ void reduce(const float* a, float* c, int n) {
  __shared__ float warps[kBlock / 32];
  float sum = 0;
  for (int i = static_cast<int>(thread_number()); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    sum += a[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (threadIdx.x % 32 == 0) {
    warps[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kBlock / 32; ++w) {
      sum += warps[w];
    }
    atomicAdd(c, sum);
  }
}

// Every thread loads first and computes then: with one wave of blocks the two do not mix.
__global__ void phases(const float* a, float* c, int n, int turns) {
  float sum = 0;
  for (int i = static_cast<int>(thread_number()); i < n; i += static_cast<int>(gridDim.x * blockDim.x)) {
    sum += a[i];
  }
  for (int i = 0; i < turns; ++i) {
    sum = sum * 1.0001f + 0.5f;
  }
  c[thread_number()] = sum;
}

__global__ void alone(float* c, int n) {
  for (int i = 0; i < n; ++i) {
    c[0] += 1.0f;
  }
}

constexpr int kWords = 1 << 24;  // of each array

double time_of(const char* kind, float* a, float* b, float* c) {
  const int sms = multiprocessors();
  const auto is = [kind](const char* name) { return strcmp(kind, name) == 0; };
  const auto words = [](float* p) { return reinterpret_cast<uint32_t*>(p); };
  const dim3 tile(kTile, kTile), tiles(512 / kTile, 512 / kTile);
  return event_us([&] {
    if (is("triad")) {
      triad<<<kWords / kBlock, kBlock>>>(a, b, c, kWords);
    } else if (is("triad_resident")) {
      triad_resident<<<sms * 4, kBlock>>>(a, b, c, kWords);
    } else if (is("runs")) {
      runs<<<1024, kBlock>>>(a, c, 64);
    } else if (is("gather")) {
      gather<<<1024, kBlock>>>(a, c, kWords - 1, 32);
    } else if (is("product")) {
      product<<<tiles, tile>>>(a, b, c, 512);
    } else if (is("product_naive")) {
      product_naive<<<tiles, tile>>>(a, b, c, 512);
    } else if (is("doubles")) {
      doubles<<<640, kBlock>>>(reinterpret_cast<double*>(c), 400);
    } else if (is("functions")) {
      functions<<<1280, kBlock>>>(c, 200);
    } else if (is("divergent")) {
      divergent<<<4096, kBlock>>>(c, 100);
    } else if (is("triangle")) {
      triangle<<<2048, kBlock>>>(a, c, kWords);
    } else if (is("histogram")) {
      histogram<<<sms * 4, kBlock>>>(words(a), words(c), kWords / 2);
    } else if (is("scatter")) {
      scatter<<<512, kBlock>>>(words(c), (1 << 20) - 1, 32);
    } else if (is("stencil")) {
      stencil<<<dim3(4096 / kTile, 4096 / kTile), tile>>>(a, c, 4096);
    } else if (is("reduce")) {
      reduce<<<sms * 4, kBlock>>>(a, c, kWords);
    } else if (is("phases")) {
      phases<<<sms * 4, kBlock>>>(a, c, kWords / 2, 3000);
    } else if (is("alone")) {
      alone<<<1, 1>>>(c, 2000000);
    } else {
      fprintf(stderr, "sampled: '%s' is no kind\n", kind);
      exit(2);
    }
  });
}

int main(int argc, char** argv) {
  float* arrays[3];
  for (float*& array : arrays) {
    array = device_array<float>(kWords);
  }
  for (int i = 1; i < argc; ++i) {
    evict();
    result(argv[i], time_of(argv[i], arrays[0], arrays[1], arrays[2]), "us");
  }
  return 0;
}
