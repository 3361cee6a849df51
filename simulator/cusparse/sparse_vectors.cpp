// Sparse vectors (axpby, gather, scatter, dot products), products of dense matrices at the entries of a sparse one
// (SDDMM), and tridiagonal systems (gtsv2), which are sparse matrices as three vectors.
#include <cmath>
#include <vector>

#include "simulator/cusparse/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

struct SparseVector {
  int64_t size = 0, entries = 0;
  void *indices = nullptr, *values = nullptr;
  Index index_type = Index::i32;
  int64_t base = 0;
  Element type = Element::f32;
  int data_type = 0;

  uint64_t index_bytes() const { return static_cast<uint64_t>(entries) * size_of(index_type); }
  uint64_t value_bytes() const { return static_cast<uint64_t>(entries) * libraries::size_of(type); }
  double get(int64_t at) const { return libraries::load(type, values, at); }
  // f(position in the vector, index of the entry); false: one lies outside.
  template <class F>
  bool for_each(F f) const {
    bool inside = true;
    for (int64_t at = 0; at < entries; ++at) {
      const int64_t place = load(index_type, indices, at) - base;
      inside = inside && place >= 0 && place < size;
      if (place >= 0 && place < size) {
        f(place, at);
      }
    }
    return inside;
  }
};

SparseVector find(Call& call, const SparseVector& x) {
  SparseVector found = x;
  found.indices = call.find("the indices of the sparse vector", x.indices, x.index_bytes());
  found.values = call.find("the values of the sparse vector", x.values, x.value_bytes());
  return found;
}

LibraryKernel kernel_of(const char* name, const SparseVector& x) {
  return libraries::memory_kernel(name, x.entries, x.index_bytes() + 2 * x.value_bytes(), x.value_bytes(), x.type, 2);
}

// body(x, y) -> bool, of a sparse and a dense vector, both found.
template <class Body>
int on_vectors(const char* name, Handle* handle, const SparseVector* x, const DenseVector* y, Body body) {
  return cusparse_call(name, handle, [&](Call& call) {
    if (x == nullptr || y == nullptr || x->size != y->size) {
      return kInvalidValue;
    }
    const SparseVector sparse = find(call, *x);
    const DenseVector dense = call.find("the dense vector", *y);
    return call.launch(kernel_of(name, *x), nullptr, 0, [=] { return body(sparse, dense); });
  });
}

// C's entries = alpha (op(A) op(B)) there + beta C.
int sddmm(Handle* handle, int op_a, int op_b, const void* alpha, const DenseMatrix* a, const DenseMatrix* b,
          const void* beta, Sparse* c) {
  return cusparse_call("cusparseSDDMM", handle, [&](Call& call) {
    if (a == nullptr || b == nullptr || c == nullptr) {
      return kInvalidValue;
    }
    const int64_t inner = op_a == 0 ? a->columns : a->rows;
    if ((op_a == 0 ? a->rows : a->columns) != c->rows || (op_b == 0 ? b->columns : b->rows) != c->columns ||
        (op_b == 0 ? b->rows : b->columns) != inner) {
      return kInvalidValue;
    }
    const DenseMatrix left = call.find("A", *a), right = call.find("B", *b);
    const Sparse to = call.find(*c);
    const double by = call.scalar(alpha, c->type), keep = call.scalar(beta, c->type);
    const LibraryKernel kernel =
        libraries::memory_kernel("cusparse::sddmm_kernel", c->entries, a->bytes() + b->bytes() + c->bytes(),
                                 c->value_bytes(), c->type, 2.0 * static_cast<double>(inner));
    return call.launch(kernel, nullptr, 0, [=] {
      int64_t at = 0;
      return to.for_each([&](int64_t row, int64_t column, double before) {
        double sum = 0;
        for (int64_t k = 0; k < inner; ++k) {
          sum += (op_a == 0 ? left.get(row, k) : left.get(k, row)) *
                 (op_b == 0 ? right.get(k, column) : right.get(column, k));
        }
        libraries::store(to.type, to.values, at++, by * sum + (keep != 0 ? keep * before : 0));
      });
    });
  });
}

