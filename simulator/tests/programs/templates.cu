// Template kernels over types, values and function objects; device lambdas.
#include "check.cuh"

template <class T, int kScale>
__global__ void scale(const T* in, T* out) {
  out[threadIdx.x] = in[threadIdx.x] * T(kScale);
}

template <class F>
__global__ void apply(int* out, F f) {
  out[threadIdx.x] = f(static_cast<int>(threadIdx.x));
}

struct AddConstant {
  int constant;
  __device__ int operator()(int x) const { return x + constant; }
};

template <class T>
void run_scale(const char* name) {
  std::vector<T> in(16);
  for (int i = 0; i < 16; ++i) {
    in[i] = static_cast<T>(i);
  }
  T* out = device_array<T>(16);
  scale<T, 3><<<1, 16>>>(to_device(in), out);
  check_launch();
  printf("%s %lld\n", name, checksum(to_host(out, 16)));
}

int main() {
  run_scale<float>("float");
  run_scale<double>("double");
  run_scale<short>("short");
  run_scale<unsigned long long>("unsigned long long");
  int* out = device_array<int>(16);
  apply<<<1, 16>>>(out, AddConstant{5});
  check_launch();
  printf("function object %lld\n", checksum(to_host(out, 16)));
  const int factor = 4;
  apply<<<1, 16>>>(out, [=] __device__(int x) { return x * factor; });
  check_launch();
  printf("lambda %lld\n", checksum(to_host(out, 16)));
}
