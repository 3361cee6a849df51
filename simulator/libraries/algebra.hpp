#pragma once
// Dense linear algebra on the host for the GPU's libraries: products, factorisations, eigenvalues, singular values. W
// is double or std::complex<double>; every sum has a fixed order. Factors are scaled as LAPACK scales them.
#include <complex>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace hpml::sim::libraries {

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;
// The type in which elements of type T are computed with.
template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;
// The type of the absolute value of a T.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

inline double conjugate(double x) { return x; }
inline std::complex<double> conjugate(std::complex<double> x) { return std::conj(x); }
inline double real_part(double x) { return x; }
inline double real_part(std::complex<double> x) { return x.real(); }

enum Operation : int { kAsIs = 0, kTransposed = 1, kAdjoint = 2 };  // cublasOperation_t

// Column-major.
template <class W>
struct Table {
  int64_t rows = 0, columns = 0;
  std::vector<W> values;

  Table() = default;
  Table(int64_t rows_, int64_t columns_)
      : rows(rows_), columns(columns_), values(static_cast<size_t>(rows_ * columns_)) {}
  W& at(int64_t i, int64_t j) { return values[static_cast<size_t>(j * rows + i)]; }
  W at(int64_t i, int64_t j) const { return values[static_cast<size_t>(j * rows + i)]; }
  W* column(int64_t j) { return values.data() + j * rows; }
  const W* column(int64_t j) const { return values.data() + j * rows; }
};

template <class W>
Table<W> identity(int64_t rows, int64_t columns);
template <class W>
Table<W> operated(const Table<W>& a, int operation);
// a b, in the order of the inner index.
template <class W>
Table<W> product(const Table<W>& a, const Table<W>& b);
// The lower or upper triangle of a with zeros beside it, as many rows and columns as the shorter side has; `unit`: ones
// on the diagonal.
template <class W>
Table<W> triangle(const Table<W>& a, bool lower, bool unit);
// The Hermitian matrix (for real numbers: the symmetric one) that a triangle of a stands for.
template <class W>
Table<W> hermitian(const Table<W>& a, bool lower);

// x in place of b, where t x = b and t is triangular.
template <class W>
void solve_triangular(const Table<W>& t, bool lower, Table<W>& b);

using Pivots = std::vector<int64_t>;  // 1-based: row k was exchanged with row pivots[k]
// P A = L U in place of A. Returns 0, or k where U(k,k) is the first zero on the diagonal (1-based). `pivots` may be
// null: no rows are exchanged.
template <class W>
int factor_lu(Table<W>& a, Pivots* pivots);
// x in place of b, where op(A) x = b, from A's factors; `pivots` may be empty.
template <class W>
void solve_lu(const Table<W>& lu, const Pivots& pivots, int operation, Table<W>& b);

// A = L L' (lower) or U' U in place of that triangle of A. Returns 0, or the order of the first leading minor that is
// not positive definite.
template <class W>
int factor_cholesky(Table<W>& a, bool lower);
template <class W>
void solve_cholesky(const Table<W>& factor, bool lower, Table<W>& b);

// A = Q R in place of A: R, and below it the reflectors whose factors are returned.
template <class W>
std::vector<W> factor_qr(Table<W>& a);
// op(Q) b in place of b, Q as the reflectors in the columns of qr.
template <class W>
void apply_q(const Table<W>& qr, const std::vector<W>& taus, bool adjoint, Table<W>& b);

// Eigenvalues of a Hermitian matrix, ascending; its eigenvectors in place of a's columns.
template <class W>
std::vector<double> eigen_hermitian(Table<W>& a);

// A = U diag(values) V', values descending.
template <class W>
struct Singular {
  Table<W> u;  // as many columns as A has rows
  std::vector<double> values;
  Table<W> v;  // as many columns as A has columns
};
template <class W>
Singular<W> singular_values(const Table<W>& a);

}  // namespace hpml::sim::libraries
