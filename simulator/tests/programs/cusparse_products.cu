// Sparse matrices of cuSPARSE in every format against the dense product, in small whole numbers: every result is exact. From
// dense to sparse and back; wrong sizes; an index outside of the matrix.
#include <cusparse.h>

#include "check.cuh"

#define CUSPARSE(call) check_cusparse((call), __LINE__)

static void check_cusparse(cusparseStatus_t status, int line) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    printf("line %d: %s\n", line, cusparseGetErrorName(status));
    exit(1);
  }
}

static const int kRows = 7, kColumns = 5, kWide = 3;
static cusparseHandle_t handle;

// What a call asks for: the library writes to it.
static void* buffer_of(size_t bytes) { return device_array<char>(bytes > 0 ? bytes : 1); }

static int entry(int i, int j) { return (i * 5 + j * 3) % 4 == 0 ? 0 : (i * 3 + j * 7) % 3 == 0 ? (i + 2 * j) % 7 - 3 : 0; }

// By rows, or by columns: offsets, the other index, values, and for each entry its own line.
template <class I, class T>
struct Arrays {
  std::vector<I> offsets, lines, others;
  std::vector<T> values;

  Arrays(bool by_rows, I base) {
    for (int line = 0; line < (by_rows ? kRows : kColumns); ++line) {
      offsets.push_back(static_cast<I>(values.size()) + base);
      for (int other = 0; other < (by_rows ? kColumns : kRows); ++other) {
        if (const int value = by_rows ? entry(line, other) : entry(other, line)) {
          lines.push_back(line + base);
          others.push_back(other + base);
          values.push_back(static_cast<T>(value));
        }
      }
    }
    offsets.push_back(static_cast<I>(values.size()) + base);
  }
};

