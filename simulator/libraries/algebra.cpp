#include "simulator/libraries/algebra.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hpml::sim::libraries {
namespace {

template <class W>
void exchange(Table<W>& a, int64_t row, int64_t other) {
  for (int64_t j = 0; row != other && j < a.columns; ++j) {
    std::swap(a.at(row, j), a.at(other, j));
  }
}

// Pivots are chosen by |re| + |im|, as LAPACK's izamax does.
double size_of_pivot(double x) { return std::abs(x); }
double size_of_pivot(std::complex<double> x) { return std::abs(x.real()) + std::abs(x.imag()); }

template <class W>
int64_t largest_below(const Table<W>& a, int64_t k) {
  int64_t best = k;
  for (int64_t i = k + 1; i < a.rows; ++i) {
    best = size_of_pivot(a.at(i, k)) > size_of_pivot(a.at(best, k)) ? i : best;
  }
  return best;
}

double signed_like(double size, double x) { return std::copysign(size, x); }
double signed_like(double size, std::complex<double> x) { return std::copysign(size, x.real()); }

// (I - tau v v') b on the columns of b; v is 1 at row k and below it what column k of a holds.
template <class W>
void reflect(const Table<W>& a, int64_t k, W tau, Table<W>& b, int64_t first) {
  const W* const v = a.column(k);
  for (int64_t j = first; j < b.columns; ++j) {
    W* const x = b.column(j);
    W sum = x[k];
    for (int64_t i = k + 1; i < a.rows; ++i) {
      sum += conjugate(v[i]) * x[i];
    }
    sum *= tau;
    x[k] -= sum;
    for (int64_t i = k + 1; i < a.rows; ++i) {
      x[i] -= sum * v[i];
    }
  }
}

}  // namespace

template <class W>
Table<W> identity(int64_t rows, int64_t columns) {
  Table<W> out(rows, columns);
  for (int64_t i = 0; i < std::min(rows, columns); ++i) {
    out.at(i, i) = 1;
  }
  return out;
}

template <class W>
Table<W> operated(const Table<W>& a, int operation) {
  if (operation == kAsIs) {
    return a;
  }
  Table<W> out(a.columns, a.rows);
  for (int64_t j = 0; j < a.columns; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) {
      out.at(j, i) = operation == kAdjoint ? conjugate(a.at(i, j)) : a.at(i, j);
    }
  }
  return out;
}

template <class W>
Table<W> product(const Table<W>& a, const Table<W>& b) {
  Table<W> out(a.rows, b.columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    W* const sums = out.column(j);
    for (int64_t l = 0; l < a.columns; ++l) {
      const W factor = b.at(l, j);
      const W* const column = a.column(l);
      for (int64_t i = 0; i < a.rows; ++i) {
        sums[i] += factor * column[i];
      }
    }
  }
  return out;
}

template <class W>
Table<W> triangle(const Table<W>& a, bool lower, bool unit) {
  const int64_t order = std::min(a.rows, a.columns);
  Table<W> out(order, order);
  for (int64_t j = 0; j < order; ++j) {
    for (int64_t i = lower ? j : 0; i < (lower ? order : j + 1); ++i) {
      out.at(i, j) = unit && i == j ? W(1) : a.at(i, j);
    }
  }
  return out;
}

template <class W>
Table<W> hermitian(const Table<W>& a, bool lower) {
  Table<W> out(a.rows, a.rows);
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) {
      const bool stored = lower ? i > j : i < j;
      out.at(i, j) = i == j ? W(real_part(a.at(i, j))) : stored ? a.at(i, j) : conjugate(a.at(j, i));
    }
  }
  return out;
}

template <class W>
void solve_triangular(const Table<W>& t, bool lower, Table<W>& b) {
  for (int64_t j = 0; j < b.columns; ++j) {
    W* const x = b.column(j);
    for (int64_t step = 0; step < t.rows; ++step) {
      const int64_t k = lower ? step : t.rows - 1 - step;
      x[k] /= t.at(k, k);
      const W* const column = t.column(k);
      for (int64_t i = lower ? k + 1 : 0; i < (lower ? t.rows : k); ++i) {
        x[i] -= x[k] * column[i];
      }
    }
  }
}

template <class W>
int factor_lu(Table<W>& a, Pivots* pivots) {
  int singular = 0;
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    if (pivots != nullptr) {
      const int64_t best = largest_below(a, k);
      pivots->push_back(best + 1);
      exchange(a, k, best);
    }
    if (a.at(k, k) == W(0)) {
      singular = singular != 0 ? singular : static_cast<int>(k + 1);
      continue;
    }
    W* const column = a.column(k);
    for (int64_t i = k + 1; i < a.rows; ++i) {
      column[i] /= column[k];
    }
    for (int64_t j = k + 1; j < a.columns; ++j) {
      W* const other = a.column(j);
      for (int64_t i = k + 1; other[k] != W(0) && i < a.rows; ++i) {  // zeros: much of a sparse matrix
        other[i] -= column[i] * other[k];
      }
    }
  }
  return singular;
}

