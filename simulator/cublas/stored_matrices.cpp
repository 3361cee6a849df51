// Matrix-vector products and updates by vectors: complex ones, and those of matrices stored as bands or packed (gbmv,
// sbmv, hbmv, spmv, hpmv, tbmv, tbsv, tpmv, tpsv, spr, hpr, spr2, hpr2, trttp, tpttr) of every type.
#include "simulator/cublas/typed_products.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

using C32 = std::complex<float>;
using C64 = std::complex<double>;

struct Run {  // elements of a vector in the program's memory
  const void* data;
  int step;
};

enum class Form : uint8_t { full, band, packed };

// A matrix as it is stored. As a band: `below` diagonals below the main one, and `above` above it, in rows of A.
template <class T>
struct Stored {
  Form form = Form::full;
  int fill = kBothTriangles;
  Grid<T> grid;
  int64_t rows = 0, columns = 0, below = 0, above = 0;

  // Its place; -1: not stored.
  int64_t place(int64_t i, int64_t j) const {
    if (fill == kLower ? i < j : fill == kUpper ? i > j : false) {
      return -1;
    }
    switch (form) {
      case Form::full: return j * grid.leading + i;
      case Form::band: return i - j > below || j - i > above ? -1 : j * grid.leading + above + i - j;
      case Form::packed: break;
    }
    return fill == kUpper ? i + j * (j + 1) / 2 : i + j * (2 * rows - j - 1) / 2;
  }
  Table<Wide<T>> read() const {
    Table<Wide<T>> out(rows, columns);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t at = place(i, j);
        out.at(i, j) = at >= 0 ? Wide<T>(grid.data[at]) : Wide<T>(0);
      }
    }
    return out;
  }
  void add(const Table<Wide<T>>& sums, bool real_diagonal) const {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        if (const int64_t at = place(i, j); at >= 0) {
          const Wide<T> value = Wide<T>(grid.data[at]) + sums.at(i, j);
          grid.data[at] = T(real_diagonal && i == j ? Wide<T>(libraries::real_part(value)) : value);
        }
      }
    }
  }
};

struct Place {
  const void* data;
  int64_t leading;
};

template <class T>
Stored<T> full(Task& task, int fill, int64_t m, int64_t n, Place a) {
  return {.fill = fill, .grid = task.matrix<T>("A", a.data, m, n, a.leading), .rows = m, .columns = n};
}
template <class T>
Stored<T> band(Task& task, int fill, int64_t m, int64_t n, int64_t below, int64_t above, Place a) {
  task.require(below >= 0 && above >= 0);
  return {.form = Form::band,
          .fill = fill,
          .grid = task.matrix<T>("A", a.data, below + above + 1, n, a.leading),
          .rows = m,
          .columns = n,
          .below = below,
          .above = above};
}
template <class T>
Stored<T> triangular_band(Task& task, int fill, int64_t n, int64_t k, Place a) {
  return band<T>(task, fill, n, n, fill == kLower ? k : 0, fill == kLower ? 0 : k, a);
}
template <class T>
Stored<T> packed(Task& task, int fill, int64_t n, const void* a) {
  const int64_t elements = n * (n + 1) / 2;
  return {.form = Form::packed,
          .fill = fill,
          .grid = task.matrix<T>("AP", a, elements, 1, std::max<int64_t>(1, elements)),
          .rows = n,
          .columns = n};
}

// How a stored matrix is meant.
enum class Meaning : uint8_t { general, symmetric, hermitian };