template <class T>
static int wrong_products(cusparseSpMatDescr_t a, cudaDataType type) {
  int wrong = 0;
  const T alpha = 2, beta = -1;
  for (const bool turned : {false, true}) {
    const cusparseOperation_t op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int in = turned ? kRows : kColumns, out = turned ? kColumns : kRows;
    std::vector<T> x(in * kWide), y(out * kWide);
    for (int i = 0; i < in * kWide; ++i) {
      x[i] = static_cast<T>(i % 5 - 2);
    }
    for (int i = 0; i < out * kWide; ++i) {
      y[i] = static_cast<T>(i % 3);
    }
    T *dx = to_device(x), *dy = to_device(y);
    const auto expected = [&](int i, int k, bool x_by_rows, int at) {
      T sum = 0;
      for (int j = 0; j < in; ++j) {
        sum += static_cast<T>(turned ? entry(j, i) : entry(i, j)) * x[x_by_rows ? j * kWide + k : k * in + j];
      }
      return alpha * sum + beta * y[at];
    };
    cusparseDnVecDescr_t vx, vy;
    CUSPARSE(cusparseCreateDnVec(&vx, in, dx, type));
    CUSPARSE(cusparseCreateDnVec(&vy, out, dy, type));
    size_t bytes = 0;
    CUSPARSE(cusparseSpMV_bufferSize(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    CUSPARSE(cusparseSpMV(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT,
                          buffer_of(bytes)));
    const auto vector = to_host(dy, out);
    for (int i = 0; i < out; ++i) {
      wrong += vector[i] != expected(i, 0, false, i);
    }
    CHECK(cudaMemcpy(dy, y.data(), y.size() * sizeof(T), cudaMemcpyHostToDevice));
    // B by columns or by rows, C the other way.
    for (const bool by_rows : {false, true}) {
      cusparseDnMatDescr_t b, c;
      CUSPARSE(cusparseCreateDnMat(&b, in, kWide, by_rows ? kWide : in, dx, type, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
      CUSPARSE(cusparseCreateDnMat(&c, out, kWide, by_rows ? out : kWide, dy, type, by_rows ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW));
      CUSPARSE(cusparseSpMM_bufferSize(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, b, &beta, c, type,
                                       CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
      CUSPARSE(cusparseSpMM(handle, op, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, b, &beta, c, type, CUSPARSE_SPMM_ALG_DEFAULT,
                            buffer_of(bytes)));
      const auto matrix = to_host(dy, y.size());
      for (int i = 0; i < out; ++i) {
        for (int k = 0; k < kWide; ++k) {
          const int at = by_rows ? k * out + i : i * kWide + k;
          wrong += matrix[at] != expected(i, k, by_rows, at);
        }
      }
      CHECK(cudaMemcpy(dy, y.data(), y.size() * sizeof(T), cudaMemcpyHostToDevice));
      CUSPARSE(cusparseDestroyDnMat(b));
      CUSPARSE(cusparseDestroyDnMat(c));
    }
    CUSPARSE(cusparseDestroyDnVec(vx));
    CUSPARSE(cusparseDestroyDnVec(vy));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
  }
  return wrong;
}

template <class I, class T>
static void formats(const char* name, cusparseIndexType_t index, cusparseIndexBase_t base, cudaDataType type) {
  const Arrays<I, T> rows(true, static_cast<I>(base)), columns(false, static_cast<I>(base));
  const auto entries = static_cast<int64_t>(rows.values.size());
  cusparseSpMatDescr_t csr, csc, coo;
  CUSPARSE(cusparseCreateCsr(&csr, kRows, kColumns, entries, to_device(rows.offsets), to_device(rows.others), to_device(rows.values),
                             index, index, base, type));
  CUSPARSE(cusparseCreateCsc(&csc, kRows, kColumns, entries, to_device(columns.offsets), to_device(columns.others),
                             to_device(columns.values), index, index, base, type));
  CUSPARSE(cusparseCreateCoo(&coo, kRows, kColumns, entries, to_device(rows.lines), to_device(rows.others), to_device(rows.values),
                             index, base, type));
  printf("%s, %d entries: %d %d %d wrong\n", name, static_cast<int>(entries), wrong_products<T>(csr, type), wrong_products<T>(csc, type),
         wrong_products<T>(coo, type));
  for (const cusparseSpMatDescr_t one : {csr, csc, coo}) {
    CUSPARSE(cusparseDestroySpMat(one));
  }
}

static void there_and_back() {
  std::vector<float> dense(kRows * kColumns);
  for (int i = 0; i < kRows * kColumns; ++i) {
    dense[i] = static_cast<float>(entry(i / kColumns, i % kColumns));
  }
  float* from = to_device(dense);
  auto* to = device_array<float>(dense.size());
  auto* offsets = device_array<int>(kRows + 1);
  cusparseDnMatDescr_t first, second;
  cusparseSpMatDescr_t sparse;
  CUSPARSE(cusparseCreateDnMat(&first, kRows, kColumns, kColumns, from, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CUSPARSE(cusparseCreateDnMat(&second, kRows, kColumns, kColumns, to, CUDA_R_32F, CUSPARSE_ORDER_ROW));
  CUSPARSE(cusparseCreateCsr(&sparse, kRows, kColumns, 0, offsets, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                             CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  size_t bytes = 0, back = 0;
  CUSPARSE(cusparseDenseToSparse_bufferSize(handle, first, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  void* const buffer = buffer_of(bytes);
  const int refused = cusparseDenseToSparse_analysis(handle, first, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr);
  CUSPARSE(cusparseDenseToSparse_analysis(handle, first, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  int64_t rows = 0, columns = 0, entries = 0;
  CUSPARSE(cusparseSpMatGetSize(sparse, &rows, &columns, &entries));
  auto* indices = device_array<int>(static_cast<size_t>(entries));
  auto* values = device_array<float>(static_cast<size_t>(entries));
  CUSPARSE(cusparseCsrSetPointers(sparse, offsets, indices, values));
  CUSPARSE(cusparseDenseToSparse_convert(handle, first, sparse, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  CUSPARSE(cusparseSparseToDense_bufferSize(handle, sparse, second, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &back));
  CUSPARSE(cusparseSparseToDense(handle, sparse, second, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer_of(back)));
  printf("%d entries, there and back: %s\n", static_cast<int>(entries), to_host(to, dense.size()) == dense ? "the same" : "other");

  const float one = 1, zero = 0;
  cusparseDnVecDescr_t x, y;
  CUSPARSE(cusparseCreateDnVec(&x, kColumns, from, CUDA_R_32F));
  CUSPARSE(cusparseCreateDnVec(&y, kColumns, to, CUDA_R_32F));
  printf("y too short: %d\n", cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, sparse, x, &zero, y, CUDA_R_32F,
                                           CUSPARSE_SPMV_ALG_DEFAULT, buffer));
  CUSPARSE(cusparseCreateDnVec(&y, kRows, to, CUDA_R_32F));
  printf("no buffer: %d %d\n", refused, cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, sparse, x, &zero, y, CUDA_R_32F,
                                                    CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
}

int main() {
  CUSPARSE(cusparseCreate(&handle));
  formats<int, float>("float", CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  formats<int64_t, double>("double", CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
  there_and_back();
  CUSPARSE(cusparseDestroy(handle));
  return 0;
}
