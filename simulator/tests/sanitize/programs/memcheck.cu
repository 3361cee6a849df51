// Accesses that go wrong in each of the ways memcheck knows, and calls of the host that do.
#include "cases.cuh"

__global__ void write_up_to(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = i;  // FIND write_past_end: invalid_global_write thread=(100,0,0) block=(3,0,0) distance=0
  }
}
void write_past_end(bool bad) {
  constexpr int n = 3 * 128 + 100;
  int* out = filled<int>(n);
  write_up_to<<<4, 128>>>(out, bad ? n + 1 : n);
  cudaFree(out);
}

__global__ void shift(const int* in, int* out, int by) {
  const int i = threadIdx.x;
  out[i] = in[i - by];  // FIND read_before_start: invalid_global_read thread=(0,0,0) distance=4
}
void read_before_start(bool bad) {
  int* in = filled<int>(64);
  int* out = filled<int>(64);
  shift<<<1, 64>>>(in, out, bad ? 1 : 0);
  cudaFree(in);
  cudaFree(out);
}

__global__ void last_byte(char* text, int n) {
  text[n - 1] = 'x';  // FIND one_byte: invalid_global_write distance=0 thread=(0,0,0)
}
void one_byte(bool bad) {
  char* text = filled<char>(13);
  last_byte<<<1, 1>>>(text, bad ? 14 : 13);
  cudaFree(text);
}

__global__ void count(int* bins, int bin) {
  atomicAdd(&bins[bin], 1);  // FIND atomic_outside: invalid_global_atomic distance=4 thread=(0,0,0)
}
void atomic_outside(bool bad) {
  int* bins = filled<int>(8);
  count<<<1, 1>>>(bins, bad ? 9 : 7);
  cudaFree(bins);
}

__global__ void fixed_tile(int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  out[t] = tile[t + n];  // FIND shared_static: invalid_shared_read thread=(63,0,0) distance=0
}
void shared_static(bool bad) {
  int* out = filled<int>(64);
  fixed_tile<<<1, 64>>>(out, 0);
  if (bad) {
    fixed_tile<<<1, 64>>>(out, 1);
  }
  cudaFree(out);
}

__global__ void sized_tile(int* out) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  tile[t] = t;  // FIND shared_dynamic: invalid_shared_write thread=(63,0,0) distance=0
  __syncthreads();
  out[t] = tile[t ^ 1];  // FIND shared_dynamic: invalid_shared_read thread=(62,0,0) distance=0
}
void shared_dynamic(bool bad) {
  int* out = filled<int>(64);
  sized_tile<<<1, 64, bad ? 63 * 4 : 64 * 4>>>(out);
  cudaFree(out);
}

__global__ void load_vector(const float* in, float* out, int offset) {
  const float4 v = *reinterpret_cast<const float4*>(in + offset + 4 * threadIdx.x);  // FIND vector: misaligned_read thread=(0,0,0)
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
void vector(bool bad) {
  float* in = filled<float>(160);
  float* out = filled<float>(32);
  load_vector<<<1, 32>>>(in, out, bad ? 1 : 4);
  cudaFree(in);
  cudaFree(out);
}

__global__ void set_one(int* p) {
  *p = 1;  // FIND freed: use_after_free thread=(0,0,0) // FIND null: invalid_global_write // FIND host_pointer: invalid_global_write
}
void freed(bool bad) {
  int* p = filled<int>(16);
  if (!bad) {
    set_one<<<1, 1>>>(p + 3);
  }
  cudaFree(p);
  if (bad) {
    set_one<<<1, 1>>>(p + 3);
  }
}
void null(bool bad) {
  int* p = filled<int>(16);
  set_one<<<1, 1>>>(bad ? nullptr : p);
  cudaFree(p);
}
void host_pointer(bool bad) {
  int* p = filled<int>(16);
  // An address on the stack is as good as any, but another one in every run.
  set_one<<<1, 1>>>(bad ? reinterpret_cast<int*>(0x7ffe00001000) : p);
  cudaFree(p);
}

// FIND freed_twice: double_free
void freed_twice(bool bad) {
  int* p = filled<int>(16);
  cudaFree(p);
  if (bad) {
    cudaFree(p);
  }
}
// FIND freed_inside: invalid_free distance=4
void freed_inside(bool bad) {
  int* p = filled<int>(16);
  if (bad) {
    cudaFree(p + 1);
  }
  cudaFree(p);
}
// FIND not_freed: leak
void not_freed(bool bad) {
  int* p = filled<int>(16);
  int* q = filled<int>(100);
  cudaFree(p);
  if (!bad) {
    cudaFree(q);
  }
}
// FIND refused_copy: api_error
void refused_copy(bool bad) {
  int* p = filled<int>(16);
  int host[17] = {};
  cudaMemcpy(p, host, bad ? sizeof(host) : sizeof(host) - 4, cudaMemcpyHostToDevice);
  cudaFree(p);
}

int main(int argc, char** argv) {
  const Case cases[] = {{"write_past_end", write_past_end}, {"read_before_start", read_before_start},
                        {"one_byte", one_byte},             {"atomic_outside", atomic_outside},
                        {"shared_static", shared_static},   {"shared_dynamic", shared_dynamic},
                        {"vector", vector},                 {"freed", freed},
                        {"null", null},                     {"host_pointer", host_pointer},
                        {"freed_twice", freed_twice},       {"freed_inside", freed_inside},
                        {"not_freed", not_freed},           {"refused_copy", refused_copy}};
  return run_cases(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
