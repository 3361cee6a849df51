// Many small systems at once: LU (getrf, getrs, getri, matinv), QR (geqrf, gels), by lists of pointers.
// Computed in double and rounded once; pivots and signs are those of LAPACK's getrf and geqrf.
#include <cmath>
#include <utility>

#include "simulator/cublas/dense.hpp"

using namespace hpml::sim::cublas;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

constexpr int kLargestInverse = 32;  // of matinvBatched, cuBLAS manual section 2.8

using Pivots = std::vector<int>;  // 1-based: row k was exchanged with row pivots[k]

int* integers(const Call& call, const char* what, const int* pointer, int64_t count) {
  return static_cast<int*>(call.data(what, pointer, static_cast<uint64_t>(count) * sizeof(int)));
}

Dense triangle(const Dense& a, int64_t order, bool lower, bool unit) {
  Dense out(order, order);
  for (int64_t j = 0; j < order; ++j) {
    for (int64_t i = lower ? j : 0; i < (lower ? order : j + 1); ++i) {
      out.at(i, j) = unit && i == j ? 1 : a.at(i, j);
    }
  }
  return out;
}

void exchange(Dense& a, int64_t row, int64_t other) {
  for (int64_t j = 0; row != other && j < a.columns; ++j) {
    std::swap(a.at(row, j), a.at(other, j));
  }
}

int64_t largest_below(const Dense& a, int64_t k) {
  int64_t best = k;
  for (int64_t i = k + 1; i < a.rows; ++i) {
    best = std::abs(a.at(i, k)) > std::abs(a.at(best, k)) ? i : best;
  }
  return best;
}

// P A = L U in place of A. Returns 0, or k where U(k,k) is the first zero on the diagonal (1-based).
int factor_lu(Dense& a, Pivots* pivots) {
  int singular = 0;
  for (int64_t k = 0; k < a.rows; ++k) {
    if (pivots != nullptr) {
      const int64_t best = largest_below(a, k);
      pivots->push_back(static_cast<int>(best + 1));
      exchange(a, k, best);
    }
    if (a.at(k, k) == 0) {
      singular = singular != 0 ? singular : static_cast<int>(k + 1);
      continue;
    }
    for (int64_t i = k + 1; i < a.rows; ++i) {
      a.at(i, k) /= a.at(k, k);
    }
    for (int64_t j = k + 1; j < a.columns; ++j) {
      for (int64_t i = k + 1; i < a.rows; ++i) {
        a.at(i, j) -= a.at(i, k) * a.at(k, j);
      }
    }
  }
  return singular;
}

// X for which op(A) X = B, from A's factors; pivots may be empty.
Dense solve_lu(const Dense& lu, const Pivots& pivots, int op, Dense b) {
  if (op == 0) {
    for (size_t k = 0; k < pivots.size(); ++k) {
      exchange(b, static_cast<int64_t>(k), pivots[k] - 1);
    }
    solve(triangle(lu, lu.rows, true, true), true, b);
    solve(triangle(lu, lu.rows, false, false), false, b);
    return b;
  }
  solve(transposed(triangle(lu, lu.rows, false, false)), true, b);
  solve(transposed(triangle(lu, lu.rows, true, true)), false, b);
  for (size_t k = pivots.size(); k-- > 0;) {
    exchange(b, static_cast<int64_t>(k), pivots[k] - 1);
  }
  return b;
}

Dense identity(int64_t order) {
  Dense out(order, order);
  for (int64_t i = 0; i < order; ++i) {
    out.at(i, i) = 1;
  }
  return out;
}

bool singular(const Dense& lu, int& info) {
  for (int64_t k = 0; k < lu.rows; ++k) {
    if (lu.at(k, k) == 0) {
      info = static_cast<int>(k + 1);
      return true;
    }
  }
  info = 0;
  return false;
}

// (I - tau v v') applied to the columns of b from `first` on; v is 1 at row k and below it what a holds there.
void reflect(const Dense& a, int64_t k, double tau, Dense& b, int64_t first) {
  for (int64_t j = first; j < b.columns; ++j) {
    double sum = b.at(k, j);
    for (int64_t i = k + 1; i < a.rows; ++i) {
      sum += a.at(i, k) * b.at(i, j);
    }
    b.at(k, j) -= tau * sum;
    for (int64_t i = k + 1; i < a.rows; ++i) {
      b.at(i, j) -= tau * sum * a.at(i, k);
    }
  }
}