// Of gemv, gbmv; symv, sbmv, spmv, and hemv and its kin: where the rows of the matrix and the steps stand.
template <class T>
std::vector<Argument> arguments_of(const Stored<T>& a, Meaning meaning, int op, int x_step, int y_step) {
  const bool general = meaning == Meaning::general, banded = a.form == Form::band, leads = a.form != Form::packed;
  std::vector<Argument> all;
  const auto next = [&](bool legal, int skipped = 0) {
    all.push_back({(all.empty() ? 0 : all.back().number) + skipped + 1, legal});
  };
  next(general ? known_operation(op) : known_triangle(a.fill));
  next(a.rows >= 0);
  if (general) {
    next(a.columns >= 0);
  }
  if (banded && general) {
    next(a.below >= 0);
    next(a.above >= 0);
  } else if (banded) {
    next(a.below >= 0 && a.above >= 0);
  }
  if (leads) {
    next(legal_leading(a.grid.leading, a.grid.rows), 2);  // behind alpha and A
  }
  next(x_step != 0, leads ? 1 : 3);  // behind x, or alpha, the packed matrix and x
  next(y_step != 0, 2);              // behind beta and y
  return all;
}
// Of trmv, trsv and their kin for bands and packed matrices.
template <class T>
std::vector<Argument> triangular_arguments(const Stored<T>& a, int op, int diagonal, int step) {
  std::vector<Argument> all = {
      {1, known_triangle(a.fill)}, {2, known_operation(op)}, {3, known_diagonal(diagonal)}, {4, a.rows >= 0}};
  const bool banded = a.form == Form::band;
  if (banded) {
    all.push_back({5, a.below >= 0 && a.above >= 0});
  }
  if (a.form != Form::packed) {
    all.push_back({banded ? 7 : 6, legal_leading(a.grid.leading, a.grid.rows)});
  }
  all.push_back({banded ? 9 : a.form == Form::packed ? 7 : 8, step != 0});
  return all;
}
// Of ger, syr, her, spr, hpr, and those with two vectors.
template <class T>
std::vector<Argument> update_arguments(const Stored<T>& a, Meaning meaning, bool two, int x_step, int y_step) {
  std::vector<Argument> all = {
      {1, meaning == Meaning::general ? a.rows >= 0 : known_triangle(a.fill)}, {2, a.columns >= 0}, {5, x_step != 0}};
  if (two) {
    all.push_back({7, y_step != 0});
  }
  if (a.form != Form::packed) {
    all.push_back({two ? 9 : 7, legal_leading(a.grid.leading, a.grid.rows)});
  }
  return all;
}

// y = alpha op(A) x + beta y. stored(task) -> Stored<T>
template <class T, class Make>
int times_vector(const char* name, Handle* handle, Meaning meaning, int op, const void* alpha, Run x, const void* beta,
                 Run y, Make stored) {
  return task_call(name, handle, [&](Task& task) {
    const auto by = task.factor<T>(alpha), keep = task.factor<T>(beta);
    const Stored<T> a = stored(task);
    task.require(legal(name, arguments_of(a, meaning, op, x.step, y.step)));
    const auto from = task.vector<T>("x", x.data, op == 0 ? a.columns : a.rows, x.step);
    const auto to = task.vector<T>("y", y.data, op == 0 ? a.rows : a.columns, y.step);
    return task.launch_vector(real_element<T>, a.rows * a.columns, 2 * kWork<T>, [=] {
      auto whole = a.read();
      if (meaning != Meaning::general) {
        whole = whole_of(whole, a.fill == kLower, meaning == Meaning::hermitian);
      }
      to.write(by, libraries::product(libraries::operated(whole, op), from.read()), keep);
    });
  });
}

// x = op(A) x, or the solution of op(A) y = x in its place; A is triangular.
template <class T, class Make>
int triangular_vector(const char* name, Handle* handle, bool solve, int fill, int op, int diagonal, Run x,
                      Make stored) {
  return task_call(name, handle, [&](Task& task) {
    const Stored<T> a = stored(task);
    task.require(legal(name, triangular_arguments(a, op, diagonal, x.step)));
    const auto to = task.vector<T>("x", x.data, a.rows, x.step);
    return task.launch_vector(real_element<T>, a.rows * a.rows / 2, 2 * kWork<T>, [=] {
      const auto factor = libraries::operated(libraries::triangle(a.read(), fill == kLower, diagonal == kUnit), op);
      auto column = to.read();
      if (solve) {
        libraries::solve_triangular(factor, (fill == kLower) == (op == libraries::kAsIs), column);
      } else {
        column = libraries::product(factor, column);
      }
      to.write(1, column, 0);
    });
  });
}

