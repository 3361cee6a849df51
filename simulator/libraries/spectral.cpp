// Eigenvalues of Hermitian matrices (Householder's reduction, then implicit QL steps) and singular values (Jacobi
// rotations of columns). Methods: Golub and Van Loan, Matrix Computations, sections 8.3 and 8.6.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "simulator/libraries/algebra.hpp"

namespace hpml::sim::libraries {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Tridiagonal {
  std::vector<double> diagonal, below;  // below[i] between i and i + 1
};

// The reflector that takes the part of column k below row k + 1 to zero. False: there is nothing to take.
template <class W>
bool householder(const Table<W>& a, int64_t k, std::vector<W>& v) {
  double rest = 0;
  for (int64_t i = k + 2; i < a.rows; ++i) {
    rest += std::norm(a.at(i, k));
  }
  const W head = a.at(k + 1, k);
  if (rest == 0) {
    return false;
  }
  const double length = std::sqrt(rest + std::norm(head));
  const W sign = std::abs(head) > 0 ? head / std::abs(head) : W(1);
  double norm = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    v[static_cast<size_t>(i)] = i <= k ? W(0) : i == k + 1 ? head + sign * length : a.at(i, k);
    norm += std::norm(v[static_cast<size_t>(i)]);
  }
  for (W& x : v) {
    x /= std::sqrt(norm);
  }
  return true;
}

// a = H a H and q = q H, H = I - 2 v v', where v is zero up to row k.
template <class W>
void reduce_with(Table<W>& a, Table<W>& q, const std::vector<W>& v, int64_t k) {
  const int64_t n = a.rows;
  std::vector<W> p(v.size());  // a v
  for (int64_t j = k + 1; j < n; ++j) {
    const W* const column = a.column(j);
    for (int64_t i = k; i < n; ++i) {
      p[static_cast<size_t>(i)] += column[i] * v[static_cast<size_t>(j)];
    }
  }
  W inner = 0;
  for (int64_t i = k + 1; i < n; ++i) {
    inner += conjugate(v[static_cast<size_t>(i)]) * p[static_cast<size_t>(i)];
  }
  for (int64_t j = k; j < n; ++j) {
    const auto jj = static_cast<size_t>(j);
    W* const column = a.column(j);
    for (int64_t i = k; i < n; ++i) {
      const auto ii = static_cast<size_t>(i);
      column[i] -= 2.0 * (v[ii] * conjugate(p[jj]) + p[ii] * conjugate(v[jj])) - 4.0 * inner * v[ii] * conjugate(v[jj]);
    }
  }
  std::vector<W> qv(v.size());
  for (int64_t j = k + 1; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      qv[static_cast<size_t>(i)] += q.at(i, j) * v[static_cast<size_t>(j)];
    }
  }
  for (int64_t j = k + 1; j < n; ++j) {
    const W factor = 2.0 * conjugate(v[static_cast<size_t>(j)]);
    W* const column = q.column(j);
    for (int64_t i = 0; i < n; ++i) {
      column[i] -= qv[static_cast<size_t>(i)] * factor;
    }
  }
}

// a = q T q'; the phases of T's off-diagonal elements go into the columns of q.
template <class W>
Tridiagonal tridiagonal(Table<W>& a, Table<W>& q) {
  const int64_t n = a.rows;
  std::vector<W> v(static_cast<size_t>(n));
  for (int64_t k = 0; k + 2 < n; ++k) {
    if (householder(a, k, v)) {
      reduce_with(a, q, v, k);
    }
  }
  Tridiagonal t;
  W phase = 1;
  for (int64_t k = 0; k < n; ++k) {
    t.diagonal.push_back(real_part(a.at(k, k)));
    for (int64_t i = 0; i < n; ++i) {
      q.at(i, k) *= phase;
    }
    if (k + 1 < n) {
      const W next = a.at(k + 1, k) * phase;
      const double size = std::abs(next);
      t.below.push_back(size);
      phase = size > 0 ? next / size : W(1);
    }
  }
  t.below.push_back(0);
  return t;
}

