// cuComplex.h on both sides: the same results from a kernel and from the host, and known ones.
#include <cuComplex.h>

#include "check.cuh"

struct Results {
  cuDoubleComplex sum, difference, product, quotient, conjugate, fused;
  double size, large;
  cuComplex small_quotient;
  float small_size;
};

__host__ __device__ static Results compute() {
  const cuDoubleComplex a = make_cuDoubleComplex(3, -4), b = make_cuDoubleComplex(1, 2);
  const cuComplex c = make_cuComplex(-5, 12), d = cuComplexDoubleToFloat(b);
  return {cuCadd(a, b),
          cuCsub(a, b),
          cuCmul(a, b),
          cuCdiv(a, b),
          cuConj(a),
          cuCfma(a, b, a),
          cuCabs(a),
          cuCabs(make_cuDoubleComplex(3e200, 4e200)) / 1e200,
          cuCdivf(c, d),
          cuCabsf(c)};
}

__global__ void on_device(Results* out) { *out = compute(); }

static void show(const Results& r) {
  printf("(%g,%g) (%g,%g) (%g,%g) (%g,%g) (%g,%g) (%g,%g) %g %g (%g,%g) %g\n", cuCreal(r.sum), cuCimag(r.sum), r.difference.x,
         r.difference.y, r.product.x, r.product.y, r.quotient.x, r.quotient.y, r.conjugate.x, r.conjugate.y, r.fused.x,
         r.fused.y, r.size, r.large, cuCrealf(r.small_quotient), cuCimagf(r.small_quotient), r.small_size);
}

int main() {
  auto* device = device_array<Results>(1);
  on_device<<<1, 1>>>(device);
  check_launch();
  Results got;
  CHECK(cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost));
  show(got);
  show(compute());
  return 0;
}
