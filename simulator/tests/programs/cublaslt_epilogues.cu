// Matrix products of cuBLASLt against the definition, in small whole numbers: orders, transposes, batches, bias, ReLU; GELU
// within its rounding; what does not fit together.
#include <cublasLt.h>

#include <cmath>

#include "check.cuh"

#define CUBLAS(call) check_cublas((call), __LINE__)

static void check_cublas(cublasStatus_t status, int line) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    printf("line %d: status %d\n", line, static_cast<int>(status));
    exit(1);
  }
}

static cublasLtHandle_t handle;
static int workspaces_refused = 0;  // that were null and not empty

struct Shape {
  int rows, columns, leading, order, batch;
  int at(int b, int i, int j) const {
    return b * size() + (order == CUBLASLT_ORDER_ROW ? i * leading + j : j * leading + i);
  }
  int size() const { return leading * (order == CUBLASLT_ORDER_ROW ? rows : columns); }
  cublasLtMatrixLayout_t layout(cudaDataType type) const {
    cublasLtMatrixLayout_t made;
    const int64_t stride = size();
    const int32_t wanted = order;
    CUBLAS(cublasLtMatrixLayoutCreate(&made, type, rows, columns, leading));
    CUBLAS(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ORDER, &wanted, sizeof wanted));
    CUBLAS(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
    CUBLAS(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride, sizeof stride));
    return made;
  }
};

template <class T>
static std::vector<T> numbers(int n, int seed) {
  std::vector<T> made(n);
  for (int i = 0; i < n; ++i) {
    made[i] = static_cast<T>((i * 7 + seed) % 9 - 4);
  }
  return made;
}

static double finished(cublasLtEpilogue_t epilogue, double x) {
  if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0) {
    return x > 0 ? x : 0;
  }
  return (epilogue & CUBLASLT_EPILOGUE_GELU) != 0 ? x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) : x;
}

// D (6 x 5) = epilogue(2 op(A) op(B) - C + bias), k = 4.
template <class T>
static void product(const char* name, cudaDataType type, cublasComputeType_t compute, bool turn_a, bool turn_b, int order, int batch,
                    cublasLtEpilogue_t epilogue, double allowed) {
  const Shape a{turn_a ? 4 : 6, turn_a ? 6 : 4, 7, order, batch}, b{turn_b ? 5 : 4, turn_b ? 4 : 5, 8, CUBLASLT_ORDER_COL, batch},
      d{6, 5, 6, order, batch};
  const auto ha = numbers<T>(a.size() * batch, 1), hb = numbers<T>(b.size() * batch, 2), hc = numbers<T>(d.size() * batch, 3),
             bias = numbers<T>(6, 4);
  T *da = to_device(ha), *db = to_device(hb), *dc = to_device(hc), *dbias = to_device(bias);
  auto* dd = device_array<T>(d.size() * batch);
  cublasLtMatmulDesc_t matmul;
  CUBLAS(cublasLtMatmulDescCreate(&matmul, compute, type));
  const cublasOperation_t op_a = turn_a ? CUBLAS_OP_T : CUBLAS_OP_N, op_b = turn_b ? CUBLAS_OP_T : CUBLAS_OP_N;
  CUBLAS(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA, &op_a, sizeof op_a));
  CUBLAS(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSB, &op_b, sizeof op_b));
  CUBLAS(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
  CUBLAS(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &dbias, sizeof dbias));
  const cublasLtMatrixLayout_t la = a.layout(type), lb = b.layout(type), ld = d.layout(type);
  cublasLtMatmulPreference_t preference;
  const size_t most = 1 << 20;
  CUBLAS(cublasLtMatmulPreferenceCreate(&preference));
  CUBLAS(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most));
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  CUBLAS(cublasLtMatmulAlgoGetHeuristic(handle, matmul, la, lb, ld, ld, preference, 1, &best, &found));
  const T alpha = 2, beta = -1;
  const auto multiply = [&](void* workspace, size_t bytes) {
    return cublasLtMatmul(handle, matmul, &alpha, da, la, db, lb, &beta, dc, ld, dd, ld, &best.algo, workspace, bytes, nullptr);
  };
  workspaces_refused += multiply(nullptr, most) == CUBLAS_STATUS_INVALID_VALUE;
  CUBLAS(multiply(device_array<char>(most), best.workspaceSize));
  const auto got = to_host(dd, d.size() * batch);
  int wrong = 0;
  for (int t = 0; t < batch; ++t) {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 5; ++j) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) {
          sum += static_cast<double>(ha[turn_a ? a.at(t, k, i) : a.at(t, i, k)]) * hb[turn_b ? b.at(t, j, k) : b.at(t, k, j)];
        }
        sum = 2 * sum - hc[d.at(t, i, j)] + ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0 ? bias[i] : 0);
        wrong += !(std::fabs(got[d.at(t, i, j)] - finished(epilogue, sum)) <= allowed);
      }
    }
  }
  printf("%s: %d wrong\n", name, wrong);
  for (T* one : {da, db, dc, dd, dbias}) {
    CHECK(cudaFree(one));
  }
}

int main() {
  CUBLAS(cublasLtCreate(&handle));
  product<float>("by columns", CUDA_R_32F, CUBLAS_COMPUTE_32F, false, false, CUBLASLT_ORDER_COL, 1, CUBLASLT_EPILOGUE_DEFAULT, 0);
  product<float>("bias, transposed A", CUDA_R_32F, CUBLAS_COMPUTE_32F, true, false, CUBLASLT_ORDER_COL, 1, CUBLASLT_EPILOGUE_BIAS, 0);
  product<double>("by rows, ReLU and bias, transposed B", CUDA_R_64F, CUBLAS_COMPUTE_64F, false, true, CUBLASLT_ORDER_ROW, 1,
                  CUBLASLT_EPILOGUE_RELU_BIAS, 0);
  product<float>("batch of three, GELU", CUDA_R_32F, CUBLAS_COMPUTE_32F, true, true, CUBLASLT_ORDER_COL, 3, CUBLASLT_EPILOGUE_GELU, 1e-5);
  printf("no workspace: %d refused\n", workspaces_refused);
  cublasLtMatrixLayout_t small, large;
  cublasLtMatmulDesc_t matmul;
  cublasLtMatmulHeuristicResult_t best;
  int found = 7;
  CUBLAS(cublasLtMatrixLayoutCreate(&small, CUDA_R_32F, 4, 4, 4));
  CUBLAS(cublasLtMatrixLayoutCreate(&large, CUDA_R_32F, 5, 5, 5));
  CUBLAS(cublasLtMatmulDescCreate(&matmul, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle, matmul, small, large, small, small, nullptr, 1, &best, &found);
  printf("4 x 4 by 5 x 5: status %d, %d algorithms\n", static_cast<int>(status), found);
  const float flag = 1;
  printf("an attribute of another size: %d\n",
         static_cast<int>(cublasLtMatmulDescSetAttribute(matmul, CUBLASLT_MATMUL_DESC_TRANSA, &flag, 2)));
  CUBLAS(cublasLtDestroy(handle));
  return 0;
}