struct Diagonals {
  std::vector<double> below, main, above;
};

// x in place of b, by elimination; with row exchanges where the element below is larger.
void solve(Diagonals t, std::vector<double>& b, bool exchange) {
  const size_t n = t.main.size();
  std::vector<double> second(n);  // the diagonal above `above`, which exchanges fill
  for (size_t i = 0; i + 1 < n; ++i) {
    if (exchange && std::abs(t.below[i + 1]) > std::abs(t.main[i])) {
      std::swap(t.main[i], t.below[i + 1]);
      std::swap(t.above[i], t.main[i + 1]);
      second[i] = t.above[i + 1];
      t.above[i + 1] = 0;
      std::swap(b[i], b[i + 1]);
    }
    const double factor = t.below[i + 1] / t.main[i];
    t.main[i + 1] -= factor * t.above[i];
    t.above[i + 1] -= factor * second[i];
    b[i + 1] -= factor * b[i];
  }
  for (size_t i = n; i-- > 0;) {
    const double one = i + 1 < n ? t.above[i] * b[i + 1] : 0, two = i + 2 < n ? second[i] * b[i + 2] : 0;
    b[i] = (b[i] - one - two) / t.main[i];
  }
}

struct Systems {
  int64_t n, sides;             // of one system
  int64_t batch, stride, step;  // systems, elements from one to the next, and from one right side to the next
  const void *below, *main, *above;
  void* b;
};

// n >= 3 in the manual; smaller systems are solved, too.
int gtsv(const char* name, Handle* handle, Element type, const Systems& s, bool exchange) {
  return cusparse_call(name, handle, [&](Call& call) {
    if (s.n < 1 || s.sides < 0 || s.batch < 0 || (s.sides > 1 && s.step < s.n) || (s.batch > 1 && s.stride < s.n)) {
      return kInvalidValue;
    }
    const auto bytes = [&](int64_t elements) {
      return static_cast<uint64_t>(std::max<int64_t>(0, elements)) * libraries::size_of(type);
    };
    const uint64_t all = bytes((s.batch - 1) * s.stride + s.n);
    const void *below = call.find("dl", s.below, all), *main = call.find("d", s.main, all),
               *above = call.find("du", s.above, all);
    void* const b = call.find("the right sides", s.b, s.batch > 1 ? all : bytes((s.sides - 1) * s.step + s.n));
    const LibraryKernel kernel =
        libraries::memory_kernel(name, s.n * s.batch * std::max<int64_t>(1, s.sides), 4 * all, all, type, 8);
    return call.launch(kernel, nullptr, 0, [=] {
      const auto column = [&](const void* from, int64_t at) {
        std::vector<double> values;
        for (int64_t i = 0; i < s.n; ++i) {
          values.push_back(libraries::load(type, from, at + i));
        }
        return values;
      };
      for (int64_t i = 0; i < s.batch * s.sides; ++i) {
        const int64_t matrix = i / s.sides * s.stride, side = matrix + i % s.sides * s.step;
        std::vector<double> x = column(b, side);
        solve({column(below, matrix), column(main, matrix), column(above, matrix)}, x, exchange);
        for (int64_t k = 0; k < s.n; ++k) {
          libraries::store(type, b, side + k, x[static_cast<size_t>(k)]);
        }
      }
      return true;
    });
  });
}

}  // namespace

