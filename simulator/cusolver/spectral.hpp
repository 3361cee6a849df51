#pragma once
// Eigenvalues and singular values, for both the typed functions and those of 64-bit sizes.
#include "simulator/cusolver/linear.hpp"

namespace hpml::sim::cusolver {

// The part of the spectrum that is asked for: all, or by index from 1, or by value (cusolverEigRange_t).
struct Range {
  int kind = 1001;  // 1002: by index; 1003: by value
  double low = 0, high = 0;
  int64_t first = 0, last = 0;
  int* found = nullptr;  // on the host: how many there are

  bool holds(int64_t index, double value) const {
    return kind == 1003 ? value > low && value <= high : kind != 1002 || (index + 1 >= first && index < last);
  }
};

// Values and vectors of the Hermitian matrix in a triangle of A; the vectors take A's place.
template <class T>
void eigen_of(const Grid<T>& a, int mode, int fill, Real<T>* values, const Range& range) {
  auto vectors = libraries::hermitian(a.read(), fill == kLower);
  const auto all = libraries::eigen_hermitian(vectors);
  int64_t count = 0;
  for (int64_t k = 0; k < a.rows; ++k) {
    const double value = all[static_cast<size_t>(k)];
    if (range.holds(k, value)) {
      std::copy_n(vectors.column(k), a.rows, vectors.column(count));
      values[count++] = static_cast<Real<T>>(value);
    }
  }
  if (mode != kNoVectors) {
    a.write(vectors);
  }
  if (range.found != nullptr) {
    *range.found = static_cast<int>(count);
  }
}

template <class T>
int syevd(const char* name, Handle* handle, int mode, int fill, int64_t n, Place a, void* w, int* info,
          const Range& range = {}, int64_t batch = 1) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill) && batch >= 0);
    const auto matrix = job.matrix<T>("A", a.data, n, n * batch, a.leading);
    const auto values = job.array<Real<T>>("the eigenvalues", w, n * batch, true);
    int* const to = job.info(info, batch);
    const auto body = [=] {
      for (int64_t i = 0; i < batch; ++i) {
        const Grid<T> one{matrix.data + i * n * matrix.leading, n, n, matrix.leading};
        eigen_of(one, mode, fill, values.data + i * n, range);
        to[i] = 0;
      }
    };
    const int status = job.launch(element_of<T>(), n * batch, n, 4 * n, body);
    return status == kSuccess && range.found != nullptr ? job.wait() : status;
  });
}

struct Wanted {  // of the singular vectors: their places, and how many of them
  Place u, v;
  int64_t left = 0, right = 0;
  bool adjoint = true;                  // V' is asked for, not V
  bool u_in_a = false, v_in_a = false;  // the place is that of A
};

template <class T>
int gesvd(const char* name, Handle* handle, int64_t m, int64_t n, Place a, void* s, const Wanted& wanted, int* info,
          int64_t batch = 1) {
  return solver_call(name, handle, [&](Job& job) {
    const int64_t count = std::min(m, n);
    const auto matrix = job.matrix<T>("A", a.data, m, n * batch, a.leading);
    const auto values = job.array<Real<T>>("the singular values", s, count * batch, true);
    const auto u = wanted.left > 0 && !wanted.u_in_a
                       ? job.matrix<T>("U", wanted.u.data, m, wanted.left * batch, wanted.u.leading, true)
                       : Grid<T>{};
    const int64_t v_rows = wanted.adjoint ? wanted.right : n, v_columns = wanted.adjoint ? n : wanted.right;
    const auto v = wanted.right > 0 && !wanted.v_in_a
                       ? job.matrix<T>("V", wanted.v.data, v_rows, v_columns * batch, wanted.v.leading, true)
                       : Grid<T>{};
    int* const to = job.info(info, batch);
    return job.launch(element_of<T>(), m * batch, n, 8 * count, [=] {
      for (int64_t i = 0; i < batch; ++i) {
        const Grid<T> one{matrix.data + i * n * matrix.leading, m, n, matrix.leading};
        const auto found = libraries::singular_values(one.read());
        std::ranges::transform(found.values, values.data + i * count, [](double x) { return static_cast<Real<T>>(x); });
        const auto right = wanted.adjoint ? libraries::operated(found.v, libraries::kAdjoint) : found.v;
        if (u.data != nullptr) {
          Grid<T>{u.data + i * wanted.left * u.leading, m, wanted.left, u.leading}.write(found.u);
        }
        if (v.data != nullptr) {
          Grid<T>{v.data + i * v_columns * v.leading, v_rows, v_columns, v.leading}.write(right);
        }
        if (wanted.u_in_a) {
          one.write(found.u);
        }
        if (wanted.v_in_a) {
          one.write(right);
        }
        to[i] = 0;
      }
    });
  });
}

// gesvd's letters: A all, S the first min(m, n), O those in A's place, N none. none: another letter.
inline bool read_letters(char u, char v, int64_t m, int64_t n, Wanted& wanted) {
  const int64_t count = std::min(m, n);
  const auto size = [&](char letter, int64_t all) { return letter == 'A' ? all : letter == 'S' ? count : 0; };
  wanted.left = size(u, m);
  wanted.right = size(v, n);
  wanted.u_in_a = u == 'O';
  wanted.v_in_a = v == 'O';
  const std::string known = "ASON";
  return known.find(u) != std::string::npos && known.find(v) != std::string::npos && !(u == 'O' && v == 'O');
}

}  // namespace hpml::sim::cusolver
