// Fourier transforms of cuFFT: a known spectrum, a convolution by the spectrum against the sum, real numbers in place and
// in batches, two dimensions there and back, on a stream.
#include <cufft.h>

#include <cmath>

#include "check.cuh"

#define CUFFT(call) check_cufft((call), __LINE__)

static void check_cufft(cufftResult status, int line) {
  if (status != CUFFT_SUCCESS) {
    printf("line %d: status %d\n", line, status);
    exit(1);
  }
}

static float pseudo(int i) { return static_cast<float>(i * 37 % 101) / 101 - 0.5F; }

// A wave of 5 turns in 64 points: two lines in its spectrum.
static void known_spectrum() {
  const int n = 64;
  std::vector<cufftDoubleComplex> x(n);
  for (int i = 0; i < n; ++i) {
    x[i] = make_cuDoubleComplex(std::cos(2 * M_PI * 5 * i / n), 0);
  }
  cufftDoubleComplex* data = to_device(x);
  cufftHandle plan;
  CUFFT(cufftPlan1d(&plan, n, CUFFT_Z2Z, 1));
  CUFFT(cufftExecZ2Z(plan, data, data, CUFFT_FORWARD));
  const auto y = to_host(data, n);
  for (int k = 0; k < n; ++k) {
    if (std::hypot(y[k].x, y[k].y) > 1e-9) {
      printf("line %d: %.1f\n", k, y[k].x);
    }
  }
  CUFFT(cufftDestroy(plan));
  printf("after its end: %d\n", cufftExecZ2Z(plan, data, data, CUFFT_FORWARD));
  CHECK(cudaFree(data));
}

__global__ void multiply(cufftComplex* a, const cufftComplex* b, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    const float scale = 1.0F / static_cast<float>(n);
    a[i] = make_cuComplex((a[i].x * b[i].x - a[i].y * b[i].y) * scale, (a[i].x * b[i].y + a[i].y * b[i].x) * scale);
  }
}

static void convolution() {
  const int n = 360;  // no power of two
  std::vector<cufftComplex> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = make_cuComplex(pseudo(i), 0);
    b[i] = make_cuComplex(pseudo(3 * i + 1), 0);
  }
  cufftComplex* da = to_device(a);
  cufftComplex* db = to_device(b);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cufftHandle plan;
  CUFFT(cufftPlan1d(&plan, n, CUFFT_C2C, 1));
  CUFFT(cufftSetStream(plan, stream));
  CUFFT(cufftExecC2C(plan, da, da, CUFFT_FORWARD));
  CUFFT(cufftExecC2C(plan, db, db, CUFFT_FORWARD));
  multiply<<<2, 256, 0, stream>>>(da, db, n);
  CUFFT(cufftExecC2C(plan, da, da, CUFFT_INVERSE));
  CHECK(cudaStreamSynchronize(stream));
  const auto y = to_host(da, n);
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j) {
      sum += static_cast<double>(a[j].x) * b[(i - j + n) % n].x;
    }
    worst = std::fmax(worst, std::fabs(sum - y[i].x));
  }
  printf("convolution: %s\n", worst < 1e-5 ? "right" : "wrong");
  CUFFT(cufftDestroy(plan));
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
}

// Rows of real numbers, padded so that their spectra have room.
static void real_batch() {
  const int n = 100, half = n / 2 + 1, batch = 3;
  std::vector<float> x(2 * half * batch);
  for (int row = 0; row < batch; ++row) {
    for (int i = 0; i < n; ++i) {
      x[row * 2 * half + i] = pseudo(i + 7 * row);
    }
  }
  float* data = to_device(x);
  cufftHandle there, back;
  int lengths[] = {n}, reals[] = {2 * half}, halves[] = {half};
  CUFFT(cufftPlanMany(&there, 1, lengths, reals, 1, 2 * half, halves, 1, half, CUFFT_R2C, batch));
  CUFFT(cufftPlan1d(&back, n, CUFFT_C2R, batch));
  CUFFT(cufftExecR2C(there, data, reinterpret_cast<cufftComplex*>(data)));
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[2 * half + i];
  }
  printf("sum of a row: %s\n", std::fabs(to_host(data, x.size())[2 * half] - sum) < 1e-4 ? "right" : "wrong");
  CUFFT(cufftExecC2R(back, reinterpret_cast<cufftComplex*>(data), data));
  const auto y = to_host(data, x.size());
  double worst = 0;
  for (int row = 0; row < batch; ++row) {
    for (int i = 0; i < n; ++i) {
      worst = std::fmax(worst, std::fabs(y[row * 2 * half + i] / n - x[row * 2 * half + i]));
    }
  }
  printf("real there and back: %s\n", worst < 1e-5 ? "right" : "wrong");
  CUFFT(cufftDestroy(there));
  CUFFT(cufftDestroy(back));
  CHECK(cudaFree(data));
}

static void image() {
  const int rows = 24, columns = 32;
  std::vector<double> x(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    x[i] = pseudo(i);
  }
  double* real = to_device(x);
  auto* spectrum = device_array<cufftDoubleComplex>(rows * (columns / 2 + 1));
  cufftHandle there, back;
  size_t work = 1;
  CUFFT(cufftCreate(&there));
  CUFFT(cufftMakePlan2d(there, rows, columns, CUFFT_D2Z, &work));
  CUFFT(cufftPlan2d(&back, rows, columns, CUFFT_Z2D));
  CUFFT(cufftExecD2Z(there, real, spectrum));
  CHECK(cudaMemset(real, 0, x.size() * sizeof(double)));
  CUFFT(cufftExecZ2D(back, spectrum, real));
  const auto y = to_host(real, x.size());
  double worst = 0;
  for (int i = 0; i < rows * columns; ++i) {
    worst = std::fmax(worst, std::fabs(y[i] / (rows * columns) - x[i]));
  }
  printf("image there and back: %s\n", worst < 1e-12 ? "right" : "wrong");
  printf("a plan of another type: %d\n", cufftExecZ2D(there, spectrum, real));
  CHECK(cudaFree(real));
  CHECK(cudaFree(spectrum));
}

int main() {
  known_spectrum();
  convolution();
  real_batch();
  image();
  cufftHandle plan;
  printf("no length: %d\n", cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  return 0;
}
