// Programs of many launches, of which automatic mode times some: what taking the others' time from them is tested with.
//   launches KIND     KIND as in run()
#include "bench.cuh"

#include <utility>
#include <vector>

constexpr int kBlock = 256, kTile = 16;

// One step of a diffusion from one array to the other.
__global__ void diffuse(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const float* at = from + y * n + x;
    to[y * n + x] = 0.25f * (at[-1] + at[1] + at[-n] + at[n]);
  }
}

// Column k of a Gaussian elimination: less to do every time, with the same grid.
__global__ void eliminate(float* m, int n, int k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > k && y > k && x < n && y < n) {
    m[y * n + x] -= m[y * n + k] * m[k * n + x] / (m[k * n + k] + 2.0f);
  }
}

// One pass of a bitonic sort: neighbours at another distance every time.
__global__ void exchange(unsigned* keys, unsigned distance, unsigned run) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other > i && ((i & run) == 0) == (keys[i] > keys[other])) {
    const unsigned key = keys[i];
    keys[i] = keys[other];
    keys[other] = key;
  }
}

// Shortest paths through node k.
__global__ void shorten(unsigned* length, int n, int k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  length[y * n + x] = min(length[y * n + x], length[y * n + k] + length[k * n + x]);
}

// Two kernels in turn, a long one and a short one.
__global__ void attract(const float4* place, float4* speed, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = place[i];
  float3 sum = {0, 0, 0};
  for (int j = 0; j < n; ++j) {
    const float4 it = place[j];
    const float3 d = {it.x - me.x, it.y - me.y, it.z - me.z};
    const float r = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 1e-3f), pull = r * r * r;
    sum = {sum.x + d.x * pull, sum.y + d.y * pull, sum.z + d.z * pull};
  }
  speed[i] = {speed[i].x + sum.x, speed[i].y + sum.y, speed[i].z + sum.z, 0};
}

__global__ void move(float4* place, const float4* speed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  place[i] = {place[i].x + 1e-4f * speed[i].x, place[i].y + 1e-4f * speed[i].y, place[i].z + 1e-4f * speed[i].z, 0};
}

// One level of a breadth-first search in a ring with chords: few nodes have anything to do, others every time.
__global__ void visit(unsigned* level, unsigned n, unsigned now) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (level[i] == now) {
    for (unsigned e = 1; e <= 8; ++e) {
      unsigned& next = level[(i + e * e * 31) % n];
      next = min(next, now + 1);
    }
  }
}

__global__ void product(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += a[y * n + k] * b[k * n + x];
  }
  c[y * n + x] = sum;
}

constexpr int kWords = 1 << 20;

unsigned* random_words(int count) {
  std::vector<unsigned> words(count);
  unsigned state = 1;
  for (unsigned& word : words) {
    state = state * 1664525u + 1013904223u;
    word = (state >> 8) % 1000 + 1;
  }
  unsigned* out = device_array<unsigned>(kWords);
  CHECK(cudaMemcpy(out, words.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice));
  return out;
}

dim3 tiles(int n) { return dim3(n / kTile, n / kTile); }

void run(const char* kind) {
  const auto is = [kind](const char* name) { return strcmp(kind, name) == 0; };
  const dim3 tile(kTile, kTile);
  unsigned* data = random_words(kWords / 4);
  float *a = device_array<float>(kWords), *b = device_array<float>(kWords);
  if (is("diffusion")) {
    for (int step = 0; step < 60; ++step, std::swap(a, b)) {
      diffuse<<<tiles(768), tile>>>(a, b, 768);
    }
  } else if (is("elimination")) {
    for (int k = 0; k < 384; ++k) {
      eliminate<<<tiles(384), tile>>>(a, 384, k);
    }
  } else if (is("sort")) {
    for (unsigned length = 2; length <= kWords / 4; length *= 2) {
      for (unsigned distance = length / 2; distance > 0; distance /= 2) {
        exchange<<<kWords / 4 / kBlock, kBlock>>>(data, distance, length);
      }
    }
  } else if (is("paths")) {
    for (int k = 0; k < 384; ++k) {
      shorten<<<tiles(384), tile>>>(data, 384, k);
    }
  } else if (is("bodies")) {
    for (int step = 0; step < 12; ++step) {
      attract<<<2048 / kBlock, kBlock>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b), 2048);
      move<<<2048 / kBlock, kBlock>>>(reinterpret_cast<float4*>(a), reinterpret_cast<float4*>(b));
    }
  } else if (is("levels")) {
    CHECK(cudaMemset(data, 1, kWords * sizeof(unsigned)));
    CHECK(cudaMemset(data, 0, sizeof(unsigned)));
    for (unsigned now = 0; now < 200; ++now) {
      visit<<<kWords / 4 / kBlock, kBlock>>>(data, kWords / 4, now);
    }
  } else if (is("again")) {
    for (int time = 0; time < 12; ++time) {
      product<<<tiles(256), tile>>>(a, b, reinterpret_cast<float*>(data), 256);
    }
  } else {
    fprintf(stderr, "launches: '%s' is no kind\n", kind);
    exit(2);
  }
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  run(arguments.mode());
  check_kernel();
  return 0;
}