// A = Q R in place of A: R, and below it the reflectors whose factors are returned.
std::vector<double> factor_qr(Dense& a) {
  std::vector<double> taus;
  for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
    double below = 0;
    for (int64_t i = k + 1; i < a.rows; ++i) {
      below += a.at(i, k) * a.at(i, k);
    }
    const double alpha = a.at(k, k);
    if (below == 0) {
      taus.push_back(0);
      continue;
    }
    const double beta = -std::copysign(std::sqrt(alpha * alpha + below), alpha);
    for (int64_t i = k + 1; i < a.rows; ++i) {
      a.at(i, k) /= alpha - beta;
    }
    taus.push_back((beta - alpha) / beta);
    reflect(a, k, taus.back(), a, k + 1);
    a.at(k, k) = beta;
  }
  return taus;
}

using Outputs = std::vector<hpml::sim::cudart::Written>;  // beside matrices that are changed where they lie

Status launched(const Call& call, const char* name, const Matrix& shape, int64_t depth, int batch, uint64_t bytes,
                std::function<void()> body, Outputs outputs = {}) {
  LibraryKernel kernel = dense_kernel(call, name, shape.type, shape.rows * batch, shape.columns,
                                      std::max<int64_t>(depth, 1), bytes, bytes);
  return call.launch({.kernel = std::move(kernel), .body = std::move(body), .more = std::move(outputs)});
}

uint64_t bytes_of(int batch, int64_t each) { return static_cast<uint64_t>(batch * each) * sizeof(int); }

// Matrices of this shape, to which a list in the device's memory points; null where it is not there.
Outputs outputs_of(const Call& call, const char* what, const Matrix& shape, const void* const* list, int batch) {
  const void* const there = call.data(what, list, static_cast<uint64_t>(batch) * sizeof(void*));
  Outputs found;
  for (int i = 0; i < batch && there != nullptr; ++i) {
    found.push_back({static_cast<const void* const*>(there)[i], shape.bytes()});
  }
  return found;
}

int getrf(const char* name, Handle* handle, Matrix shape, const void* const* a, int* pivots, int* info, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!shape.valid() || batch < 0 || info == nullptr) {
      return kInvalidValue;
    }
    if (shape.empty() || batch == 0) {
      return kSuccess;
    }
    const auto all = find(call, "A", shape, a, batch);
    int* const rows = pivots != nullptr ? integers(call, "the pivots", pivots, shape.rows * batch) : nullptr;
    int* const found = integers(call, "info", info, batch);
    if (!all || found == nullptr || (pivots != nullptr && rows == nullptr)) {
      return kExecutionFailed;
    }
    const auto body = [all = *all, rows, found] {
      for (size_t i = 0; i < all.size(); ++i) {
        Dense lu = read(all[i]);
        Pivots exchanged;
        found[i] = factor_lu(lu, rows != nullptr ? &exchanged : nullptr);
        write(all[i], kBothTriangles, 1, lu, 0);
        std::ranges::copy(exchanged, rows + i * exchanged.size());
      }
    };
    return launched(call, name, shape, shape.rows / 3, batch, bytes_of(*all), body,
                    {{pivots, bytes_of(batch, shape.rows)}, {info, bytes_of(batch, 1)}});
  });
}

int getrs(const char* name, Handle* handle, int op, Matrix shape, const void* const* a, const int* pivots, Matrix right,
          void* const* b, int* info, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!known_operation(op) || !shape.valid() || !right.valid() || batch < 0 || info == nullptr) {
      return kInvalidValue;
    }
    *info = 0;
    if (right.empty() || batch == 0) {
      return kSuccess;
    }
    const auto factors = find(call, "A", shape, a, batch), sides = find(call, "B", right, b, batch);
    const int* const rows = pivots != nullptr ? integers(call, "the pivots", pivots, shape.rows * batch) : nullptr;
    if (!factors || !sides || (pivots != nullptr && rows == nullptr)) {
      return kExecutionFailed;
    }
    return launched(call, name, right, shape.rows, batch, bytes_of(*factors) + bytes_of(*sides),
                    [op, factors = *factors, sides = *sides, rows] {
                      for (size_t i = 0; i < factors.size(); ++i) {
                        const auto n = static_cast<size_t>(factors[i].rows);
                        const Pivots exchanged = rows != nullptr ? Pivots(rows + i * n, rows + (i + 1) * n) : Pivots();
                        write(sides[i], kBothTriangles, 1, solve_lu(read(factors[i]), exchanged, op, read(sides[i])),
                              0);
                      }
                    });
  });
}

