// Incomplete factorisations without fill-in of CSR matrices with sorted columns: LU (csrilu02) and Cholesky (csric02),
// in place. Also what belongs to the older API: matrix descriptions, and rows as indices or as offsets.
#include <algorithm>
#include <cmath>
#include <vector>

#include "simulator/cusparse/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct Description {  // cusparseMatDescr
  int type = 0, fill = 0, diagonal = 0, base = 0;
};

struct Pivots {       // csrilu02Info, csric02Info
  int64_t zero = -1;  // the first row without a pivot, counted as the matrix counts
};

struct Csr {
  int64_t rows = 0, base = 0;
  const int *offsets = nullptr, *columns = nullptr;
  std::vector<double>& values;

  int64_t begin(int64_t row) const { return offsets[row] - base; }
  int64_t end(int64_t row) const { return offsets[row + 1] - base; }
  int64_t column(int64_t at) const { return columns[at] - base; }
  double& value(int64_t at) const { return values[static_cast<size_t>(at)]; }
  // Where row and column meet; -1: no entry.
  int64_t find(int64_t row, int64_t wanted) const {
    const int* const first = columns + begin(row);
    const int* const last = columns + end(row);
    const int* const at = std::lower_bound(first, last, wanted + base);
    return at != last && *at == wanted + base ? at - columns : -1;
  }
  bool sound(int64_t entries) const {
    for (int64_t row = 0; row < rows; ++row) {
      if (begin(row) < 0 || end(row) < begin(row) || end(row) > entries) {
        return false;
      }
    }
    return std::all_of(columns, columns + entries, [&](int c) { return c >= base && c - base < rows; });
  }
};

int64_t lu(const Csr& a) {
  int64_t zero = -1;
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t at = a.begin(i); at < a.end(i) && a.column(at) < i; ++at) {
      const int64_t k = a.column(at), pivot = a.find(k, k);
      if (pivot < 0) {
        continue;
      }
      const double factor = a.value(at) /= a.value(pivot);
      for (int64_t other = pivot + 1; other < a.end(k); ++other) {
        if (const int64_t target = a.find(i, a.column(other)); target >= 0) {
          a.value(target) -= factor * a.value(other);
        }
      }
    }
    const int64_t diagonal = a.find(i, i);
    zero = zero < 0 && (diagonal < 0 || a.value(diagonal) == 0) ? i : zero;
  }
  return zero;
}

// The lower triangle becomes L of L L^T; the upper one is not read.
int64_t cholesky(const Csr& a) {
  int64_t zero = -1;
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t at = a.begin(i); at < a.end(i) && a.column(at) <= i; ++at) {
      const int64_t k = a.column(at);
      double rest = a.value(at);
      for (int64_t left = a.begin(i); left < at; ++left) {
        if (const int64_t other = a.find(k, a.column(left)); other >= 0) {
          rest -= a.value(left) * a.value(other);
        }
      }
      const int64_t pivot = a.find(k, k);
      a.value(at) = k == i ? std::sqrt(rest) : pivot >= 0 ? rest / a.value(pivot) : rest;
    }
    const int64_t diagonal = a.find(i, i);
    zero = zero < 0 && (diagonal < 0 || !(a.value(diagonal) > 0)) ? i : zero;
  }
  return zero;
}

