// Vectors and matrix-vector products of cuBLAS, with steps, against the definition.
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

static const int kN = 100;

template <class T>
static T* upload(const std::vector<T>& host) {
  T* device = nullptr;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T>
static std::vector<T> download(const T* device, size_t count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

int main() {
  cublasHandle_t blas;
  cublasCreate(&blas);
  std::vector<float> x(2 * kN), y(kN);
  for (int i = 0; i < 2 * kN; ++i) {
    x[i] = static_cast<float>(i * 7 % 11 - 5);
  }
  for (int i = 0; i < kN; ++i) {
    y[i] = static_cast<float>(i * 5 % 13 - 6);
  }
  float* const dx = upload(x);
  float* const dy = upload(y);
  float dot = 0, norm = 0, sum = 0, expected_dot = 0, squares = 0, expected_sum = 0;
  int largest = 0, expected_largest = 1;
  cublasSdot(blas, kN, dx, 2, dy, 1, &dot);
  cublasSnrm2(blas, kN, dx, 2, &norm);
  cublasSasum(blas, kN, dx, 2, &sum);
  cublasIsamax(blas, kN, dx, 2, &largest);
#if !defined(CUDART_VERSION) || CUDART_VERSION >= 12000 || defined(cublasIsamax_64)
  int64_t wide = -1;
  cublasIsamax_64(blas, kN, dx, 2, &wide);
  largest = wide == largest ? largest : -1;
#endif
  for (int i = 0; i < kN; ++i) {
    expected_dot += x[2 * i] * y[i];
    squares += x[2 * i] * x[2 * i];
    expected_sum += std::fabs(x[2 * i]);
    expected_largest = std::fabs(x[2 * i]) > std::fabs(x[2 * (expected_largest - 1)]) ? i + 1 : expected_largest;
  }
  std::printf("dot %d nrm2 %d asum %d iamax %d\n", dot == expected_dot, norm == std::sqrt(squares), sum == expected_sum,
              largest == expected_largest);

  const float two = 2, three = 3;
  cublasSaxpy(blas, kN, &two, dx, 2, dy, 1);
  cublasSscal(blas, kN, &three, dy, 1);
  const std::vector<float> updated = download(dy, kN);
  int wrong = 0;
  for (int i = 0; i < kN; ++i) {
    wrong += updated[i] != 3 * (2 * x[2 * i] + y[i]);
  }
  cublasScopy(blas, kN, dx, -2, dy, 1);  // backwards
  const std::vector<float> copied = download(dy, kN);
  for (int i = 0; i < kN; ++i) {
    wrong += copied[i] != x[2 * (kN - 1 - i)];
  }
  std::printf("axpy, scal, copy: %d wrong\n", wrong);

  const int rows = 6, columns = 4;
  std::vector<double> a(rows * columns), v(columns), u(rows, 1.0);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<double>(i % 5) - 2;
  }
  for (int i = 0; i < columns; ++i) {
    v[i] = i + 1;
  }
  double* const da = upload(a);
  double* const dv = upload(v);
  double* const du = upload(u);
  const double alpha = 2, beta = 3;
  cublasDgemv(blas, CUBLAS_OP_N, rows, columns, &alpha, da, rows, dv, 1, &beta, du, 1);
  const std::vector<double> product = download(du, rows);
  wrong = 0;
  for (int i = 0; i < rows; ++i) {
    double row = 0;
    for (int j = 0; j < columns; ++j) {
      row += a[j * rows + i] * v[j];
    }
    wrong += product[i] != 2 * row + 3;
  }
  cublasDger(blas, rows, columns, &alpha, du, 1, dv, 1, da, rows);
  const std::vector<double> outer = download(da, a.size());
  for (int i = 0; i < rows * columns; ++i) {
    wrong += outer[i] != a[i] + 2 * product[i % rows] * v[i / rows];
  }
  std::printf("gemv, ger: %d wrong\n", wrong);

  float* result = nullptr;
  cudaMalloc(&result, sizeof(float));
  cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
  cublasSdot(blas, kN, dx, 1, dx, 1, result);
  float expected = 0;
  for (int i = 0; i < kN; ++i) {
    expected += x[i] * x[i];
  }
  std::printf("result on the device %d\n", download(result, 1)[0] == expected);
  cublasDestroy(blas);
  return 0;
}
