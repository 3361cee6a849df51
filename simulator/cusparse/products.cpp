// Products of sparse matrices with vectors and matrices, and the ways between sparse and dense. Sums are computed in
// double, in the order in which the entries lie, and rounded once.
#include <algorithm>
#include <vector>

#include "simulator/cusparse/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

// Bound by memory: every entry once, and what it meets of the dense side out of L2.
LibraryKernel kernel_of(const char* name, const Sparse& a, int64_t columns, uint64_t dense_read, uint64_t written) {
  LibraryKernel kernel = hpml::sim::libraries::memory_kernel(name, a.entries, a.bytes() + dense_read, written, a.type,
                                                             2.0 * static_cast<double>(columns));
  const auto met = static_cast<uint64_t>(a.entries * columns) * hpml::sim::libraries::size_of(a.type);
  kernel.l2 = a.bytes() + met + written;
  return kernel;
}

bool known(int op) { return op >= 0 && op <= 2; }  // as it lies, transposed, conjugated and transposed

Status multiply(Call& call, int op, const void* alpha, const Sparse* a, const DenseVector* x, const void* beta,
                DenseVector* y) {
  if (a == nullptr || x == nullptr || y == nullptr || !known(op)) {
    return kInvalidValue;
  }
  const bool turned = op != 0;
  if (x->size != (turned ? a->rows : a->columns) || y->size != (turned ? a->columns : a->rows)) {
    return kInvalidValue;
  }
  const Sparse matrix = call.find(*a);
  const DenseVector from = call.find("x", *x), to = call.find("y", *y);
  const double by = call.scalar(alpha, y->type), keep = call.scalar(beta, y->type);
  return call.launch(kernel_of("cusparse::csrmv_kernel", *a, 1, x->bytes() + (keep != 0 ? y->bytes() : 0), y->bytes()),
                     y->values, y->bytes(), [=] {
                       using hpml::sim::libraries::load;
                       std::vector<double> sums(static_cast<size_t>(to.size));
                       const bool inside = matrix.for_each([&](int64_t row, int64_t column, double value) {
                         sums[static_cast<size_t>(turned ? column : row)] +=
                             value * load(from.type, from.values, turned ? row : column);
                       });
                       for (int64_t i = 0; i < to.size; ++i) {
                         const double before = keep != 0 ? keep * load(to.type, to.values, i) : 0;
                         hpml::sim::libraries::store(to.type, to.values, i, by * sums[static_cast<size_t>(i)] + before);
                       }
                       return inside;
                     });
}

Status multiply(Call& call, int op_a, int op_b, const void* alpha, const Sparse* a, const DenseMatrix* b,
                const void* beta, DenseMatrix* c) {
  if (a == nullptr || b == nullptr || c == nullptr || !known(op_a) || !known(op_b)) {
    return kInvalidValue;
  }
  const bool turned = op_a != 0, b_turned = op_b != 0;
  const int64_t inner = turned ? a->rows : a->columns;
  if ((turned ? a->columns : a->rows) != c->rows || (b_turned ? b->columns : b->rows) != inner ||
      (b_turned ? b->rows : b->columns) != c->columns) {
    return kInvalidValue;
  }
  const Sparse matrix = call.find(*a);
  const DenseMatrix from = call.find("B", *b), to = call.find("C", *c);
  const double by = call.scalar(alpha, c->type), keep = call.scalar(beta, c->type);
  return call.launch(
      kernel_of("cusparse::csrmm_kernel", *a, c->columns, b->bytes() + (keep != 0 ? c->bytes() : 0), c->bytes()),
      c->values, c->bytes(), [=] {
        const auto columns = static_cast<size_t>(to.columns);
        std::vector<double> sums(static_cast<size_t>(to.rows) * columns);
        const bool inside = matrix.for_each([&](int64_t row, int64_t column, double value) {
          double* const line = sums.data() + static_cast<size_t>(turned ? column : row) * columns;
          const int64_t k = turned ? row : column;
          for (int64_t j = 0; j < to.columns; ++j) {
            line[j] += value * (b_turned ? from.get(j, k) : from.get(k, j));
          }
        });
        for (int64_t i = 0; i < to.rows; ++i) {
          for (int64_t j = 0; j < to.columns; ++j) {
            const double before = keep != 0 ? keep * to.get(i, j) : 0;
            to.set(i, j, by * sums[static_cast<size_t>(i) * columns + static_cast<size_t>(j)] + before);
          }
        }
        return inside;
      });
}

using Outputs = std::vector<hpml::sim::cudart::Written>;