Status factor(Call& call, const char* kernel_name, Element type, int rows, int entries, const Description* description,
              void* values, const int* offsets, const int* columns, Pivots* pivots, int64_t (*method)(const Csr&)) {
  if (rows < 0 || entries < 0 || description == nullptr || pivots == nullptr) {
    return kInvalidValue;
  }
  const Sparse shape{Format::csr,
                     rows,
                     rows,
                     entries,
                     const_cast<int*>(offsets),
                     const_cast<int*>(columns),
                     values,
                     Index::i32,
                     Index::i32,
                     description->base,
                     type};
  const Sparse found = call.find(shape);
  const LibraryKernel kernel =
      hpml::sim::libraries::memory_kernel(kernel_name, entries, shape.bytes(), shape.value_bytes(), type, 4);
  return call.launch(kernel, values, shape.value_bytes(), [=] {
    using hpml::sim::libraries::load;
    using hpml::sim::libraries::store;
    std::vector<double> numbers(static_cast<size_t>(entries));
    const Csr matrix{rows, found.base, static_cast<const int*>(found.offsets), static_cast<const int*>(found.indices),
                     numbers};
    if (!matrix.sound(entries)) {
      return false;
    }
    for (int64_t i = 0; i < entries; ++i) {
      numbers[static_cast<size_t>(i)] = load(type, found.values, i);
    }
    const int64_t zero = method(matrix);
    pivots->zero = zero < 0 ? zero : zero + found.base;
    for (int64_t i = 0; i < entries; ++i) {
      store(type, found.values, i, numbers[static_cast<size_t>(i)]);
    }
    return true;
  });
}

template <class T>
int make(const char* name, T** made) {
  return descriptor_call(name, [&] {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new T;
    return kSuccess;
  });
}
template <class T>
int drop(const char* name, const T* old) {
  return descriptor_call(name, [&] {
    delete old;
    return kSuccess;
  });
}

// The host asks, so the factorisation must be done.
int zero_pivot(const char* name, Handle* handle, const Pivots* pivots, int* position) {
  return cusparse_call(name, handle, [&](Call& call) {
    if (pivots == nullptr || position == nullptr) {
      return kInvalidValue;
    }
    if (hpml::sim::libraries::wait(call.runtime, call.context, call.handle.stream) != Error::success) {
      return kExecutionFailed;
    }
    *position = static_cast<int>(pivots->zero);
    return pivots->zero < 0 ? kSuccess : kZeroPivot;
  });
}

int set(const char* name, int Description::*part, Description* description, int value, int most) {
  return descriptor_call(name, [&] {
    if (description == nullptr || value < 0 || value > most) {
      return kInvalidValue;
    }
    description->*part = value;
    return kSuccess;
  });
}

}  // namespace

HPML_LIBRARY_API int cusparseCreateMatDescr(Description** made) { return make("cusparseCreateMatDescr", made); }
HPML_LIBRARY_API int cusparseDestroyMatDescr(const Description* old) { return drop("cusparseDestroyMatDescr", old); }
HPML_LIBRARY_API int cusparseSetMatType(Description* description, int value) {
  return set("cusparseSetMatType", &Description::type, description, value, 3);
}
HPML_LIBRARY_API int cusparseSetMatFillMode(Description* description, int value) {
  return set("cusparseSetMatFillMode", &Description::fill, description, value, 1);
}
HPML_LIBRARY_API int cusparseSetMatDiagType(Description* description, int value) {
  return set("cusparseSetMatDiagType", &Description::diagonal, description, value, 1);
}
HPML_LIBRARY_API int cusparseSetMatIndexBase(Description* description, int value) {
  return set("cusparseSetMatIndexBase", &Description::base, description, value, 1);
}
HPML_LIBRARY_API int cusparseGetMatType(const Description* description) { return description->type; }
HPML_LIBRARY_API int cusparseGetMatFillMode(const Description* description) { return description->fill; }
HPML_LIBRARY_API int cusparseGetMatDiagType(const Description* description) { return description->diagonal; }
HPML_LIBRARY_API int cusparseGetMatIndexBase(const Description* description) { return description->base; }

// NAME: csrilu02 or csric02; INFO: how its functions spell the name of what they remember.
#define HPML_FACTORISATION(NAME, INFO, METHOD)                                                                         \
  HPML_LIBRARY_API int cusparseCreate##INFO##Info(Pivots** made) { return make("cusparseCreate" #INFO "Info", made); } \
  HPML_LIBRARY_API int cusparseDestroy##INFO##Info(const Pivots* old) {                                                \
    return drop("cusparseDestroy" #INFO "Info", old);                                                                  \
  }                                                                                                                    \
  HPML_LIBRARY_API int cusparseX##NAME##_zeroPivot(Handle* handle, const Pivots* pivots, int* position) {              \
    return zero_pivot("cusparseX" #NAME "_zeroPivot", handle, pivots, position);                                       \
  }                                                                                                                    \
  HPML_FACTORISATION_OF(S, f32, NAME, METHOD)                                                                          \
  HPML_FACTORISATION_OF(D, f64, NAME, METHOD)