// factored: A holds what getrf left there; else it is factored here, and stays as it is.
int inverse(const char* name, Handle* handle, bool factored, Matrix shape, const void* const* a, const int* pivots,
            Matrix out, void* const* c, int* info, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!shape.valid() || !out.valid() || batch < 0 || info == nullptr || (!factored && shape.rows > kLargestInverse)) {
      return kInvalidValue;
    }
    if (shape.empty() || batch == 0) {
      return kSuccess;
    }
    const auto from = find(call, "A", shape, a, batch), to = find(call, "the inverse", out, c, batch);
    const int* const rows = pivots != nullptr ? integers(call, "the pivots", pivots, shape.rows * batch) : nullptr;
    int* const found = integers(call, "info", info, batch);
    if (!from || !to || found == nullptr || (pivots != nullptr && rows == nullptr)) {
      return kExecutionFailed;
    }
    const auto body = [factored, from = *from, to = *to, rows, found] {
      for (size_t i = 0; i < from.size(); ++i) {
        const auto n = static_cast<size_t>(from[i].rows);
        Dense lu = read(from[i]);
        Pivots exchanged = rows != nullptr ? Pivots(rows + i * n, rows + (i + 1) * n) : Pivots();
        if (!factored) {
          factor_lu(lu, &exchanged);
        }
        if (!singular(lu, found[i])) {
          write(to[i], kBothTriangles, 1, solve_lu(lu, exchanged, 0, identity(lu.rows)), 0);
        }
      }
    };
    Outputs outputs = outputs_of(call, "the inverse", out, c, batch);
    outputs.push_back({info, bytes_of(batch, 1)});
    return launched(call, name, shape, shape.rows, batch, bytes_of(*from), body, std::move(outputs));
  });
}

int geqrf(const char* name, Handle* handle, Matrix shape, const void* const* a, void* const* tau, int* info,
          int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!shape.valid() || batch < 0 || info == nullptr) {
      return kInvalidValue;
    }
    *info = 0;
    if (shape.empty() || batch == 0) {
      return kSuccess;
    }
    const int64_t reflectors = std::min(shape.rows, shape.columns);
    const auto all = find(call, "A", shape, a, batch);
    const auto factors = find(call, "tau", matrix_of(shape.type, reflectors, 1, nullptr, reflectors), tau, batch);
    if (!all || !factors) {
      return kExecutionFailed;
    }
    const auto body = [all = *all, factors = *factors] {
      for (size_t i = 0; i < all.size(); ++i) {
        Dense qr = read(all[i]);
        Dense taus(factors[i].rows, 1);
        taus.values = factor_qr(qr);
        write(all[i], kBothTriangles, 1, qr, 0);
        write(factors[i], kBothTriangles, 1, taus, 0);
      }
    };
    return launched(call, name, shape, reflectors, batch, bytes_of(*all), body,
                    outputs_of(call, "tau", matrix_of(shape.type, reflectors, 1, nullptr, reflectors), tau, batch));
  });
}

// The X that makes |A X - C| least, in the first rows of C; A becomes its factors.
void least_squares(const Matrix& a, const Matrix& c, int& info) {
  Dense qr = read(a), right = read(c);
  const std::vector<double> taus = factor_qr(qr);
  write(a, kBothTriangles, 1, qr, 0);
  const Dense r = triangle(qr, qr.columns, false, false);
  if (singular(r, info)) {
    return;
  }
  for (size_t k = 0; k < taus.size(); ++k) {
    reflect(qr, static_cast<int64_t>(k), taus[k], right, 0);
  }
  Dense x(r.rows, right.columns);
  for (int64_t j = 0; j < x.columns; ++j) {
    for (int64_t i = 0; i < x.rows; ++i) {
      x.at(i, j) = right.at(i, j);
    }
  }
  solve(r, false, x);
  for (int64_t j = 0; j < x.columns; ++j) {
    for (int64_t i = 0; i < x.rows; ++i) {
      right.at(i, j) = x.at(i, j);
    }
  }
  write(c, kBothTriangles, 1, right, 0);
}

