#include "simulator/cublas/arguments.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>
#include <string_view>

#include "simulator/cublas/dense.hpp"

namespace hpml::sim::cublas {
namespace {

// "SGEMM" of cublasSgemm_v2; empty: BLAS has no such routine, or the library refuses its arguments in silence.
std::string blas_name(std::string_view routine) {
  routine.remove_prefix(std::string_view("cublas").size());
  if (routine.ends_with("_v2")) {
    routine.remove_suffix(3);
  }
  // cublasSgemmBatched and cublasGemmEx have a further capital: they are cuBLAS's own.
  if (routine.empty() ||
      std::any_of(routine.begin() + 1, routine.end(), [](unsigned char c) { return std::isupper(c); })) {
    return "";
  }
  std::string name(routine);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name.ends_with("GEMV") || name.ends_with("SYMV") ? "" : name;
}

}  // namespace

bool legal(const char* routine, const std::vector<Argument>& arguments) {
  const auto wrong = std::find_if(arguments.begin(), arguments.end(), [](const Argument& a) { return !a.legal; });
  if (wrong == arguments.end()) {
    return true;
  }
  if (const std::string name = blas_name(routine); !name.empty()) {
    std::printf(" ** On entry to %-6s parameter number %d had an illegal value\n", name.c_str(), wrong->number);
  }
  return false;
}

bool legal_leading(int64_t leading, int64_t rows) { return leading >= std::max<int64_t>(1, rows); }

bool legal_gemm(const char* routine, int op_a, int op_b, int64_t m, int64_t n, int64_t k, int64_t lda, int64_t ldb,
                int64_t ldc) {
  return legal(routine, {{1, known_operation(op_a)},
                         {2, known_operation(op_b)},
                         {3, m >= 0},
                         {4, n >= 0},
                         {5, k >= 0},
                         {8, legal_leading(lda, op_a == 0 ? m : k)},
                         {10, legal_leading(ldb, op_b == 0 ? k : n)},
                         {13, legal_leading(ldc, m)}});
}

bool legal_symm(const char* routine, int side, int fill, int64_t m, int64_t n, int64_t lda, int64_t ldb, int64_t ldc) {
  return legal(routine, {{1, known_side(side)},
                         {2, known_triangle(fill)},
                         {3, m >= 0},
                         {4, n >= 0},
                         {7, legal_leading(lda, side == kLeft ? m : n)},
                         {9, legal_leading(ldb, m)},
                         {12, legal_leading(ldc, m)}});
}

// What syrk and syr2k begin with.
static std::vector<Argument> rank_arguments(int fill, int op, int64_t n, int64_t k, int64_t lda) {
  return {{1, known_triangle(fill)},
          {2, known_operation(op)},
          {3, n >= 0},
          {4, k >= 0},
          {7, legal_leading(lda, op == 0 ? n : k)}};
}

bool legal_rank_k(const char* routine, int fill, int op, int64_t n, int64_t k, int64_t lda, int64_t ldc) {
  std::vector<Argument> all = rank_arguments(fill, op, n, k, lda);
  all.push_back({10, legal_leading(ldc, n)});
  return legal(routine, all);
}

bool legal_rank_2k(const char* routine, int fill, int op, int64_t n, int64_t k, int64_t lda, int64_t ldb, int64_t ldc) {
  std::vector<Argument> all = rank_arguments(fill, op, n, k, lda);
  all.push_back({9, legal_leading(ldb, op == 0 ? n : k)});
  all.push_back({12, legal_leading(ldc, n)});
  return legal(routine, all);
}

bool TriangularArguments::legal() const {
  return known_side(side) && known_triangle(fill) && known_operation(op) && known_diagonal(diagonal);
}

bool legal_triangular(const char* routine, const TriangularArguments& t, int64_t m, int64_t n, int64_t lda, int64_t ldb,
                      int64_t ldc) {
  return legal(routine, {{1, known_side(t.side)},
                         {2, known_triangle(t.fill)},
                         {3, known_operation(t.op)},
                         {4, known_diagonal(t.diagonal)},
                         {5, m >= 0},
                         {6, n >= 0},
                         {9, legal_leading(lda, t.side == kLeft ? m : n)},
                         {11, legal_leading(ldb, m)},
                         {13, legal_leading(ldc, m)}});
}

}  // namespace hpml::sim::cublas
