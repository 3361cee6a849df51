// Triangular systems of cuSPARSE and incomplete factorisations, against the factors that the matrix was made of: where
// L and U fill nothing in, they are exact. Rows as indices and as offsets; what has no pivot.
#include <cusparse.h>

#include "check.cuh"

#define CUSPARSE(call)                                                           \
  do {                                                                           \
    const cusparseStatus_t status = (call);                                      \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                     \
      printf("%s: %s\n", #call, cusparseGetErrorString(status));                 \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

constexpr int kSize = 6;
static cusparseHandle_t handle;

// What a call asks for: the library writes to it.
static void* buffer_of(size_t bytes) { return device_array<char>(bytes > 0 ? bytes : 1); }

// A bidiagonal matrix L (1 on the diagonal for LU, i + 1 for Cholesky, 2 beside it) and U = L^T scaled.
static double lower(int i, int j, bool cholesky) { return i == j ? (cholesky ? i + 1 : 1) : i == j + 1 ? 2 : 0; }
static double upper(int i, int j, bool cholesky) {
  return cholesky ? lower(j, i, true) : i == j ? i + 2 : j == i + 1 ? -1 : 0;
}
static double product(int i, int j, bool cholesky) {
  double sum = 0;
  for (int k = 0; k < kSize; ++k) {
    sum += lower(i, k, cholesky) * upper(k, j, cholesky);
  }
  return sum;
}

template <class T>
struct Csr {
  std::vector<int> offsets = {1}, rows, columns;  // counted from 1
  std::vector<T> values;
  explicit Csr(bool cholesky) {
    for (int i = 0; i < kSize; ++i) {
      for (int j = 0; j < kSize; ++j) {
        if (const double value = product(i, j, cholesky); value != 0) {
          rows.push_back(i + 1);
          columns.push_back(j + 1);
          values.push_back(static_cast<T>(value));
        }
      }
      offsets.push_back(static_cast<int>(values.size()) + 1);
    }
  }
  int entries() const { return static_cast<int>(values.size()); }
};

template <class T>
static int wrong_factors(const Csr<T>& matrix, const T* factored, bool cholesky) {
  const std::vector<T> got = to_host(factored, matrix.values.size());
  int wrong = 0;
  for (size_t k = 0; k < got.size(); ++k) {
    const int i = matrix.rows[k] - 1, j = matrix.columns[k] - 1;
    const double expected = i > j || cholesky ? (i >= j ? lower(i, j, cholesky) : product(i, j, cholesky)) : upper(i, j, cholesky);
    wrong += got[k] != static_cast<T>(expected);
  }
  return wrong;
}

// x with T(op(A)) x = b for b = 1 ... and the triangle that `fill` names, by the residual.
template <class T>
static double residual(const Csr<T>& matrix, const std::vector<T>& factors, cusparseFillMode_t fill, cusparseDiagType_t diagonal,
                       cusparseOperation_t op, cudaDataType type) {
  std::vector<T> right(kSize);
  for (int i = 0; i < kSize; ++i) {
    right[i] = static_cast<T>(3 * i + 1);
  }
  T* out = device_array<T>(kSize);
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x, y;
  cusparseSpSVDescr_t solution;
  const T two = 2;
  size_t bytes = 1;
  CUSPARSE(cusparseCreateCsr(&a, kSize, kSize, matrix.entries(), to_device(matrix.offsets), to_device(matrix.columns),
                             to_device(factors), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, type));
  CUSPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  CUSPARSE(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  CUSPARSE(cusparseCreateDnVec(&x, kSize, to_device(right), type));
  CUSPARSE(cusparseCreateDnVec(&y, kSize, out, type));
  CUSPARSE(cusparseSpSV_createDescr(&solution));
  CUSPARSE(cusparseSpSV_bufferSize(handle, op, &two, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution, &bytes));
  CUSPARSE(cusparseSpSV_analysis(handle, op, &two, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution,
                                 buffer_of(bytes)));
  CUSPARSE(cusparseSpSV_solve(handle, op, &two, a, x, y, type, CUSPARSE_SPSV_ALG_DEFAULT, solution));
  CUSPARSE(cusparseSpSV_destroyDescr(solution));
  const std::vector<T> got = to_host(out, kSize);
  std::vector<double> left(kSize);
  for (size_t k = 0; k < factors.size(); ++k) {
    const int i = matrix.rows[k] - 1, j = matrix.columns[k] - 1;
    const bool counts = i == j || (fill == CUSPARSE_FILL_MODE_LOWER ? i > j : i < j);
    const double value = i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1 : factors[k];
    const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    left[turned ? j : i] += counts ? value * got[turned ? i : j] : 0;
  }
  double worst = 0;
  for (int i = 0; i < kSize; ++i) {
    worst = std::max(worst, std::abs(left[i] - 2.0 * right[i]));
  }
  return worst;
}

static void lu() {
  const Csr<double> matrix(false);
  int *offsets = to_device(matrix.offsets), *columns = to_device(matrix.columns), bytes = 0, position = 7;
  double* values = to_device(matrix.values);
  cusparseMatDescr_t description;
  csrilu02Info_t info;
  CUSPARSE(cusparseCreateMatDescr(&description));
  CUSPARSE(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ONE));
  CUSPARSE(cusparseCreateCsrilu02Info(&info));
  CUSPARSE(cusparseDcsrilu02_bufferSize(handle, kSize, matrix.entries(), description, values, offsets, columns, info, &bytes));
  void* const buffer = buffer_of(static_cast<size_t>(bytes));
  CUSPARSE(cusparseDcsrilu02_analysis(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                                      CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  CUSPARSE(cusparseDcsrilu02(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  CUSPARSE(cusparseXcsrilu02_zeroPivot(handle, info, &position));
  printf("LU: %d wrong, pivots %d\n", wrong_factors(matrix, values, false), position);
  const std::vector<double> factors = to_host(values, matrix.values.size());
  constexpr auto kN = CUSPARSE_OPERATION_NON_TRANSPOSE, kT = CUSPARSE_OPERATION_TRANSPOSE;
  printf("L: %g %g, U: %g %g\n",
         residual(matrix, factors, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT, kN, CUDA_R_64F) < 1e-12 ? 0.0 : 1.0,
         residual(matrix, factors, CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT, kT, CUDA_R_64F) < 1e-12 ? 0.0 : 1.0,
         residual(matrix, factors, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT, kN, CUDA_R_64F) < 1e-12 ? 0.0 : 1.0,
         residual(matrix, factors, CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT, kT, CUDA_R_64F) < 1e-12 ? 0.0 : 1.0);
  CHECK(cudaMemset(values, 0, sizeof(double)));
  CUSPARSE(cusparseDcsrilu02(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  printf("without a pivot: %d", cusparseXcsrilu02_zeroPivot(handle, info, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
  printf(" %d\n", position);
}

static void cholesky_and_rows() {
  const Csr<float> matrix(true);
  int *offsets = to_device(matrix.offsets), *columns = to_device(matrix.columns), bytes = 0, position = 7;
  float* values = to_device(matrix.values);
  cusparseMatDescr_t description;
  csric02Info_t info;
  CUSPARSE(cusparseCreateMatDescr(&description));
  CUSPARSE(cusparseSetMatIndexBase(description, CUSPARSE_INDEX_BASE_ONE));
  CUSPARSE(cusparseCreateCsric02Info(&info));
  CUSPARSE(cusparseScsric02_bufferSize(handle, kSize, matrix.entries(), description, values, offsets, columns, info, &bytes));
  void* const buffer = buffer_of(static_cast<size_t>(bytes));
  CUSPARSE(cusparseScsric02_analysis(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                                     CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer));
  printf("no buffer: %d\n", cusparseScsric02(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                                             CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
  CUSPARSE(cusparseScsric02(handle, kSize, matrix.entries(), description, values, offsets, columns, info,
                            CUSPARSE_SOLVE_POLICY_USE_LEVEL, buffer));
  CUSPARSE(cusparseXcsric02_zeroPivot(handle, info, &position));
  printf("Cholesky: %d wrong, pivots %d\n", wrong_factors(matrix, values, true), position);

  int *rows = device_array<int>(matrix.entries()), *again = device_array<int>(kSize + 1);
  CUSPARSE(cusparseXcsr2coo(handle, offsets, matrix.entries(), kSize, rows, CUSPARSE_INDEX_BASE_ONE));
  CUSPARSE(cusparseXcoo2csr(handle, rows, matrix.entries(), kSize, again, CUSPARSE_INDEX_BASE_ONE));
  printf("rows: %d %d\n", to_host(rows, matrix.entries()) == matrix.rows, to_host(again, kSize + 1) == matrix.offsets);
  CUSPARSE(cusparseDestroyMatDescr(description));
  CUSPARSE(cusparseDestroyCsric02Info(info));
}

int main() {
  CUSPARSE(cusparseCreate(&handle));
  lu();
  cholesky_and_rows();
  CUSPARSE(cusparseDestroy(handle));
}
