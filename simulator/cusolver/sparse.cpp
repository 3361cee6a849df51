// Sparse linear systems (csrlsvqr, csrlsvchol, csrlsvlu): solved as dense ones, by LU with row exchanges.
#include "simulator/cusolver/entry.hpp"

using namespace hpml::sim::cusolver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

constexpr int64_t kMostRows = 20000;  // 3.2 GB as a dense matrix of doubles

// Rows as offsets; the first offset says from what the indices count.
template <class T>
struct Csr {
  int64_t rows = 0;
  const int *offsets = nullptr, *columns = nullptr;
  const T* values = nullptr;

  Table<Wide<T>> dense() const {
    Table<Wide<T>> out(rows, rows);
    const int base = offsets[0];
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t at = offsets[i] - base; at < offsets[i + 1] - base; ++at) {
        const int64_t j = columns[at] - base;
        if (j >= 0 && j < rows) {
          out.at(i, j) += Wide<T>(values[at]);
        }
      }
    }
    return out;
  }
};

// x of A x = b. Returns the first row (from 0) whose pivot is not above the tolerance, or -1.
template <class T>
int solve(const Csr<T>& a, const T* b, double tolerance, T* x) {
  auto lu = a.dense();
  libraries::Pivots exchanged;
  libraries::factor_lu(lu, &exchanged);
  for (int64_t k = 0; k < a.rows; ++k) {
    if (!(std::abs(lu.at(k, k)) > std::max(0.0, tolerance))) {
      return static_cast<int>(k);
    }
  }
  Table<Wide<T>> right(a.rows, 1);
  for (int64_t i = 0; i < a.rows; ++i) {
    right.at(i, 0) = Wide<T>(b[i]);
  }
  libraries::solve_lu(lu, exchanged, libraries::kAsIs, right);
  for (int64_t i = 0; i < a.rows; ++i) {
    x[i] = T(right.at(i, 0));
  }
  return -1;
}

bool too_large(const char* name, int64_t rows) {
  if (rows > kMostRows) {
    libraries::say_not_supported(std::string(name) + " of more than " + std::to_string(kMostRows) + " rows");
  }
  return rows > kMostRows;
}

template <class T>
int on_device(const char* name, Handle* handle, int rows, int entries, Csr<T> a, const void* b, double tolerance,
              void* x, int* singularity) {
  return solver_call(name, handle, [&](Job& job) -> int {
    if (too_large(name, rows)) {
      return kNotSupported;
    }
    job.require(rows >= 0 && entries >= 0 && singularity != nullptr);
    a.rows = rows;
    a.offsets = job.array<int>("the row offsets", a.offsets, int64_t{rows} + 1).data;
    a.columns = job.array<int>("the column indices", a.columns, entries).data;
    a.values = job.array<T>("the values", a.values, entries).data;
    const auto right = job.array<T>("b", b, rows);
    const auto result = job.array<T>("x", x, rows, true);
    const int status = job.launch(element_of<T>(), rows, 1, std::max(1, entries / std::max(1, rows)),
                                  [=] { *singularity = solve(a, right.data, tolerance, result.data); });
    return status == kSuccess ? job.wait() : status;
  });
}

template <class T>
int on_host(const char* name, Handle* handle, int rows, Csr<T> a, const T* b, double tolerance, T* x,
            int* singularity) {
  return libraries::host_call(name, status_name, [&]() -> int {
    if (handle == nullptr || rows < 0 || singularity == nullptr) {
      return handle == nullptr ? kNotInitialized : kInvalidValue;
    }
    if (too_large(name, rows)) {
      return kNotSupported;
    }
    a.rows = rows;
    *singularity = solve(a, b, tolerance, x);
    return kSuccess;
  });
}

}  // namespace

#define HPML_ON_DEVICE(L, T, method)                                                                               \
  HPML_LIBRARY_API int cusolverSp##L##csrlsv##method(Handle* h, int rows, int entries, void*, const T* values,     \
                                                     const int* offsets, const int* columns, const void* b,        \
                                                     Real<T> tolerance, int, void* x, int* singularity) {          \
    return on_device<T>("cusolverSp" #L "csrlsv" #method, h, rows, entries,                                        \
                        {.offsets = offsets, .columns = columns, .values = values}, b, tolerance, x, singularity); \
  }
#define HPML_ON_HOST(L, T, method)                                                                               \
  HPML_LIBRARY_API int cusolverSp##L##csrlsv##method##Host(Handle* h, int rows, int, void*, const T* values,     \
                                                           const int* offsets, const int* columns, const T* b,   \
                                                           Real<T> tolerance, int, T* x, int* singularity) {     \
    return on_host<T>("cusolverSp" #L "csrlsv" #method "Host", h, rows,                                          \
                      {.offsets = offsets, .columns = columns, .values = values}, b, tolerance, x, singularity); \
  }
#define HPML_SPARSE(L, T)    \
  HPML_ON_DEVICE(L, T, qr)   \
  HPML_ON_DEVICE(L, T, chol) \
  HPML_ON_HOST(L, T, lu)     \
  HPML_ON_HOST(L, T, qr)     \
  HPML_ON_HOST(L, T, chol)
HPML_SPARSE(S, float)
HPML_SPARSE(D, double)
HPML_SPARSE(C, std::complex<float>)
HPML_SPARSE(Z, std::complex<double>)
#undef HPML_SPARSE
#undef HPML_ON_HOST
#undef HPML_ON_DEVICE
