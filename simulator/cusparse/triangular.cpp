// Solutions of triangular systems (cusparseSpSV). The matrix's attributes say which triangle counts; the other entries
// may be there and are not read.
#include <vector>

#include "simulator/cusparse/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct Solution {  // cusparseSpSVDescr: what the analysis finds is not needed here
  bool analysed = false;
};

struct Term {
  int64_t column;
  double value;
};

// op(A) y = by x, for y; false: an entry lies outside of A.
bool solve(const Sparse& a, bool turned, double by, const DenseVector& x, const DenseVector& y) {
  const auto size = static_cast<size_t>(a.rows);
  const bool lower = a.upper == turned;
  std::vector<std::vector<Term>> lines(size);
  std::vector<double> diagonal(size, a.unit_diagonal ? 1 : 0), found(size);
  const bool inside = a.for_each([&](int64_t row, int64_t column, double value) {
    const int64_t i = turned ? column : row, j = turned ? row : column;
    if (i == j && !a.unit_diagonal) {
      diagonal[static_cast<size_t>(i)] = value;
    } else if (lower ? j < i : j > i) {
      lines[static_cast<size_t>(i)].push_back({j, value});
    }
  });
  for (size_t k = 0; k < size; ++k) {
    const size_t i = lower ? k : size - 1 - k;
    double rest = by * hpml::sim::libraries::load(x.type, x.values, static_cast<int64_t>(i));
    for (const Term& term : lines[i]) {
      rest -= term.value * found[static_cast<size_t>(term.column)];
    }
    found[i] = rest / diagonal[i];
    hpml::sim::libraries::store(y.type, y.values, static_cast<int64_t>(i), found[i]);
  }
  return inside;
}

Status check(const Sparse* a, const DenseVector* x, const DenseVector* y, const Solution* solution, int op) {
  const bool there = a != nullptr && x != nullptr && y != nullptr && solution != nullptr && op >= 0 && op <= 2;
  return there && a->rows == a->columns && x->size == a->rows && y->size == a->rows ? kSuccess : kInvalidValue;
}

Status solve(Call& call, int op, const void* alpha, const Sparse* a, const DenseVector* x, const DenseVector* y,
             const Solution* solution) {
  if (const Status status = check(a, x, y, solution, op); status != kSuccess || !solution->analysed) {
    return kInvalidValue;
  }
  const Sparse matrix = call.find(*a);
  const DenseVector from = call.find("x", *x), to = call.find("y", *y);
  const double by = call.scalar(alpha, y->type);
  const LibraryKernel kernel = hpml::sim::libraries::memory_kernel("cusparse::csrsv_kernel", a->entries,
                                                                   a->bytes() + x->bytes(), y->bytes(), a->type, 2);
  return call.launch(kernel, y->values, y->bytes(), [=] { return solve(matrix, op != 0, by, from, to); });
}

}  // namespace

HPML_LIBRARY_API int cusparseSpMatSetAttribute(Sparse* matrix, int attribute, const void* data, size_t bytes) {
  return descriptor_call("cusparseSpMatSetAttribute", [&] {
    constexpr int kFillMode = 0, kDiagonalType = 1;  // cusparseSpMatAttribute_t
    if (matrix == nullptr || data == nullptr || bytes != sizeof(int)) {
      return kInvalidValue;
    }
    const int value = *static_cast<const int*>(data);
    if ((attribute != kFillMode && attribute != kDiagonalType) || value < 0 || value > 1) {
      return kInvalidValue;
    }
    (attribute == kFillMode ? matrix->upper : matrix->unit_diagonal) = value == 1;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpMatGetAttribute(const Sparse* matrix, int attribute, void* data, size_t bytes) {
  return descriptor_call("cusparseSpMatGetAttribute", [&] {
    if (matrix == nullptr || data == nullptr || bytes != sizeof(int) || attribute < 0 || attribute > 1) {
      return kInvalidValue;
    }
    *static_cast<int*>(data) = (attribute == 0 ? matrix->upper : matrix->unit_diagonal) ? 1 : 0;
    return kSuccess;
  });
}

HPML_LIBRARY_API int cusparseSpSV_createDescr(Solution** made) {
  return descriptor_call("cusparseSpSV_createDescr", [&] {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new Solution;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpSV_destroyDescr(Solution* old) {
  return descriptor_call("cusparseSpSV_destroyDescr", [&] {
    delete old;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpSV_bufferSize(Handle* handle, int op, const void*, const Sparse* a, const DenseVector* x,
                                             const DenseVector* y, int, int, const Solution* solution, size_t* size) {
  return cusparse_call("cusparseSpSV_bufferSize", handle, [&](Call&) {
    if (size == nullptr || check(a, x, y, solution, op) != kSuccess) {
      return kInvalidValue;
    }
    *size = kBufferBytes;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpSV_analysis(Handle* handle, int op, const void*, const Sparse* a, const DenseVector* x,
                                           const DenseVector* y, int, int, Solution* solution, const void* buffer) {
  return cusparse_call("cusparseSpSV_analysis", handle, [&](Call&) {
    if (!has_buffer("cusparseSpSV_analysis", 10, buffer)) {
      return kInvalidValue;
    }
    const Status status = check(a, x, y, solution, op);
    if (status == kSuccess) {
      solution->analysed = true;
    }
    return status;
  });
}
HPML_LIBRARY_API int cusparseSpSV_solve(Handle* handle, int op, const void* alpha, const Sparse* a,
                                        const DenseVector* x, DenseVector* y, int, int, const Solution* solution) {
  return cusparse_call("cusparseSpSV_solve", handle,
                       [&](Call& call) { return solve(call, op, alpha, a, x, y, solution); });
}