HPML_LIBRARY_API int cusparseCreateSpVec(SparseVector** made, int64_t size, int64_t entries, void* indices,
                                         void* values, int index_type, int base, int data_type) {
  return descriptor_call("cusparseCreateSpVec", [&] {
    const auto type = element_of(data_type);
    if (made == nullptr || size < 0 || entries < 0 || entries > size || (index_type != 2 && index_type != 3)) {
      return kInvalidValue;
    }
    if (!type) {
      return kNotSupported;
    }
    *made = new SparseVector{size, entries, indices, values, Index{index_type}, base, *type, data_type};
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseCreateConstSpVec(SparseVector** made, int64_t size, int64_t entries, const void* indices,
                                              const void* values, int index_type, int base, int data_type) {
  return cusparseCreateSpVec(made, size, entries, const_cast<void*>(indices), const_cast<void*>(values), index_type,
                             base, data_type);
}
HPML_LIBRARY_API int cusparseDestroySpVec(const SparseVector* old) {
  return descriptor_call("cusparseDestroySpVec", [&] {
    delete old;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpVecGet(const SparseVector* x, int64_t* size, int64_t* entries, void** indices,
                                      void** values, int* index_type, int* base, int* data_type) {
  return descriptor_call("cusparseSpVecGet", [&] {
    if (x == nullptr || size == nullptr || entries == nullptr || indices == nullptr || values == nullptr ||
        index_type == nullptr || base == nullptr || data_type == nullptr) {
      return kInvalidValue;
    }
    *size = x->size;
    *entries = x->entries;
    *indices = x->indices;
    *values = x->values;
    *index_type = static_cast<int>(x->index_type);
    *base = static_cast<int>(x->base);
    *data_type = x->data_type;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpVecGetValues(const SparseVector* x, void** values) {
  return descriptor_call("cusparseSpVecGetValues", [&] {
    if (x == nullptr || values == nullptr) {
      return kInvalidValue;
    }
    *values = x->values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpVecSetValues(SparseVector* x, void* values) {
  return descriptor_call("cusparseSpVecSetValues", [&] {
    if (x == nullptr) {
      return kInvalidValue;
    }
    x->values = values;
    return kSuccess;
  });
}
// y = alpha x + beta y
HPML_LIBRARY_API int cusparseAxpby(Handle* handle, const void* alpha, const SparseVector* x, const void* beta,
                                   DenseVector* y) {
  return cusparse_call("cusparseAxpby", handle, [&](Call& call) {
    if (x == nullptr || y == nullptr || x->size != y->size) {
      return kInvalidValue;
    }
    const double by = call.scalar(alpha, y->type), keep = call.scalar(beta, y->type);
    const SparseVector from = find(call, *x);
    const DenseVector to = call.find("y", *y);
    return call.launch(kernel_of("cusparse::axpby_kernel", *x), nullptr, 0, [=] {
      std::vector<double> sums;
      for (int64_t i = 0; i < to.size; ++i) {
        sums.push_back(keep * libraries::load(to.type, to.values, i));
      }
      const bool inside =
          from.for_each([&](int64_t place, int64_t at) { sums[static_cast<size_t>(place)] += by * from.get(at); });
      for (int64_t i = 0; i < to.size; ++i) {
        libraries::store(to.type, to.values, i, sums[static_cast<size_t>(i)]);
      }
      return inside;
    });
  });
}
HPML_LIBRARY_API int cusparseGather(Handle* handle, const DenseVector* y, SparseVector* x) {
  return on_vectors("cusparseGather", handle, x, y, [](const SparseVector& to, const DenseVector& from) {
    return to.for_each([&](int64_t place, int64_t at) {
      libraries::store(to.type, to.values, at, libraries::load(from.type, from.values, place));
    });
  });
}
HPML_LIBRARY_API int cusparseScatter(Handle* handle, const SparseVector* x, DenseVector* y) {
  return on_vectors("cusparseScatter", handle, x, y, [](const SparseVector& from, const DenseVector& to) {
    return from.for_each([&](int64_t place, int64_t at) { libraries::store(to.type, to.values, place, from.get(at)); });
  });
}
HPML_LIBRARY_API int cusparseSpVV_bufferSize(Handle* handle, int, const SparseVector*, const DenseVector*, const void*,
                                             int, size_t* size) {
  return ask_for_buffer("cusparseSpVV_bufferSize", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseSpVV(Handle* handle, int, const SparseVector* x, const DenseVector* y, void* result, int,
                                  const void* buffer) {
  return cusparse_call("cusparseSpVV", handle, [&](Call& call) {
    if (!has_buffer("cusparseSpVV", 7, buffer)) {
      return kInvalidValue;
    }
    void* const to = x != nullptr && result != nullptr
                         ? libraries::any_data(call.runtime, result, libraries::size_of(x->type))
                         : nullptr;
    if (to == nullptr || y == nullptr || x->size != y->size) {
      return kInvalidValue;
    }
    const SparseVector left = find(call, *x);
    const DenseVector right = call.find("y", *y);
    const Status status = call.launch(kernel_of("cusparse::vector_scalar_multiply_kernel", *x), nullptr, 0, [=] {
      double sum = 0;
      const bool inside = left.for_each(
          [&](int64_t place, int64_t at) { sum += left.get(at) * libraries::load(right.type, right.values, place); });
      libraries::store(left.type, to, 0, sum);
      return inside;
    });
    if (status != kSuccess || handle->device_scalars) {
      return status;
    }
    return libraries::wait(call.runtime, call.context, handle->stream) == Error::success ? kSuccess : kExecutionFailed;
  });
}
HPML_LIBRARY_API int cusparseSDDMM_bufferSize(Handle* handle, int, int, const void*, const DenseMatrix*,
                                              const DenseMatrix*, const void*, const Sparse*, int, int, size_t* size) {
  return ask_for_buffer("cusparseSDDMM_bufferSize", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseSDDMM_preprocess(Handle* handle, int, int, const void*, const DenseMatrix*,
                                              const DenseMatrix*, const void*, const Sparse*, int, int, void*) {
  return cusparse_call("cusparseSDDMM_preprocess", handle, [](Call&) { return kSuccess; });
}
HPML_LIBRARY_API int cusparseSDDMM(Handle* handle, int op_a, int op_b, const void* alpha, const DenseMatrix* a,
                                   const DenseMatrix* b, const void* beta, Sparse* c, int, int, void*) {
  return sddmm(handle, op_a, op_b, alpha, a, b, beta, c);
}

#define HPML_TRIDIAGONAL(L, element, suffix, exchange)                                                                \
  HPML_LIBRARY_API int cusparse##L##gtsv2##suffix##_bufferSizeExt(Handle* handle, int, int, const void*, const void*, \
                                                                  const void*, const void*, int, size_t* size) {      \
    return ask_for_buffer("cusparse" #L "gtsv2" #suffix "_bufferSizeExt", handle, size, kBufferBytes);                \
  }                                                                                                                   \
  HPML_LIBRARY_API int cusparse##L##gtsv2##suffix(Handle* handle, int n, int sides, const void* below,                \
                                                  const void* main, const void* above, void* b, int ldb, void*) {     \
    return gtsv("cusparse" #L "gtsv2" #suffix, handle, element, {n, sides, 1, n, ldb, below, main, above, b},         \
                exchange);                                                                                            \
  }
#define HPML_TRIDIAGONALS(L, element)                                                                                \
  HPML_TRIDIAGONAL(L, element, , true)                                                                               \
  HPML_TRIDIAGONAL(L, element, _nopivot, false)                                                                      \
  HPML_LIBRARY_API int cusparse##L##gtsv2StridedBatch_bufferSizeExt(                                                 \
      Handle* handle, int, const void*, const void*, const void*, const void*, int, int, size_t* size) {             \
    return ask_for_buffer("cusparse" #L "gtsv2StridedBatch_bufferSizeExt", handle, size, kBufferBytes);              \
  }                                                                                                                  \
  HPML_LIBRARY_API int cusparse##L##gtsv2StridedBatch(Handle* handle, int n, const void* below, const void* main,    \
                                                      const void* above, void* x, int batch, int stride, void*) {    \
    return gtsv("cusparse" #L "gtsv2StridedBatch", handle, element, {n, 1, batch, stride, n, below, main, above, x}, \
                false);                                                                                              \
  }
HPML_TRIDIAGONALS(S, Element::f32)
HPML_TRIDIAGONALS(D, Element::f64)
#undef HPML_TRIDIAGONALS
#undef HPML_TRIDIAGONAL
