// Function pointers in a device table and virtual functions, both with a different target per lane.
#include "check.cuh"

typedef int (*Operation)(int, int);
__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[3] = {add, subtract, multiply};

__device__ int destroyed = 0;

// With work in its destructor the abstract class keeps a table of its own, which names no function for area().
struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() { atomicAdd(&destroyed, 1); }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
  int w, h;
  __device__ Rectangle(int a, int b) : w(a), h(b) {}
  __device__ int area() const override { return w * h; }
};

__global__ void call(int* out) {
  const int t = threadIdx.x;
  const Operation operation = operations[t % 3];
  Shape* shape = t % 2 ? static_cast<Shape*>(new Square(t)) : new Rectangle(t, 3);
  out[t] = operation(t, 7) + 1000 * shape->area();
  delete shape;
}

int main() {
  int* out = device_array<int>(32);
  call<<<1, 32>>>(out);
  check_launch();
  const std::vector<int> got = to_host(out, 32);
  printf("%d %d %d %d\n", got[0], got[1], got[2], got[31]);
  printf("checksum %lld\n", checksum(got));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, destroyed, sizeof count));
  printf("destroyed %d\n", count);
}