// One implicit QL step on rows first to last of T, with Wilkinson's shift.
template <class W>
void ql_step(Tridiagonal& t, Table<W>& q, size_t first, size_t last) {
  auto& d = t.diagonal;
  auto& e = t.below;
  double g = (d[first + 1] - d[first]) / (2 * e[first]);
  double r = std::hypot(g, 1.0);
  g = d[last] - d[first] + e[first] / (g + std::copysign(r, g));
  double s = 1, c = 1, p = 0;
  for (size_t i = last; i-- > first;) {
    const double f = s * e[i], b = c * e[i];
    r = std::hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {
      d[i + 1] -= p;
      e[last] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    W* const left = q.column(static_cast<int64_t>(i));
    W* const right = q.column(static_cast<int64_t>(i) + 1);
    for (int64_t k = 0; k < q.rows; ++k) {
      const W kept = right[k];
      right[k] = s * left[k] + c * kept;
      left[k] = c * left[k] - s * kept;
    }
  }
  d[first] -= p;
  e[first] = g;
  e[last] = 0;
}

template <class W>
void diagonalise(Tridiagonal& t, Table<W>& q) {
  const size_t n = t.diagonal.size();
  constexpr int kMostSteps = 300;  // an eigenvalue takes two or three
  for (size_t first = 0; first < n; ++first) {
    for (int steps = 0; steps < kMostSteps; ++steps) {
      size_t last = first;
      while (last + 1 < n &&
             std::abs(t.below[last]) > kEpsilon * (std::abs(t.diagonal[last]) + std::abs(t.diagonal[last + 1]))) {
        ++last;
      }
      if (last == first) {
        break;
      }
      ql_step(t, q, first, last);
    }
  }
}

template <class W>
Table<W> columns_in_order(const Table<W>& a, const std::vector<size_t>& order) {
  Table<W> out(a.rows, a.columns);
  for (size_t j = 0; j < order.size(); ++j) {
    std::copy_n(a.column(static_cast<int64_t>(order[j])), a.rows, out.column(static_cast<int64_t>(j)));
  }
  return out;
}

// Makes columns i and j of a orthogonal by a rotation, which v gets too. False: they were.
template <class W>
bool orthogonalise(Table<W>& a, Table<W>& v, int64_t i, int64_t j) {
  double left = 0, right = 0;
  W inner = 0;
  for (int64_t k = 0; k < a.rows; ++k) {
    left += std::norm(a.at(k, i));
    right += std::norm(a.at(k, j));
    inner += conjugate(a.at(k, i)) * a.at(k, j);
  }
  const double size = std::abs(inner);
  if (size == 0 || size <= kEpsilon * std::sqrt(left * right)) {
    return false;
  }
  const double zeta = (right - left) / (2 * size);
  const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
  const double c = 1 / std::hypot(1.0, tangent), s = c * tangent;
  const W phase = inner / size;
  for (Table<W>* const table : {&a, &v}) {
    W* const x = table->column(i);
    W* const y = table->column(j);
    for (int64_t k = 0; k < table->rows; ++k) {
      const W turned = conjugate(phase) * y[k], kept = x[k];
      x[k] = c * kept - s * turned;
      y[k] = s * kept + c * turned;
    }
  }
  return true;
}

// Columns from `known` on become orthogonal to those before, and of length 1.
template <class W>
void complete(Table<W>& u, int64_t known) {
  int64_t axis = 0;
  for (int64_t j = known; j < u.columns; ++j) {
    for (double length = 0; length < 0.5; ++axis) {
      std::vector<W> x(static_cast<size_t>(u.rows));
      x[static_cast<size_t>(axis % u.rows)] = 1;
      for (int pass = 0; pass < 2; ++pass) {
        for (int64_t k = 0; k < j; ++k) {
          W inner = 0;
          for (int64_t i = 0; i < u.rows; ++i) {
            inner += conjugate(u.at(i, k)) * x[static_cast<size_t>(i)];
          }
          for (int64_t i = 0; i < u.rows; ++i) {
            x[static_cast<size_t>(i)] -= inner * u.at(i, k);
          }
        }
      }
      double norm = 0;
      for (const W& value : x) {
        norm += std::norm(value);
      }
      // Some axis keeps at least 1 / rows of its square beside fewer than `rows` orthogonal directions.
      length = norm * static_cast<double>(u.rows) >= 0.5 ? 1 : 0;
      for (int64_t i = 0; i < u.rows && length > 0; ++i) {
        u.at(i, j) = x[static_cast<size_t>(i)] / std::sqrt(norm);
      }
    }
  }
}

template <class W>
Singular<W> singular_of_tall(const Table<W>& a) {
  Table<W> qr = a;
  const std::vector<W> taus = factor_qr(qr);
  Table<W> work = triangle(qr, false, false);
  const int64_t n = a.columns;
  Table<W> v = identity<W>(n, n);
  constexpr int kMostSweeps = 60;  // ten do for thousands of columns
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (int64_t i = 0; i + 1 < n; ++i) {
      for (int64_t j = i + 1; j < n; ++j) {
        changed = orthogonalise(work, v, i, j) || changed;
      }
    }
  }
  std::vector<double> lengths;
  for (int64_t j = 0; j < n; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      sum += std::norm(work.at(i, j));
    }
    lengths.push_back(std::sqrt(sum));
  }
  std::vector<size_t> order(lengths.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t x, size_t y) { return lengths[x] > lengths[y]; });
  work = columns_in_order(work, order);
  Singular<W> out{.u = Table<W>(a.rows, a.rows), .values = {}, .v = columns_in_order(v, order)};
  int64_t known = 0;
  const double smallest = n > 0 ? lengths[order[0]] * kEpsilon * static_cast<double>(n) : 0;
  for (int64_t j = 0; j < n; ++j) {
    const double length = lengths[order[static_cast<size_t>(j)]];
    out.values.push_back(length);
    known += length > smallest ? 1 : 0;
    for (int64_t i = 0; i < n && length > smallest; ++i) {
      out.u.at(i, j) = work.at(i, j) / length;
    }
  }
  complete(out.u, known);
  // Columns of Q beside those of R belong to the rows below, which the completion has filled.
  apply_q(qr, taus, false, out.u);
  return out;
}

}  // namespace

template <class W>
std::vector<double> eigen_hermitian(Table<W>& a) {
  Table<W> q = identity<W>(a.rows, a.rows);
  Tridiagonal t = tridiagonal(a, q);
  t.diagonal.resize(static_cast<size_t>(a.rows));
  diagonalise(t, q);
  std::vector<size_t> order(t.diagonal.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, [&](size_t x, size_t y) { return t.diagonal[x] < t.diagonal[y]; });
  a = columns_in_order(q, order);
  std::vector<double> values;
  for (const size_t k : order) {
    values.push_back(t.diagonal[k]);
  }
  return values;
}

template <class W>
Singular<W> singular_values(const Table<W>& a) {
  if (a.rows >= a.columns) {
    return singular_of_tall(a);
  }
  Singular<W> turned = singular_of_tall(operated(a, kAdjoint));
  std::swap(turned.u, turned.v);
  return turned;
}

template std::vector<double> eigen_hermitian(Table<double>&);
template std::vector<double> eigen_hermitian(Table<std::complex<double>>&);
template Singular<double> singular_values(const Table<double>&);
template Singular<std::complex<double>> singular_values(const Table<std::complex<double>>&);

}  // namespace hpml::sim::libraries