int gels(const char* name, Handle* handle, int op, Matrix shape, const void* const* a, Matrix right, void* const* c,
         int* info, int* each, int batch) {
  return cublas_call(name, handle, [&](const Call& call) {
    if (!shape.valid() || !right.valid() || batch < 0 || info == nullptr) {
      return kInvalidValue;
    }
    if (op != 0 || shape.rows < shape.columns) {
      return kNotSupported;  // as the library: overdetermined systems, not transposed
    }
    *info = 0;
    if (shape.empty() || right.empty() || batch == 0) {
      return kSuccess;
    }
    const auto systems = find(call, "A", shape, a, batch), sides = find(call, "C", right, c, batch);
    int* const found = each != nullptr ? integers(call, "devInfoArray", each, batch) : nullptr;
    if (!systems || !sides || (each != nullptr && found == nullptr)) {
      return kExecutionFailed;
    }
    const auto body = [systems = *systems, sides = *sides, found] {
      for (size_t i = 0; i < systems.size(); ++i) {
        int one = 0;
        least_squares(systems[i], sides[i], one);
        if (found != nullptr) {
          found[i] = one;
        }
      }
    };
    return launched(call, name, shape, shape.columns, batch, bytes_of(*systems) + bytes_of(*sides), body,
                    {{each, bytes_of(batch, 1)}});
  });
}

}  // namespace

#define HPML_FACTORISATIONS(letter, element)                                                                         \
  HPML_LIBRARY_API int cublas##letter##getrfBatched(Handle* handle, int n, void* const* a, int lda, int* pivots,     \
                                                    int* info, int batch) {                                          \
    return getrf("cublas" #letter "getrfBatched", handle, matrix_of(element, n, n, nullptr, lda), a, pivots, info,   \
                 batch);                                                                                             \
  }                                                                                                                  \
  HPML_LIBRARY_API int cublas##letter##getrsBatched(Handle* handle, int op, int n, int right, const void* const* a,  \
                                                    int lda, const int* pivots, void* const* b, int ldb, int* info,  \
                                                    int batch) {                                                     \
    return getrs("cublas" #letter "getrsBatched", handle, op, matrix_of(element, n, n, nullptr, lda), a, pivots,     \
                 matrix_of(element, n, right, nullptr, ldb), b, info, batch);                                        \
  }                                                                                                                  \
  HPML_LIBRARY_API int cublas##letter##getriBatched(Handle* handle, int n, const void* const* a, int lda,            \
                                                    const int* pivots, void* const* c, int ldc, int* info,           \
                                                    int batch) {                                                     \
    return inverse("cublas" #letter "getriBatched", handle, true, matrix_of(element, n, n, nullptr, lda), a, pivots, \
                   matrix_of(element, n, n, nullptr, ldc), c, info, batch);                                          \
  }                                                                                                                  \
  HPML_LIBRARY_API int cublas##letter##matinvBatched(Handle* handle, int n, const void* const* a, int lda,           \
                                                     void* const* c, int ldc, int* info, int batch) {                \
    return inverse("cublas" #letter "matinvBatched", handle, false, matrix_of(element, n, n, nullptr, lda), a,       \
                   nullptr, matrix_of(element, n, n, nullptr, ldc), c, info, batch);                                 \
  }                                                                                                                  \
  HPML_LIBRARY_API int cublas##letter##geqrfBatched(Handle* handle, int m, int n, void* const* a, int lda,           \
                                                    void* const* tau, int* info, int batch) {                        \
    return geqrf("cublas" #letter "geqrfBatched", handle, matrix_of(element, m, n, nullptr, lda), a, tau, info,      \
                 batch);                                                                                             \
  }                                                                                                                  \
  HPML_LIBRARY_API int cublas##letter##gelsBatched(Handle* handle, int op, int m, int n, int right, void* const* a,  \
                                                   int lda, void* const* c, int ldc, int* info, int* each,           \
                                                   int batch) {                                                      \
    return gels("cublas" #letter "gelsBatched", handle, op, matrix_of(element, m, n, nullptr, lda), a,               \
                matrix_of(element, m, right, nullptr, ldc), c, info, each, batch);                                   \
  }
HPML_FACTORISATIONS(S, Element::f32)
HPML_FACTORISATIONS(D, Element::f64)
#undef HPML_FACTORISATIONS