#define HPML_FACTORISATION_OF(LETTER, TYPE, NAME, METHOD)                                                            \
  HPML_LIBRARY_API int cusparse##LETTER##NAME##_bufferSize(Handle* handle, int, int, const Description*, void*,      \
                                                           const int*, const int*, Pivots*, int* bytes) {            \
    return ask_for_buffer("cusparse" #LETTER #NAME "_bufferSize", handle, bytes, static_cast<int>(kBufferBytes));    \
  }                                                                                                                  \
  HPML_LIBRARY_API int cusparse##LETTER##NAME##_analysis(Handle* handle, int, int, const Description*, const void*,  \
                                                         const int*, const int*, Pivots*, int, const void* buffer) { \
    return cusparse_call("cusparse" #LETTER #NAME "_analysis", handle,                                               \
                         [&](Call&) { return buffer != nullptr ? kSuccess : kInvalidValue; });                       \
  }                                                                                                                  \
  HPML_LIBRARY_API int cusparse##LETTER##NAME(Handle* handle, int rows, int entries, const Description* description, \
                                              void* values, const int* offsets, const int* columns, Pivots* pivots,  \
                                              int, const void* buffer) {                                             \
    return cusparse_call("cusparse" #LETTER #NAME, handle, [&](Call& call) {                                         \
      if (buffer == nullptr) {                                                                                       \
        return kInvalidValue;                                                                                        \
      }                                                                                                              \
      return factor(call, "cusparse::" #NAME "_kernel", Element::TYPE, rows, entries, description, values, offsets,  \
                    columns, pivots, METHOD);                                                                        \
    });                                                                                                              \
  }
HPML_FACTORISATION(csrilu02, Csrilu02, lu)
HPML_FACTORISATION(csric02, Csric02, cholesky)

HPML_LIBRARY_API int cusparseXcoo2csr(Handle* handle, const int* lines, int entries, int rows, int* offsets, int base) {
  return cusparse_call("cusparseXcoo2csr", handle, [&](Call& call) {
    const uint64_t read = static_cast<uint64_t>(entries) * sizeof(int);
    const uint64_t written = (static_cast<uint64_t>(rows) + 1) * sizeof(int);
    const auto* from = static_cast<const int*>(call.find("the rows", lines, read));
    auto* to = static_cast<int*>(call.find("the offsets", offsets, written));
    const auto kernel = hpml::sim::libraries::memory_kernel("cusparse::coo2csr_kernel", entries, read, written);
    return call.launch(kernel, offsets, written, [=] {
      for (int64_t row = 0; row <= rows; ++row) {  // the rows are sorted
        to[row] = static_cast<int>(std::lower_bound(from, from + entries, row + base) - from) + base;
      }
      return true;
    });
  });
}
HPML_LIBRARY_API int cusparseXcsr2coo(Handle* handle, const int* offsets, int entries, int rows, int* lines, int base) {
  return cusparse_call("cusparseXcsr2coo", handle, [&](Call& call) {
    const uint64_t read = (static_cast<uint64_t>(rows) + 1) * sizeof(int);
    const uint64_t written = static_cast<uint64_t>(entries) * sizeof(int);
    const auto* from = static_cast<const int*>(call.find("the offsets", offsets, read));
    auto* to = static_cast<int*>(call.find("the rows", lines, written));
    const auto kernel = hpml::sim::libraries::memory_kernel("cusparse::csr2coo_kernel", entries, read, written);
    return call.launch(kernel, lines, written, [=] {
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t begin = from[row] - base, end = from[row + 1] - base;
        if (begin < 0 || begin > end || end > entries) {
          return false;
        }
        std::fill(to + begin, to + end, static_cast<int>(row) + base);
      }
      return true;
    });
  });
}