// A += alpha x y' (and, of two vectors in a triangle, its turned self). F: the type of alpha.
template <class T, class F, class Make>
int update(const char* name, Handle* handle, Meaning meaning, bool both, bool conjugated, const void* alpha, Run x,
           Run y, Make stored) {
  return task_call(name, handle, [&](Task& task) {
    const Wide<T> by = task.factor<F>(alpha);
    const Stored<T> a = stored(task);
    task.require(legal(name, update_arguments(a, meaning, both || meaning == Meaning::general, x.step, y.step)));
    const auto left = task.vector<T>("x", x.data, a.rows, x.step);
    const auto right = task.vector<T>("y", y.data, a.columns, y.step);
    return task.launch_vector(real_element<T>, a.rows * a.columns, 2 * kWork<T>, [=] {
      const int turn = conjugated ? libraries::kAdjoint : libraries::kTransposed;
      const auto column = left.read(), other = right.read();
      auto sums = libraries::product(column, libraries::operated(other, turn));
      const auto turned = both ? libraries::product(other, libraries::operated(column, turn)) : sums;
      for (size_t i = 0; i < sums.values.size(); ++i) {
        sums.values[i] *= by;
        sums.values[i] += both ? (conjugated ? libraries::conjugate(by) : by) * turned.values[i] : Wide<T>(0);
      }
      a.add(sums, meaning == Meaning::hermitian);
    });
  });
}

// From a triangle to packed storage and back.
template <class T>
int repack(const char* name, Handle* handle, bool to_packed, int fill, int64_t n, Place a, const void* ap) {
  return task_call(name, handle, [&](Task& task) {
    task.require(known_triangle(fill));
    const auto square = full<T>(task, fill, n, n, a), row = packed<T>(task, fill, n, ap);
    return task.launch_vector(real_element<T>, n * n / 2, 0, [=] {
      for (int64_t j = 0; j < n; ++j) {
        for (int64_t i = 0; i < n; ++i) {
          if (square.place(i, j) >= 0) {
            T &wide = square.grid.data[square.place(i, j)], &narrow = row.grid.data[row.place(i, j)];
            (to_packed ? narrow : wide) = to_packed ? wide : narrow;
          }
        }
      }
    });
  });
}

// gemv of many matrices, by lists of pointers or one after another.
template <class T>
int gemv_all(const char* name, Handle* handle, const Shape& s, const void* alpha, const void* beta,
             const std::function<Grids<T>(Task&, int)>& find) {
  return task_call(name, handle, [&](Task& task) {
    task.require(known_operation(s.op_a) && s.batch >= 0);
    const auto by = task.factor<T>(alpha), keep = task.factor<T>(beta);
    const auto a = find(task, 0), x = find(task, 1), y = find(task, 2);
    return task.launch_vector(real_element<T>, s.m * s.n * s.batch, 2 * kWork<T>, [=] {
      for (size_t i = 0; i < y.size(); ++i) {  // vectors are rows
        const auto column = libraries::operated(x[i].read(), libraries::kTransposed);
        const auto sums = libraries::product(libraries::operated(a[i].read(), s.op_a), column);
        write(y[i], kBothTriangles, by, libraries::operated(sums, libraries::kTransposed), keep);
      }
    });
  });
}

}  // namespace

#define HPML_TIMES(name, T, meaning, op, stored, ...)                                                             \
  HPML_LIBRARY_API int cublas##name(Handle* h, __VA_ARGS__, const void* x, int x_step, const void* beta, void* y, \
                                    int y_step) {                                                                 \
    return times_vector<T>("cublas" #name, h, Meaning::meaning, op, alpha, {x, x_step}, beta, {y, y_step},        \
                           [&](Task& task) { return stored; });                                                   \
  }
#define HPML_TRIANGULAR(name, T, solve, stored, ...)                                                        \
  HPML_LIBRARY_API int cublas##name(Handle* h, int fill, int op, int diagonal, int n, __VA_ARGS__, void* x, \
                                    int step) {                                                             \
    return triangular_vector<T>("cublas" #name, h, solve, fill, op, diagonal, {x, step},                    \
                                [&](Task& task) { return stored; });                                        \
  }
