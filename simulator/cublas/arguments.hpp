#pragma once
// Illegal arguments of BLAS routines: checked in the order of the arguments, and named as BLAS does.
#include <cstdint>
#include <vector>

namespace hpml::sim::cublas {

struct Argument {
  int number;  // counted from one without the handle, as in BLAS
  bool legal;
};

// False after a line on stdout about the first illegal one, as the real library prints it (" ** On entry to SGEMM
// parameter number 8 had an illegal value"; reference BLAS: XERBLA). `routine` is cublasSgemm, with "_v2" or without.
// gemv and symv return false in silence, as they did on an H100 (CUDA 13.0); so do routines that BLAS does not have
// (batched ones, Ex): how the real library counts their arguments is not known.
bool legal(const char* routine, const std::vector<Argument>& arguments);

// A matrix of so many rows may have this leading dimension.
bool legal_leading(int64_t leading, int64_t rows);

bool legal_gemm(const char* routine, int op_a, int op_b, int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb,
                int64_t ldc);
// symm and hemm
bool legal_symm(const char* routine, int side, int fill, int64_t m, int64_t n, int64_t lda, int64_t ldb, int64_t ldc);
// syrk and herk
bool legal_rank_k(const char* routine, int fill, int op, int64_t n, int64_t k, int64_t lda, int64_t ldc);
// syr2k and her2k
bool legal_rank_2k(const char* routine, int fill, int op, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc);

struct TriangularArguments {
  int side, fill, op, diagonal;
  bool legal() const;
};
// trmm and trsm; trmm of cuBLAS has a third matrix, which trsm repeats the second for.
bool legal_triangular(const char* routine, const TriangularArguments& t, int64_t m, int64_t n, int64_t lda, int64_t ldb,
                      int64_t ldc);

}  // namespace hpml::sim::cublas
