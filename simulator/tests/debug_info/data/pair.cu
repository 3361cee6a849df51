#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct Pair { float x; int n[3]; unsigned low : 4; int high : 5; };
enum Color { red, green = 5 };
typedef float Real;
__device__ int counter;
__device__ float scale(float v, Pair p) {
  Real r = v * p.x;
  for (int i = 0; i < 3; ++i) r += p.n[i];
  return r;
}
extern "C" __global__ void kernel(float* out, int n, Pair p) {
  __shared__ float tile[2][33];
  float local[4];
  Color color = green;
  local[n & 3] = scale(out[n], p);
  tile[1][n] = local[0];
  out[n] = tile[1][n] + local[n & 3] + color;
  counter = n;
}