#define HPML_UPDATE_ONE(name, T, F, meaning, conjugated, stored, ...)                                            \
  HPML_LIBRARY_API int cublas##name(Handle* h, int fill, int n, const void* alpha, const void* x, int x_step,    \
                                    __VA_ARGS__) {                                                               \
    return update<T, F>("cublas" #name, h, Meaning::meaning, false, conjugated, alpha, {x, x_step}, {x, x_step}, \
                        [&](Task& task) { return stored; });                                                     \
  }
#define HPML_UPDATE_TWO(name, T, meaning, conjugated, stored, ...)                                              \
  HPML_LIBRARY_API int cublas##name(Handle* h, int fill, int n, const void* alpha, const void* x, int x_step,   \
                                    const void* y, int y_step, __VA_ARGS__) {                                   \
    return update<T, T>("cublas" #name, h, Meaning::meaning, true, conjugated, alpha, {x, x_step}, {y, y_step}, \
                        [&](Task& task) { return stored; });                                                    \
  }
#define HPML_GENERAL_UPDATE(name, T, conjugated)                                                                 \
  HPML_LIBRARY_API int cublas##name(Handle* h, int m, int n, const void* alpha, const void* x, int x_step,       \
                                    const void* y, int y_step, void* a, int lda) {                               \
    return update<T, T>("cublas" #name, h, Meaning::general, false, conjugated, alpha, {x, x_step}, {y, y_step}, \
                        [&](Task& task) {                                                                        \
                          return full<T>(task, kBothTriangles, m, n, {a, lda});                                  \
                        });                                                                                      \
  }