template <class W>
void solve_lu(const Table<W>& lu, const Pivots& pivots, int operation, Table<W>& b) {
  const Table<W> lower = triangle(lu, true, true), upper = triangle(lu, false, false);
  if (operation == kAsIs) {
    for (size_t k = 0; k < pivots.size(); ++k) {
      exchange(b, static_cast<int64_t>(k), pivots[k] - 1);
    }
    solve_triangular(lower, true, b);
    solve_triangular(upper, false, b);
    return;
  }
  solve_triangular(operated(upper, operation), true, b);
  solve_triangular(operated(lower, operation), false, b);
  for (size_t k = pivots.size(); k-- > 0;) {
    exchange(b, static_cast<int64_t>(k), pivots[k] - 1);
  }
}

template <class W>
int factor_cholesky(Table<W>& a, bool lower) {
  Table<W> l = hermitian(a, lower);
  for (int64_t k = 0; k < a.rows; ++k) {
    const double pivot = real_part(l.at(k, k));
    if (!(pivot > 0)) {
      return static_cast<int>(k + 1);
    }
    W* const column = l.column(k);
    const double root = std::sqrt(pivot);
    column[k] = root;
    for (int64_t i = k + 1; i < a.rows; ++i) {
      column[i] /= root;
    }
    for (int64_t j = k + 1; j < a.rows; ++j) {
      W* const other = l.column(j);
      const W factor = conjugate(column[j]);
      for (int64_t i = j; i < a.rows; ++i) {
        other[i] -= column[i] * factor;
      }
    }
  }
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t i = j; i < a.rows; ++i) {
      (lower ? a.at(i, j) : a.at(j, i)) = lower ? l.at(i, j) : conjugate(l.at(i, j));
    }
  }
  return 0;
}

template <class W>
void solve_cholesky(const Table<W>& factor, bool lower, Table<W>& b) {
  const Table<W> stored = triangle(factor, lower, false);
  const Table<W> other = operated(stored, kAdjoint);
  solve_triangular(lower ? stored : other, true, b);
  solve_triangular(lower ? other : stored, false, b);
}

template <class W>
std::vector<W> factor_qr(Table<W>& a) {
  std::vector<W> taus;
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    double below = 0;
    for (int64_t i = k + 1; i < a.rows; ++i) {
      below += std::norm(a.at(i, k));
    }
    const W alpha = a.at(k, k);
    if (below == 0 && alpha == W(real_part(alpha))) {
      taus.push_back(0);
      continue;
    }
    const double beta = -signed_like(std::sqrt(std::norm(alpha) + below), alpha);
    for (int64_t i = k + 1; i < a.rows; ++i) {
      a.at(i, k) /= alpha - beta;
    }
    taus.push_back((W(beta) - alpha) / beta);
    reflect(a, k, conjugate(taus.back()), a, k + 1);
    a.at(k, k) = beta;
  }
  return taus;
}

template <class W>
void apply_q(const Table<W>& qr, const std::vector<W>& taus, bool adjoint, Table<W>& b) {
  const auto count = static_cast<int64_t>(taus.size());
  for (int64_t step = 0; step < count; ++step) {
    const int64_t k = adjoint ? step : count - 1 - step;
    const W tau = taus[static_cast<size_t>(k)];
    reflect(qr, k, adjoint ? conjugate(tau) : tau, b, 0);
  }
}

#define HPML_ALGEBRA(W)                                                   \
  template Table<W> identity(int64_t, int64_t);                           \
  template Table<W> operated(const Table<W>&, int);                       \
  template Table<W> product(const Table<W>&, const Table<W>&);            \
  template Table<W> triangle(const Table<W>&, bool, bool);                \
  template Table<W> hermitian(const Table<W>&, bool);                     \
  template void solve_triangular(const Table<W>&, bool, Table<W>&);       \
  template int factor_lu(Table<W>&, Pivots*);                             \
  template void solve_lu(const Table<W>&, const Pivots&, int, Table<W>&); \
  template int factor_cholesky(Table<W>&, bool);                          \
  template void solve_cholesky(const Table<W>&, bool, Table<W>&);         \
  template std::vector<W> factor_qr(Table<W>&);                           \
  template void apply_q(const Table<W>&, const std::vector<W>&, bool, Table<W>&);
HPML_ALGEBRA(double)
HPML_ALGEBRA(std::complex<double>)
#undef HPML_ALGEBRA

}  // namespace hpml::sim::libraries
