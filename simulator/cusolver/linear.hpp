#pragma once
// Factorisations and linear systems, for both the typed functions and those of 64-bit sizes. P: of pivots.
#include "simulator/cusolver/entry.hpp"

namespace hpml::sim::cusolver {

// Where a matrix of the program lies.
struct Place {
  const void* data = nullptr;
  int64_t leading = 0;
};

template <class T, class P>
int getrf(const char* name, Handle* handle, int64_t m, int64_t n, Place a, P* pivots, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    const auto matrix = job.matrix<T>("A", a.data, m, n, a.leading);
    const int64_t count = std::min(m, n);
    const auto rows = pivots != nullptr ? job.array<P>("the pivots", pivots, count, true) : Grid<P>{};
    int* const to = job.info(info);
    return job.launch(element_of<T>(), m, n, count / 3, [=] {
      auto lu = matrix.read();
      libraries::Pivots exchanged;
      *to = libraries::factor_lu(lu, rows.data != nullptr ? &exchanged : nullptr);
      matrix.write(lu);
      rows.write_column(exchanged);
    });
  });
}

template <class T, class P>
int getrs(const char* name, Handle* handle, int op, int64_t n, int64_t sides, Place a, const P* pivots, Place b,
          int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_operation(op));
    const auto factors = job.matrix<T>("A", a.data, n, n, a.leading);
    const auto right = job.matrix<T>("B", b.data, n, sides, b.leading);
    const auto rows = pivots != nullptr ? job.array<P>("the pivots", pivots, n) : Grid<P>{};
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, sides, n, [=] {
      const libraries::Pivots exchanged(rows.data, rows.data + rows.rows);
      auto x = right.read();
      libraries::solve_lu(factors.read(), exchanged, op, x);
      right.write(x);
      *to = 0;
    });
  });
}

template <class T>
int potrf(const char* name, Handle* handle, int fill, int64_t n, Place a, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill));
    const auto matrix = job.matrix<T>("A", a.data, n, n, a.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, n, n / 6, [=] {
      auto factor = matrix.read();
      *to = libraries::factor_cholesky(factor, fill == kLower);
      matrix.write(factor);
    });
  });
}

template <class T>
int potrs(const char* name, Handle* handle, int fill, int64_t n, int64_t sides, Place a, Place b, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    job.require(known_triangle(fill));
    const auto factor = job.matrix<T>("A", a.data, n, n, a.leading);
    const auto right = job.matrix<T>("B", b.data, n, sides, b.leading);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), n, sides, n, [=] {
      auto x = right.read();
      libraries::solve_cholesky(factor.read(), fill == kLower, x);
      right.write(x);
      *to = 0;
    });
  });
}

template <class T>
int geqrf(const char* name, Handle* handle, int64_t m, int64_t n, Place a, void* tau, int* info) {
  return solver_call(name, handle, [&](Job& job) {
    const auto matrix = job.matrix<T>("A", a.data, m, n, a.leading);
    const auto factors = job.array<T>("tau", tau, std::min(m, n), true);
    int* const to = job.info(info);
    return job.launch(element_of<T>(), m, n, std::min(m, n), [=] {
      auto qr = matrix.read();
      factors.write_column(libraries::factor_qr(qr));
      matrix.write(qr);
      *to = 0;
    });
  });
}

}  // namespace hpml::sim::cusolver
