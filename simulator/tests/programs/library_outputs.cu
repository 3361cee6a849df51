// Everything that a library's function writes counts as written, also where it writes to several places: the checks find no
// read of memory that was never written.
#include <cublas_v2.h>
#include <cudnn.h>
#include <cusparse.h>

#include "check.cuh"

template <class T>
static T* fresh(size_t n) {
  T* p = nullptr;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  return p;
}

template <class T>
static double sum_of(const T* device, size_t n) {
  double sum = 0;
  for (const T& one : to_host(device, n)) {
    sum += static_cast<double>(one);
  }
  return sum;
}

static void batches() {
  double* a = to_device(std::vector<double>{4, 1, 2, 3, 5, 2, 1, 6});
  double* c = fresh<double>(8);
  double** as = to_device(std::vector<double*>{a, a + 4});
  double** cs = to_device(std::vector<double*>{c, c + 4});
  int *pivots = fresh<int>(4), *info = fresh<int>(2);
  const double one = 1, zero = 0;
  cublasHandle_t blas;
  cublasCreate(&blas);
  cublasDgemmBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, as, 2, as, 2, &zero, cs, 2, 2);
  printf("products: %g\n", sum_of(c, 8));
  cublasDgetrfBatched(blas, 2, as, 2, pivots, info, 2);
  printf("pivots: %g, info: %g\n", sum_of(pivots, 4), sum_of(info, 2));
  double* inverses = fresh<double>(8);
  double** to = to_device(std::vector<double*>{inverses, inverses + 4});
  cublasDgetriBatched(blas, 2, as, 2, pivots, to, 2, info, 2);
  printf("inverses: %.6f\n", sum_of(inverses, 8));
}

static void statistics() {
  cudnnHandle_t cudnn;
  cudnnTensorDescriptor_t shape, of_channels;
  cudnnCreate(&cudnn);
  cudnnCreateTensorDescriptor(&shape);
  cudnnCreateTensorDescriptor(&of_channels);
  cudnnSetTensor4dDescriptor(shape, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 2, 2, 1, 2);
  cudnnDeriveBNTensorDescriptor(of_channels, shape, CUDNN_BATCHNORM_SPATIAL);
  float* x = to_device(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  float *scale = to_device(std::vector<float>{1, 1}), *bias = to_device(std::vector<float>{0, 0});
  float *y = fresh<float>(8), *dx = fresh<float>(8), *ds = fresh<float>(2), *db = fresh<float>(2);
  float *mean = fresh<float>(2), *variance = fresh<float>(2), *saved = fresh<float>(2), *inverse = fresh<float>(2);
  const float one = 1, zero = 0;
  cudnnBatchNormalizationForwardTraining(cudnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, shape, x, shape, y, of_channels, scale, bias, 1,
                                         mean, variance, 1e-5, saved, inverse);
  printf("means: %g, %g; variances: %.4f\n", sum_of(mean, 2), sum_of(saved, 2), sum_of(variance, 2));
  cudnnBatchNormalizationBackward(cudnn, CUDNN_BATCHNORM_SPATIAL, &one, &zero, &one, &zero, shape, x, shape, x, shape, dx, of_channels,
                                  scale, ds, db, 1e-5, saved, inverse);
  printf("gradient of the bias: %g\n", sum_of(db, 2));
  printf("of the scale: %.4f, of x below 1e-4: %d\n", sum_of(ds, 2), sum_of(dx, 8) < 1e-4);
}

static void entries() {
  cusparseHandle_t sparse;
  cusparseDnMatDescr_t dense;
  cusparseSpMatDescr_t csr;
  cusparseCreate(&sparse);
  float* from = to_device(std::vector<float>{1, 0, 0, 2, 0, 3});
  int* offsets = fresh<int>(3);
  cusparseCreateDnMat(&dense, 2, 3, 3, from, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseCreateCsr(&csr, 2, 3, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  size_t bytes = 0;
  cusparseDenseToSparse_bufferSize(sparse, dense, csr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes);
  void* const buffer = fresh<char>(bytes);
  cusparseDenseToSparse_analysis(sparse, dense, csr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
  int* indices = fresh<int>(3);
  float* values = fresh<float>(3);
  cusparseCsrSetPointers(csr, offsets, indices, values);
  cusparseDenseToSparse_convert(sparse, dense, csr, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer);
  printf("offsets: %g, columns: %g, values: %g\n", sum_of(offsets, 3), sum_of(indices, 3), sum_of(values, 3));
}

int main() {
  batches();
  statistics();
  entries();
  return 0;
}