// Counts what is not zero, and fills the offsets of a CSR matrix; with `entries`, columns and values as well.
Status from_dense(Call& call, const DenseMatrix* dense, Sparse* sparse, bool entries) {
  if (dense == nullptr || sparse == nullptr || dense->rows != sparse->rows || dense->columns != sparse->columns) {
    return kInvalidValue;
  }
  if (sparse->format != Format::csr) {
    hpml::sim::libraries::say_not_supported("cusparseDenseToSparse to another format than CSR");
    return kNotSupported;
  }
  const DenseMatrix from = call.find("the dense matrix", *dense);
  Sparse to = *sparse;
  to.offsets = call.find("the offsets of the sparse matrix", sparse->offsets, sparse->offset_bytes());
  if (entries) {
    to.indices = call.find("the indices of the sparse matrix", sparse->indices, sparse->index_bytes());
    to.values = call.find("the values of the sparse matrix", sparse->values, sparse->value_bytes());
  }
  const LibraryKernel kernel = kernel_of(entries ? "cusparse::dense2csr_kernel" : "cusparse::nnz_kernel", *sparse, 0,
                                         dense->bytes(), entries ? sparse->bytes() : sparse->offset_bytes());
  const auto body = [from, to, entries] {
    int64_t found = 0;
    for (int64_t i = 0; i < from.rows; ++i) {
      store(to.offset_type, to.offsets, i, found + to.base);
      for (int64_t j = 0; j < from.columns; ++j) {
        if (const double value = from.get(i, j); value != 0) {
          if (entries && found < to.entries) {
            store(to.index_type, to.indices, found, j + to.base);
            hpml::sim::libraries::store(to.type, to.values, found, value);
          }
          ++found;
        }
      }
    }
    store(to.offset_type, to.offsets, from.rows, found + to.base);
    return !entries || found <= to.entries;
  };
  if (const Status status = call.launch(
          kernel, sparse->offsets, sparse->offset_bytes(), body,
          entries ? Outputs{{sparse->indices, sparse->index_bytes()}, {sparse->values, sparse->value_bytes()}}
                  : Outputs{});
      status != kSuccess) {
    return status;
  }
  if (!entries) {  // the host reads how many there are
    if (hpml::sim::libraries::wait(call.runtime, call.context, call.handle.stream) != Error::success) {
      return kExecutionFailed;
    }
    sparse->entries = load(to.offset_type, to.offsets, to.rows) - to.base;
  }
  return kSuccess;
}

}  // namespace

HPML_LIBRARY_API int cusparseSpMV_bufferSize(Handle* handle, int, const void*, const Sparse*, const DenseVector*,
                                             const void*, const DenseVector*, int, int, size_t* size) {
  return ask_for_buffer("cusparseSpMV_bufferSize", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseSpMV_preprocess(Handle* handle, int, const void*, const Sparse*, const DenseVector*,
                                             const void*, const DenseVector*, int, int, const void* buffer) {
  return cusparse_call("cusparseSpMV_preprocess", handle, [&](Call&) {
    return has_buffer("cusparseSpMV_preprocess", 10, buffer) ? kSuccess : kInvalidValue;
  });
}
HPML_LIBRARY_API int cusparseSpMV(Handle* handle, int op, const void* alpha, const Sparse* a, const DenseVector* x,
                                  const void* beta, DenseVector* y, int, int, const void* buffer) {
  return cusparse_call("cusparseSpMV", handle, [&](Call& call) {
    return has_buffer("cusparseSpMV", 10, buffer) ? multiply(call, op, alpha, a, x, beta, y) : kInvalidValue;
  });
}
HPML_LIBRARY_API int cusparseSpMM_bufferSize(Handle* handle, int, int, const void*, const Sparse*, const DenseMatrix*,
                                             const void*, const DenseMatrix*, int, int, size_t* size) {
  return ask_for_buffer("cusparseSpMM_bufferSize", handle, size, size_t{0});
}
HPML_LIBRARY_API int cusparseSpMM_preprocess(Handle* handle, int, int, const void*, const Sparse*, const DenseMatrix*,
                                             const void*, const DenseMatrix*, int, int, void*) {
  return cusparse_call("cusparseSpMM_preprocess", handle, [](Call&) { return kSuccess; });
}
HPML_LIBRARY_API int cusparseSpMM(Handle* handle, int op_a, int op_b, const void* alpha, const Sparse* a,
                                  const DenseMatrix* b, const void* beta, DenseMatrix* c, int, int, void*) {
  return cusparse_call("cusparseSpMM", handle,
                       [&](Call& call) { return multiply(call, op_a, op_b, alpha, a, b, beta, c); });
}
HPML_LIBRARY_API int cusparseSparseToDense_bufferSize(Handle* handle, const Sparse*, const DenseMatrix*, int,
                                                      size_t* size) {
  return ask_for_buffer("cusparseSparseToDense_bufferSize", handle, size, size_t{0});
}
HPML_LIBRARY_API int cusparseSparseToDense(Handle* handle, const Sparse* a, DenseMatrix* b, int, void*) {
  return cusparse_call("cusparseSparseToDense", handle, [&](Call& call) {
    if (a == nullptr || b == nullptr || a->rows != b->rows || a->columns != b->columns) {
      return kInvalidValue;
    }
    const Sparse from = call.find(*a);
    const DenseMatrix to = call.find("the dense matrix", *b);
    return call.launch(
        kernel_of("cusparse::csr2dense_kernel", *a, 0, 0, b->bytes()), b->values, b->bytes(), [from, to] {
          for (int64_t i = 0; i < to.rows; ++i) {
            for (int64_t j = 0; j < to.columns; ++j) {
              to.set(i, j, 0);
            }
          }
          return from.for_each([&](int64_t row, int64_t column, double value) { to.set(row, column, value); });
        });
  });
}
HPML_LIBRARY_API int cusparseDenseToSparse_bufferSize(Handle* handle, const DenseMatrix*, const Sparse*, int,
                                                      size_t* size) {
  return ask_for_buffer("cusparseDenseToSparse_bufferSize", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseDenseToSparse_analysis(Handle* handle, const DenseMatrix* a, Sparse* b, int,
                                                    const void* buffer) {
  return cusparse_call("cusparseDenseToSparse_analysis", handle, [&](Call& call) {
    return has_buffer("cusparseDenseToSparse_analysis", 5, buffer) ? from_dense(call, a, b, false) : kInvalidValue;
  });
}
HPML_LIBRARY_API int cusparseDenseToSparse_convert(Handle* handle, const DenseMatrix* a, Sparse* b, int,
                                                   const void* buffer) {
  return cusparse_call("cusparseDenseToSparse_convert", handle, [&](Call& call) {
    return has_buffer("cusparseDenseToSparse_convert", 5, buffer) ? from_dense(call, a, b, true) : kInvalidValue;
  });
}
