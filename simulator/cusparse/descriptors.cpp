// Handles and descriptors of cuSPARSE's generic API.
#include "simulator/cusparse/entry.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

constexpr int kVersion = 12603;

std::optional<Index> index_of(int type) {
  return type == 2 || type == 3 ? std::optional(static_cast<Index>(type)) : std::nullopt;
}

int create(const char* name, Sparse** made, const Sparse& wanted, int offset_type, int index_type, int base,
           int data_type) {
  return descriptor_call(name, [&] {
    const auto offsets = index_of(offset_type), indices = index_of(index_type);
    const auto element = element_of(data_type);
    if (made == nullptr || wanted.rows < 0 || wanted.columns < 0 || wanted.entries < 0 || base < 0 || base > 1) {
      return kInvalidValue;
    }
    if (!offsets || !indices || !element) {
      return kNotSupported;
    }
    *made = new Sparse(wanted);
    (*made)->offset_type = *offsets;
    (*made)->index_type = *indices;
    (*made)->base = base;
    (*made)->type = *element;
    return kSuccess;
  });
}

template <class T>
int destroy(const char* name, const T* old) {
  return descriptor_call(name, [&] {
    delete old;
    return kSuccess;
  });
}

}  // namespace

HPML_LIBRARY_API int cusparseCreate(Handle** handle) {
  return hpml::sim::libraries::library_call("cusparseCreate", status_name, kNotInitialized,
                                            [&](Runtime&, Context&, ApiRecord&) -> int {
                                              if (handle == nullptr) {
                                                return kInvalidValue;
                                              }
                                              *handle = new Handle;
                                              return kSuccess;
                                            });
}
HPML_LIBRARY_API int cusparseDestroy(Handle* handle) { return destroy("cusparseDestroy", handle); }
HPML_LIBRARY_API int cusparseGetVersion(Handle* handle, int* version) {
  return descriptor_call("cusparseGetVersion", [&] {
    if (handle == nullptr || version == nullptr) {
      return handle == nullptr ? kNotInitialized : kInvalidValue;
    }
    *version = kVersion;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSetStream(Handle* handle, void* stream) {
  return cusparse_call("cusparseSetStream", handle, [&](Call& call) {
    call.handle.stream = stream;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseGetStream(Handle* handle, void** stream) {
  return cusparse_call("cusparseGetStream", handle, [&](Call& call) {
    *stream = call.handle.stream;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSetPointerMode(Handle* handle, int mode) {
  return cusparse_call("cusparseSetPointerMode", handle, [&](Call& call) {
    call.handle.device_scalars = mode == 1;
    return mode == 0 || mode == 1 ? kSuccess : kInvalidValue;
  });
}
HPML_LIBRARY_API int cusparseGetPointerMode(Handle* handle, int* mode) {
  return cusparse_call("cusparseGetPointerMode", handle, [&](Call& call) {
    *mode = call.handle.device_scalars ? 1 : 0;
    return kSuccess;
  });
}
HPML_LIBRARY_API const char* cusparseGetErrorName(int status) { return status_name(status); }
HPML_LIBRARY_API const char* cusparseGetErrorString(int status) {
  switch (status) {
    case kSuccess: return "success";
    case kNotInitialized: return "initialization error";
    case kInvalidValue: return "invalid value";
    case kExecutionFailed: return "kernel launch failure";
    case kZeroPivot: return "zero pivot";
    case kNotSupported: return "operation not supported";
    default: return "unrecognized error code";
  }
}

HPML_LIBRARY_API int cusparseCreateCsr(Sparse** made, int64_t rows, int64_t columns, int64_t entries, void* offsets,
                                       void* indices, void* values, int offset_type, int index_type, int base,
                                       int data_type) {
  const Sparse wanted{Format::csr, rows, columns, entries, offsets, indices, values};
  return create("cusparseCreateCsr", made, wanted, offset_type, index_type, base, data_type);
}
HPML_LIBRARY_API int cusparseCreateCsc(Sparse** made, int64_t rows, int64_t columns, int64_t entries, void* offsets,
                                       void* indices, void* values, int offset_type, int index_type, int base,
                                       int data_type) {
  const Sparse wanted{Format::csc, rows, columns, entries, offsets, indices, values};
  return create("cusparseCreateCsc", made, wanted, offset_type, index_type, base, data_type);
}
HPML_LIBRARY_API int cusparseCreateCoo(Sparse** made, int64_t rows, int64_t columns, int64_t entries, void* row_indices,
                                       void* column_indices, void* values, int index_type, int base, int data_type) {
  const Sparse wanted{Format::coo, rows, columns, entries, row_indices, column_indices, values};
  return create("cusparseCreateCoo", made, wanted, index_type, index_type, base, data_type);
}
HPML_LIBRARY_API int cusparseDestroySpMat(const Sparse* old) { return destroy("cusparseDestroySpMat", old); }
HPML_LIBRARY_API int cusparseSpMatGetSize(const Sparse* matrix, int64_t* rows, int64_t* columns, int64_t* entries) {
  return descriptor_call("cusparseSpMatGetSize", [&] {
    if (matrix == nullptr || rows == nullptr || columns == nullptr || entries == nullptr) {
      return kInvalidValue;
    }
    *rows = matrix->rows;
    *columns = matrix->columns;
    *entries = matrix->entries;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpMatSetValues(Sparse* matrix, void* values) {
  return descriptor_call("cusparseSpMatSetValues", [&] {
    if (matrix == nullptr) {
      return kInvalidValue;
    }
    matrix->values = values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseCsrSetPointers(Sparse* matrix, void* offsets, void* indices, void* values) {
  return descriptor_call("cusparseCsrSetPointers", [&] {
    if (matrix == nullptr || matrix->format != Format::csr) {
      return kInvalidValue;
    }
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return kSuccess;
  });
}

HPML_LIBRARY_API int cusparseSpMatGetValues(const Sparse* matrix, void** values) {
  return descriptor_call("cusparseSpMatGetValues", [&] {
    if (matrix == nullptr || values == nullptr) {
      return kInvalidValue;
    }
    *values = matrix->values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpMatGetIndexBase(const Sparse* matrix, int* base) {
  return descriptor_call("cusparseSpMatGetIndexBase", [&] {
    if (matrix == nullptr || base == nullptr) {
      return kInvalidValue;
    }
    *base = static_cast<int>(matrix->base);
    return kSuccess;
  });
}

HPML_LIBRARY_API int cusparseCreateDnVec(DenseVector** made, int64_t size, void* values, int data_type) {
  return descriptor_call("cusparseCreateDnVec", [&] {
    const auto element = element_of(data_type);
    if (made == nullptr || size < 0) {
      return kInvalidValue;
    }
    if (!element) {
      return kNotSupported;
    }
    *made = new DenseVector{size, values, *element};
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseDestroyDnVec(const DenseVector* old) { return destroy("cusparseDestroyDnVec", old); }
HPML_LIBRARY_API int cusparseDnVecSetValues(DenseVector* vector, void* values) {
  return descriptor_call("cusparseDnVecSetValues", [&] {
    if (vector == nullptr) {
      return kInvalidValue;
    }
    vector->values = values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseDnVecGetValues(const DenseVector* vector, void** values) {
  return descriptor_call("cusparseDnVecGetValues", [&] {
    if (vector == nullptr || values == nullptr) {
      return kInvalidValue;
    }
    *values = vector->values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseCreateDnMat(DenseMatrix** made, int64_t rows, int64_t columns, int64_t leading,
                                         void* values, int data_type, int order) {
  return descriptor_call("cusparseCreateDnMat", [&] {
    constexpr int kColumns = 1, kRows = 2;  // cusparseOrder_t
    const auto element = element_of(data_type);
    if (made == nullptr || rows < 0 || columns < 0 || (order != kColumns && order != kRows) ||
        leading < (order == kRows ? columns : rows)) {
      return kInvalidValue;
    }
    if (!element) {
      return kNotSupported;
    }
    *made = new DenseMatrix{rows, columns, leading, values, *element, order == kRows};
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseDnMatGetValues(const DenseMatrix* matrix, void** values) {
  return descriptor_call("cusparseDnMatGetValues", [&] {
    if (matrix == nullptr || values == nullptr) {
      return kInvalidValue;
    }
    *values = matrix->values;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseDnMatSetValues(DenseMatrix* matrix, void* values) {
  return descriptor_call("cusparseDnMatSetValues", [&] {
    if (matrix == nullptr) {
      return kInvalidValue;
    }
    matrix->values = values;
    return kSuccess;
  });
}

// Descriptors whose arrays the library only reads: the same ones.
HPML_LIBRARY_API int cusparseCreateConstCsr(Sparse** made, int64_t rows, int64_t columns, int64_t entries,
                                            void* offsets, void* indices, void* values, int offset_type, int index_type,
                                            int base, int data_type) {
  const Sparse wanted{Format::csr, rows, columns, entries, offsets, indices, values};
  return create("cusparseCreateConstCsr", made, wanted, offset_type, index_type, base, data_type);
}
HPML_LIBRARY_API int cusparseCreateConstDnVec(DenseVector** made, int64_t size, void* values, int data_type) {
  return cusparseCreateDnVec(made, size, values, data_type);
}
HPML_LIBRARY_API int cusparseCreateConstDnMat(DenseMatrix** made, int64_t rows, int64_t columns, int64_t leading,
                                              void* values, int data_type, int order) {
  return cusparseCreateDnMat(made, rows, columns, leading, values, data_type, order);
}
HPML_LIBRARY_API int cusparseDestroyDnMat(const DenseMatrix* old) { return destroy("cusparseDestroyDnMat", old); }
