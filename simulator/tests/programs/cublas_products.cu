// Matrix products of cuBLAS: transposed or not, one or many, float, double and half, alpha and beta on the host or on
// the device. Small whole numbers: exact in any order.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

static int value(size_t i, int seed) { return static_cast<int>((i * 7 + seed) % 11) - 5; }

template <class T>
static T* upload(size_t count, int seed) {
  std::vector<T> host(count);
  for (size_t i = 0; i < count; ++i) {
    host[i] = static_cast<T>(static_cast<float>(value(i, seed)));
  }
  T* device = nullptr;
  cudaMalloc(&device, count * sizeof(T));
  cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

static const int kM = 13, kN = 9, kK = 17, kBatch = 3;
static const size_t kA = kM * kK, kB = kK * kN, kC = kM * kN;

// What 2 op(A) op(B) + 3 C is, for matrix `one` of a batch.
static double wanted(bool ta, bool tb, size_t one, int i, int j) {
  double sum = 0;
  for (int l = 0; l < kK; ++l) {
    const size_t a = one * kA + (ta ? static_cast<size_t>(i) * kK + l : static_cast<size_t>(l) * kM + i);
    const size_t b = one * kB + (tb ? static_cast<size_t>(l) * kN + j : static_cast<size_t>(j) * kK + l);
    sum += value(a, 1) * value(b, 2);
  }
  return 2 * sum + 3 * value(one * kC + static_cast<size_t>(j) * kM + i, 3);
}

template <class T>
static int wrong(const T* c, bool ta, bool tb, size_t matrices) {
  std::vector<T> result(matrices * kC);
  cudaMemcpy(result.data(), c, result.size() * sizeof(T), cudaMemcpyDeviceToHost);
  int count = 0;
  for (size_t i = 0; i < result.size(); ++i) {
    const int at = static_cast<int>(i % kC);
    count += static_cast<double>(static_cast<float>(result[i])) != wanted(ta, tb, i / kC, at % kM, at / kM);
  }
  return count;
}

int main() {
  cublasHandle_t blas;
  cublasCreate(&blas);
  const float alpha = 2, beta = 3;
  const double alpha_d = 2, beta_d = 3;
  for (int both = 0; both < 4; ++both) {
    const bool ta = both & 1, tb = both & 2;
    const cublasOperation_t oa = ta ? CUBLAS_OP_T : CUBLAS_OP_N, ob = tb ? CUBLAS_OP_T : CUBLAS_OP_N;
    const int lda = ta ? kK : kM, ldb = tb ? kN : kK;
    float* const a = upload<float>(kBatch * kA, 1);
    float* const b = upload<float>(kBatch * kB, 2);
    float* c = upload<float>(kC, 3);
    cublasSgemm(blas, oa, ob, kM, kN, kK, &alpha, a, lda, b, ldb, &beta, c, kM);
    int bad = wrong(c, ta, tb, 1);
    c = upload<float>(kBatch * kC, 3);
    cublasSgemmStridedBatched(blas, oa, ob, kM, kN, kK, &alpha, a, lda, kA, b, ldb, kB, &beta, c, kM, kC, kBatch);
    bad += wrong(c, ta, tb, kBatch);
    c = upload<float>(kBatch * kC, 3);
    std::vector<float*> lists;
    for (float* base : {a, b, c}) {
      for (size_t i = 0; i < kBatch; ++i) {
        lists.push_back(base + i * (base == a ? kA : base == b ? kB : kC));
      }
    }
    float** on_gpu = nullptr;
    cudaMalloc(&on_gpu, lists.size() * sizeof(float*));
    cudaMemcpy(on_gpu, lists.data(), lists.size() * sizeof(float*), cudaMemcpyHostToDevice);
    cublasSgemmBatched(blas, oa, ob, kM, kN, kK, &alpha, on_gpu, lda, on_gpu + kBatch, ldb, &beta, on_gpu + 2 * kBatch,
                       kM, kBatch);
    bad += wrong(c, ta, tb, kBatch);
    double* const cd = upload<double>(kC, 3);
    cublasDgemm(blas, oa, ob, kM, kN, kK, &alpha_d, upload<double>(kA, 1), lda, upload<double>(kB, 2), ldb, &beta_d, cd,
                kM);
    bad += wrong(cd, ta, tb, 1);
    __half* const ch = upload<__half>(kBatch * kC, 3);
    const __half* const ah = upload<__half>(kBatch * kA, 1);
    const __half* const bh = upload<__half>(kBatch * kB, 2);
    cublasGemmStridedBatchedEx(blas, oa, ob, kM, kN, kK, &alpha, ah, CUDA_R_16F, lda, kA, bh, CUDA_R_16F, ldb, kB,
                               &beta, ch, CUDA_R_16F, kM, kC, kBatch, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    bad += wrong(ch, ta, tb, kBatch);
    float* const cf = upload<float>(kC, 3);
    cublasGemmEx(blas, oa, ob, kM, kN, kK, &alpha, ah, CUDA_R_16F, lda, bh, CUDA_R_16F, ldb, &beta, cf, CUDA_R_32F, kM,
                 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    bad += wrong(cf, ta, tb, 1);
    std::printf("op(A) %d op(B) %d: %d wrong\n", ta, tb, bad);
  }
  float* const a = upload<float>(kA, 1);
  float* const b = upload<float>(kB, 2);
  float* const c = upload<float>(kC, 3);
  const float scalars[2] = {2, 3};
  float* on_gpu = nullptr;
  cudaMalloc(&on_gpu, sizeof scalars);
  cudaMemcpy(on_gpu, scalars, sizeof scalars, cudaMemcpyHostToDevice);
  cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE);
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, on_gpu, a, kM, b, kK, on_gpu + 1, c, kM);
  std::printf("scalars on the device: %d wrong\n", wrong(c, false, false, 1));
  cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST);
  std::printf("leading dimension too small: %s\n",
              cublasGetStatusName(
                  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, a, kM - 1, b, kK, &beta, c, kM)));
  std::printf("bytes: %s\n", cublasGetStatusName(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha, a,
                                                              CUDA_R_8U, kM, b, CUDA_R_8U, kK, &beta, c, CUDA_R_32I, kM,
                                                              CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT)));
  std::printf("no handle: %s\n", cublasGetStatusName(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, kM, kN, kK, &alpha,
                                                                 a, kM, b, kK, &beta, c, kM)));
  cublasDestroy(blas);
  return 0;
}
