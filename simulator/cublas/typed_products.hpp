#pragma once
// C = alpha op(A) op(B) + beta C of elements of any type: In of A and B, Out of C, Factor of alpha and beta.
#include "simulator/cublas/arguments.hpp"
#include "simulator/cublas/task.hpp"

namespace hpml::sim::cublas {

struct Shape {
  int op_a, op_b;
  int64_t m, n, k, batch;
  bool sound() const { return known_operation(op_a) && known_operation(op_b) && k >= 0 && batch >= 0; }
};

struct Strided {
  const void* data;
  int64_t leading, stride;
};

// The symmetric or Hermitian matrix that a triangle stands for.
template <class W>
Table<W> whole_of(const Table<W>& a, bool lower, bool hermitian) {
  if (hermitian) {
    return libraries::hermitian(a, lower);
  }
  Table<W> out(a.rows, a.rows);
  for (int64_t j = 0; j < a.rows; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) {
      out.at(i, j) = (lower ? i >= j : i <= j) ? a.at(i, j) : a.at(j, i);
    }
  }
  return out;
}

template <class T>
using Grids = std::vector<Grid<T>>;

// The matrices that a list in device memory points to.
template <class T>
Grids<T> batch_of(Task& task, const char* what, const void* const* list, int64_t batch, int64_t rows, int64_t columns,
                  int64_t leading, bool written = false) {
  const auto pointers = task.vector<const void*>(what, list, batch, 1);
  Grids<T> all;
  for (int64_t i = 0; pointers.data != nullptr && i < batch; ++i) {
    all.push_back(task.matrix<T>(what, pointers.data[i], rows, columns, leading, written));
  }
  return all;
}
template <class T>
Grids<T> batch_of(Task& task, const char* what, Strided first, int64_t batch, int64_t rows, int64_t columns,
                  bool written = false) {
  Grids<T> all;
  for (int64_t i = 0; i < batch; ++i) {
    all.push_back(task.matrix<T>(what, static_cast<const T*>(first.data) + i * first.stride, rows, columns,
                                 first.leading, written));
  }
  return all;
}

template <class In, class Out>
void multiply_all(const Shape& s, const Grids<In>& a, const Grids<In>& b, const Grids<Out>& c, Wide<Out> alpha,
                  Wide<Out> beta) {
  for (size_t i = 0; i < c.size(); ++i) {
    const auto sums =
        libraries::product(libraries::operated(a[i].read(), s.op_a), libraries::operated(b[i].read(), s.op_b));
    write(c[i], kBothTriangles, alpha, sums, beta);
  }
}

template <class In, class Out, class Factor>
int gemm(const char* name, Handle* handle, const Shape& s, const void* alpha, Strided a, Strided b, const void* beta,
         Strided c) {
  return task_call(name, handle, [&](Task& task) {
    task.require(s.batch >= 0 && legal_gemm(name, s.op_a, s.op_b, s.m, s.n, s.k, a.leading, b.leading, c.leading));
    const Wide<Out> by = task.factor<Factor>(alpha), keep = task.factor<Factor>(beta);
    const auto left = batch_of<In>(task, "A", a, s.batch, s.op_a == 0 ? s.m : s.k, s.op_a == 0 ? s.k : s.m);
    const auto right = batch_of<In>(task, "B", b, s.batch, s.op_b == 0 ? s.k : s.n, s.op_b == 0 ? s.n : s.k);
    const auto out = batch_of<Out>(task, "C", c, s.batch, s.m, s.n, true);
    return task.launch(real_element<Out>, s.m * s.batch, s.n, kWork<Out> * s.k,
                       [=] { multiply_all<In, Out>(s, left, right, out, by, keep); });
  });
}

template <class In, class Out, class Factor>
int gemm_lists(const char* name, Handle* handle, const Shape& s, const void* alpha, const void* const* a, int64_t lda,
               const void* const* b, int64_t ldb, const void* beta, void* const* c, int64_t ldc) {
  return task_call(name, handle, [&](Task& task) {
    task.require(s.sound());
    const Wide<Out> by = task.factor<Factor>(alpha), keep = task.factor<Factor>(beta);
    const auto left = batch_of<In>(task, "A", a, s.batch, s.op_a == 0 ? s.m : s.k, s.op_a == 0 ? s.k : s.m, lda);
    const auto right = batch_of<In>(task, "B", b, s.batch, s.op_b == 0 ? s.k : s.n, s.op_b == 0 ? s.n : s.k, ldb);
    const auto out = batch_of<Out>(task, "C", c, s.batch, s.m, s.n, ldc, true);
    return task.launch(real_element<Out>, s.m * s.batch, s.n, kWork<Out> * s.k,
                       [=] { multiply_all<In, Out>(s, left, right, out, by, keep); });
  });
}

}  // namespace hpml::sim::cublas
