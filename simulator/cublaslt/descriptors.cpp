// Descriptors of cuBLASLt: made, changed and read by attribute.
#include <cstring>

#include "simulator/cublaslt/entry.hpp"
#include "simulator/cublaslt/layout.hpp"

using namespace hpml::sim::cublaslt;  // NOLINT(google-build-using-namespace): entry points have no namespace

namespace {

struct Field {
  void* data = nullptr;
  size_t size = 0;
};

template <class T>
Field field(T& of) {
  return {&of, sizeof of};
}

Field field_of(Layout& layout, int attribute) {
  switch (attribute) {  // cublasLtMatrixLayoutAttribute_t
    case 0: return field(layout.type);
    case 1: return field(layout.order);
    case 2: return field(layout.rows);
    case 3: return field(layout.columns);
    case 4: return field(layout.leading);
    case 5: return field(layout.batch);
    case 6: return field(layout.stride);
    default: return {};
  }
}

Field field_of(Matmul& matmul, int attribute) {
  switch (attribute) {  // cublasLtMatmulDescAttributes_t
    case 0: return field(matmul.compute);
    case 1: return field(matmul.scale_type);
    case 2: return field(matmul.pointer_mode);
    case 3: return field(matmul.transpose_a);
    case 4: return field(matmul.transpose_b);
    case 7: return field(matmul.epilogue);
    case 8: return field(matmul.bias);
    case 26: return field(matmul.bias_type);
    default: return {};
  }
}

Field field_of(Preference& preference, int attribute) { return attribute == 1 ? field(preference.workspace) : Field{}; }

// Attributes that this library does not know are refused, not forgotten; preferences are only wishes.
template <class T>
int set(const char* name, T* object, int attribute, const void* value, size_t bytes, bool may_be_unknown = false) {
  return host_call(name, [&]() -> int {
    if (object == nullptr || value == nullptr) {
      return kInvalidValue;
    }
    const Field to = field_of(*object, attribute);
    if (to.data == nullptr) {
      if (!may_be_unknown) {
        hpml::sim::libraries::say_not_supported(std::string(name) + " with attribute " + std::to_string(attribute));
      }
      return may_be_unknown ? kSuccess : kNotSupported;
    }
    if (bytes != to.size) {
      return kInvalidValue;
    }
    std::memcpy(to.data, value, bytes);
    return kSuccess;
  });
}

template <class T>
int get(const char* name, T* object, int attribute, void* value, size_t bytes, size_t* written) {
  return host_call(name, [&]() -> int {
    const Field from = object != nullptr ? field_of(*object, attribute) : Field{};
    if (written != nullptr) {
      *written = from.size;
    }
    if (from.data == nullptr || (bytes > 0 && (value == nullptr || bytes < from.size))) {
      return kInvalidValue;
    }
    if (bytes > 0) {
      std::memcpy(value, from.data, from.size);
    }
    return kSuccess;
  });
}

template <class T>
int create(const char* name, T** made, const T& value) {
  return host_call(name, [&]() -> int {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new T(value);
    return kSuccess;
  });
}

template <class T>
int init(const char* name, T* place, size_t size, const T& value) {
  return host_call(name, [&]() -> int {
    if (place == nullptr || size < sizeof(T)) {
      return kInvalidValue;
    }
    *place = value;
    return kSuccess;
  });
}

template <class T>
int destroy(const char* name, T* object) {
  return host_call(name, [&]() -> int {
    delete object;
    return kSuccess;
  });
}

Layout layout(int type, uint64_t rows, uint64_t columns, int64_t leading) {
  return {.type = type, .rows = rows, .columns = columns, .leading = leading};
}

}  // namespace

HPML_LIBRARY_API int cublasLtMatrixLayoutCreate(Layout** made, int type, uint64_t rows, uint64_t columns,
                                                int64_t leading) {
  return create("cublasLtMatrixLayoutCreate", made, layout(type, rows, columns, leading));
}
HPML_LIBRARY_API int cublasLtMatrixLayoutInit_internal(Layout* place, size_t size, int type, uint64_t rows,
                                                       uint64_t columns, int64_t leading) {
  return init("cublasLtMatrixLayoutInit", place, size, layout(type, rows, columns, leading));
}
HPML_LIBRARY_API int cublasLtMatrixLayoutDestroy(Layout* old) { return destroy("cublasLtMatrixLayoutDestroy", old); }
HPML_LIBRARY_API int cublasLtMatrixLayoutSetAttribute(Layout* of, int attribute, const void* value, size_t bytes) {
  return set("cublasLtMatrixLayoutSetAttribute", of, attribute, value, bytes);
}
HPML_LIBRARY_API int cublasLtMatrixLayoutGetAttribute(Layout* of, int attribute, void* value, size_t bytes,
                                                      size_t* written) {
  return get("cublasLtMatrixLayoutGetAttribute", of, attribute, value, bytes, written);
}

HPML_LIBRARY_API int cublasLtMatmulDescCreate(Matmul** made, int compute, int scale_type) {
  return create("cublasLtMatmulDescCreate", made, {.compute = compute, .scale_type = scale_type});
}
HPML_LIBRARY_API int cublasLtMatmulDescInit_internal(Matmul* place, size_t size, int compute, int scale_type) {
  return init("cublasLtMatmulDescInit", place, size, {.compute = compute, .scale_type = scale_type});
}
HPML_LIBRARY_API int cublasLtMatmulDescDestroy(Matmul* old) { return destroy("cublasLtMatmulDescDestroy", old); }
HPML_LIBRARY_API int cublasLtMatmulDescSetAttribute(Matmul* of, int attribute, const void* value, size_t bytes) {
  return set("cublasLtMatmulDescSetAttribute", of, attribute, value, bytes);
}
HPML_LIBRARY_API int cublasLtMatmulDescGetAttribute(Matmul* of, int attribute, void* value, size_t bytes,
                                                    size_t* written) {
  return get("cublasLtMatmulDescGetAttribute", of, attribute, value, bytes, written);
}

HPML_LIBRARY_API int cublasLtMatmulPreferenceCreate(Preference** made) {
  return create("cublasLtMatmulPreferenceCreate", made, {});
}
HPML_LIBRARY_API int cublasLtMatmulPreferenceInit_internal(Preference* place, size_t size) {
  return init("cublasLtMatmulPreferenceInit", place, size, {});
}
HPML_LIBRARY_API int cublasLtMatmulPreferenceDestroy(Preference* old) {
  return destroy("cublasLtMatmulPreferenceDestroy", old);
}
HPML_LIBRARY_API int cublasLtMatmulPreferenceSetAttribute(Preference* of, int attribute, const void* value,
                                                          size_t bytes) {
  return set("cublasLtMatmulPreferenceSetAttribute", of, attribute, value, bytes, true);
}