#define HPML_STORED(L, T)                                                                                              \
  HPML_TIMES(L##gbmv_v2, T, general, op, band<T>(task, kBothTriangles, m, n, below, above, {a, lda}), int op, int m,   \
             int n, int below, int above, const void* alpha, const void* a, int lda)                                   \
  HPML_TRIANGULAR(L##tbmv_v2, T, false, triangular_band<T>(task, fill, n, k, {a, lda}), int k, const void* a, int lda) \
  HPML_TRIANGULAR(L##tbsv_v2, T, true, triangular_band<T>(task, fill, n, k, {a, lda}), int k, const void* a, int lda)  \
  HPML_TRIANGULAR(L##tpmv_v2, T, false, packed<T>(task, fill, n, a), const void* a)                                    \
  HPML_TRIANGULAR(L##tpsv_v2, T, true, packed<T>(task, fill, n, a), const void* a)                                     \
  HPML_LIBRARY_API int cublas##L##trttp(Handle* h, int fill, int n, const void* a, int lda, void* ap) {                \
    return repack<T>("cublas" #L "trttp", h, true, fill, n, {a, lda}, ap);                                             \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##tpttr(Handle* h, int fill, int n, const void* ap, void* a, int lda) {                \
    return repack<T>("cublas" #L "tpttr", h, false, fill, n, {a, lda}, ap);                                            \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##gemvBatched(Handle* h, int op, int m, int n, const void* alpha,                      \
                                              const void* const* a, int lda, const void* const* x, int x_step,         \
                                              const void* beta, void* const* y, int y_step, int batch) {               \
    const int from = op == 0 ? n : m, to = op == 0 ? m : n;                                                            \
    return gemv_all<T>("cublas" #L "gemvBatched", h, {op, 0, m, n, 0, batch}, alpha, beta, [&](Task& t, int which) {   \
      return which == 0   ? batch_of<T>(t, "A", a, batch, m, n, lda)                                                   \
             : which == 1 ? batch_of<T>(t, "x", x, batch, 1, from, x_step)                                             \
                          : batch_of<T>(t, "y", y, batch, 1, to, y_step);                                              \
    });                                                                                                                \
  }                                                                                                                    \
  HPML_LIBRARY_API int cublas##L##gemvStridedBatched(                                                                  \
      Handle* h, int op, int m, int n, const void* alpha, const void* a, int lda, long long stride_a, const void* x,   \
      int x_step, long long stride_x, const void* beta, void* y, int y_step, long long stride_y, int batch) {          \
    const int from = op == 0 ? n : m, to = op == 0 ? m : n;                                                            \
    return gemv_all<T>("cublas" #L "gemvStridedBatched", h, {op, 0, m, n, 0, batch}, alpha, beta,                      \
                       [&](Task& t, int which) {                                                                       \
                         return which == 0   ? batch_of<T>(t, "A", {a, lda, stride_a}, batch, m, n)                    \
                                : which == 1 ? batch_of<T>(t, "x", {x, x_step, stride_x}, batch, 1, from)              \
                                             : batch_of<T>(t, "y", {y, y_step, stride_y}, batch, 1, to);               \
                       });                                                                                             \
  }
#define HPML_FULL const void *alpha, const void *a, int lda
#define HPML_SYMMETRIC(L, T, sb, sp, meaning)                                                                     \
  HPML_TIMES(L##sb##mv_v2, T, meaning, 0, triangular_band<T>(task, fill, n, k, {a, lda}), int fill, int n, int k, \
             HPML_FULL)                                                                                           \
  HPML_TIMES(L##sp##mv_v2, T, meaning, 0, packed<T>(task, fill, n, a), int fill, int n, const void* alpha,        \
             const void* a)                                                                                       \
  HPML_UPDATE_ONE(L##sp##r_v2, T, Real<T>, meaning, true, packed<T>(task, fill, n, a), void* a)                   \
  HPML_UPDATE_TWO(L##sp##r2_v2, T, meaning, true, packed<T>(task, fill, n, a), void* a)
#define HPML_COMPLEX(L, T)                                                                                       \
  HPML_TIMES(L##gemv_v2, T, general, op, full<T>(task, kBothTriangles, m, n, {a, lda}), int op, int m, int n,    \
             HPML_FULL)                                                                                          \
  HPML_TIMES(L##symv_v2, T, symmetric, 0, full<T>(task, fill, n, n, {a, lda}), int fill, int n, HPML_FULL)       \
  HPML_TIMES(L##hemv_v2, T, hermitian, 0, full<T>(task, fill, n, n, {a, lda}), int fill, int n, HPML_FULL)       \
  HPML_TRIANGULAR(L##trmv_v2, T, false, full<T>(task, fill, n, n, {a, lda}), const void* a, int lda)             \
  HPML_TRIANGULAR(L##trsv_v2, T, true, full<T>(task, fill, n, n, {a, lda}), const void* a, int lda)              \
  HPML_GENERAL_UPDATE(L##geru_v2, T, false)                                                                      \
  HPML_GENERAL_UPDATE(L##gerc_v2, T, true)                                                                       \
  HPML_UPDATE_ONE(L##syr_v2, T, T, symmetric, false, full<T>(task, fill, n, n, {a, lda}), void* a, int lda)      \
  HPML_UPDATE_ONE(L##her_v2, T, Real<T>, hermitian, true, full<T>(task, fill, n, n, {a, lda}), void* a, int lda) \
  HPML_UPDATE_TWO(L##syr2_v2, T, symmetric, false, full<T>(task, fill, n, n, {a, lda}), void* a, int lda)        \
  HPML_UPDATE_TWO(L##her2_v2, T, hermitian, true, full<T>(task, fill, n, n, {a, lda}), void* a, int lda)
HPML_STORED(S, float)
HPML_STORED(D, double)
HPML_STORED(C, C32)
HPML_STORED(Z, C64)
HPML_SYMMETRIC(S, float, sb, sp, symmetric)
HPML_SYMMETRIC(D, double, sb, sp, symmetric)
HPML_SYMMETRIC(C, C32, hb, hp, hermitian)
HPML_SYMMETRIC(Z, C64, hb, hp, hermitian)
HPML_COMPLEX(C, C32)
HPML_COMPLEX(Z, C64)
#undef HPML_COMPLEX
#undef HPML_SYMMETRIC
#undef HPML_FULL
#undef HPML_STORED
#undef HPML_GENERAL_UPDATE
#undef HPML_UPDATE_TWO
#undef HPML_UPDATE_ONE
#undef HPML_TRIANGULAR
#undef HPML_TIMES
