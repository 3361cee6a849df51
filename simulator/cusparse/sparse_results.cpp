// Products of sparse matrices that are sparse (SpGEMM), by Gustavson's method: rows of A choose rows of B. A CSR matrix
// as a CSC one (csr2csc).
#include <map>
#include <vector>

#include "simulator/cusparse/entry.hpp"
#include "simulator/libraries/memory_model.hpp"

using namespace hpml::sim::cusparse;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace libraries = hpml::sim::libraries;

namespace {

// What compute() has found, until copy() writes it where the program has made room.
struct Product {
  std::vector<std::map<int64_t, double>> rows;
  int64_t entries = 0, products = 0;
};

struct Operands {
  int op_a, op_b;
  const void* alpha;
  const Sparse *a, *b;
  const void* beta;
  Sparse* c;
};

Status check(const char* name, const Operands& o, const Product* product) {
  if (o.a == nullptr || o.b == nullptr || o.c == nullptr || product == nullptr || o.a->columns != o.b->rows ||
      o.c->rows != o.a->rows || o.c->columns != o.b->columns) {
    return kInvalidValue;
  }
  if (o.op_a != 0 || o.op_b != 0 || o.c->format != Format::csr) {
    libraries::say_not_supported(std::string(name) + " of transposed matrices, or to another format than CSR");
    return kNotSupported;
  }
  return kSuccess;
}

// Sums in double, in the order of A's entries. False: an index lies outside.
bool multiply(const Sparse& a, const Sparse& b, double by, Product& out) {
  std::vector<std::vector<std::pair<int64_t, double>>> lines(static_cast<size_t>(b.rows));
  const bool b_sound = b.for_each(
      [&](int64_t row, int64_t column, double value) { lines[static_cast<size_t>(row)].emplace_back(column, value); });
  out.rows.assign(static_cast<size_t>(a.rows), {});
  out.products = 0;
  const bool a_sound = a.for_each([&](int64_t row, int64_t inner, double value) {
    for (const auto& [column, other] : lines[static_cast<size_t>(inner)]) {
      out.rows[static_cast<size_t>(row)][column] += value * other;
      ++out.products;
    }
  });
  out.entries = 0;
  for (auto& row : out.rows) {
    out.entries += static_cast<int64_t>(row.size());
    for (auto& [column, value] : row) {
      value *= by;
    }
  }
  return a_sound && b_sound;
}

int compute(const char* name, Handle* handle, const Operands& o, Product* product) {
  return cusparse_call(name, handle, [&](Call& call) {
    if (const Status status = check(name, o, product); status != kSuccess) {
      return status;
    }
    const double by = call.scalar(o.alpha, o.c->type);
    if (call.scalar(o.beta, o.c->type) != 0 && o.c->entries != 0) {
      libraries::say_not_supported(std::string(name) + " that adds to what C holds (beta other than 0)");
      return kNotSupported;
    }
    const Sparse a = call.find(*o.a), b = call.find(*o.b);
    const LibraryKernel kernel = libraries::memory_kernel("cusparse::spgemm_kernel", a.entries + b.entries,
                                                          2 * (a.bytes() + b.bytes()), a.bytes(), a.type, 8);
    const Status status = call.launch(kernel, nullptr, 0, [=] { return multiply(a, b, by, *product); });
    if (status == kSuccess &&  // the host asks how many there are
        libraries::wait(call.runtime, call.context, call.handle.stream) != Error::success) {
      return kExecutionFailed;
    }
    o.c->entries = product->entries;
    return status;
  });
}

int copy(const char* name, Handle* handle, const Operands& o, const Product* product) {
  return cusparse_call(name, handle, [&](Call& call) {
    if (const Status status = check(name, o, product); status != kSuccess) {
      return status;
    }
    const Sparse to = call.find(*o.c);
    const LibraryKernel kernel =
        libraries::memory_kernel("cusparse::spgemm_copy_kernel", to.entries, to.bytes(), to.bytes(), to.type);
    const auto body = [=, rows = product->rows] {
      int64_t at = 0;
      for (size_t i = 0; i < rows.size(); ++i) {
        store(to.offset_type, to.offsets, static_cast<int64_t>(i), at + to.base);
        for (const auto& [column, value] : rows[i]) {
          store(to.index_type, to.indices, at, column + to.base);
          libraries::store(to.type, to.values, at++, value);
        }
      }
      store(to.offset_type, to.offsets, to.rows, at + to.base);
      return true;
    };
    return call.launch(kernel, o.c->offsets, to.offset_bytes(), body,
                       {{o.c->indices, to.index_bytes()}, {o.c->values, to.value_bytes()}});
  });
}

struct Turn {  // of csr2csc
  int rows, columns, entries;
  const void* values;
  const int *offsets, *indices;
  void* to_values;
  int *to_offsets, *to_indices;
};

int csr2csc(Handle* handle, const Turn& t, int data_type, bool with_values, int base) {
  return cusparse_call("cusparseCsr2cscEx2", handle, [&](Call& call) {
    const auto type = element_of(data_type);
    if (t.rows < 0 || t.columns < 0 || t.entries < 0 || (with_values && !type)) {
      return with_values && !type ? kNotSupported : kInvalidValue;
    }
    Sparse from{Format::csr,
                t.rows,
                t.columns,
                t.entries,
                const_cast<int*>(t.offsets),
                const_cast<int*>(t.indices),
                const_cast<void*>(t.values)};
    Sparse to{Format::csc, t.rows, t.columns, t.entries, t.to_offsets, t.to_indices, t.to_values};
    from.base = to.base = base;
    from.type = to.type = type.value_or(Element::f32);
    const uint64_t value_bytes = with_values ? to.value_bytes() : 0;
    from.offsets = call.find("the row offsets", from.offsets, from.offset_bytes());
    from.indices = call.find("the column indices", from.indices, from.index_bytes());
    from.values = call.find("the values", from.values, value_bytes);
    to.offsets = call.find("the column offsets", to.offsets, to.offset_bytes());
    to.indices = call.find("the row indices", to.indices, to.index_bytes());
    to.values = call.find("the values of the CSC matrix", to.values, value_bytes);
    const auto body = [=] {
      std::vector<std::vector<std::pair<int64_t, double>>> columns(static_cast<size_t>(to.columns));
      bool sound = true;
      for (int64_t row = 0; row < from.rows; ++row) {
        const int64_t end = load(from.offset_type, from.offsets, row + 1) - base;
        for (int64_t at = load(from.offset_type, from.offsets, row) - base; at < end; ++at) {
          const int64_t column = at >= 0 && at < from.entries ? load(from.index_type, from.indices, at) - base : -1;
          if (column < 0 || column >= to.columns) {
            sound = false;
            continue;
          }
          columns[static_cast<size_t>(column)].emplace_back(
              row, with_values ? libraries::load(from.type, from.values, at) : 0);
        }
      }
      int64_t at = 0;
      for (int64_t column = 0; column < to.columns; ++column) {
        store(to.offset_type, to.offsets, column, at + base);
        for (const auto& [row, value] : columns[static_cast<size_t>(column)]) {
          store(to.index_type, to.indices, at, row + base);
          if (with_values) {
            libraries::store(to.type, to.values, at, value);
          }
          ++at;
        }
      }
      store(to.offset_type, to.offsets, to.columns, at + base);
      return sound;
    };
    return call.launch(libraries::memory_kernel("cusparse::csr2csc_kernel", t.entries, from.bytes(), to.bytes()),
                       t.to_offsets, to.offset_bytes(), body,
                       {{t.to_indices, to.index_bytes()}, {t.to_values, value_bytes}});
  });
}

}  // namespace

HPML_LIBRARY_API int cusparseSpGEMM_createDescr(Product** made) {
  return descriptor_call("cusparseSpGEMM_createDescr", [&] {
    if (made == nullptr) {
      return kInvalidValue;
    }
    *made = new Product;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpGEMM_destroyDescr(const Product* old) {
  return descriptor_call("cusparseSpGEMM_destroyDescr", [&] {
    delete old;
    return kSuccess;
  });
}
HPML_LIBRARY_API int cusparseSpGEMM_workEstimation(Handle* handle, int, int, const void*, const Sparse*, const Sparse*,
                                                   const void*, const Sparse*, int, int, const Product*, size_t* size,
                                                   void*) {
  return ask_for_buffer("cusparseSpGEMM_workEstimation", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseSpGEMM_estimateMemory(Handle* handle, int, int, const void*, const Sparse*, const Sparse*,
                                                   const void*, const Sparse*, int, int, const Product*, float,
                                                   size_t* third, void*, size_t* second) {
  if (second != nullptr) {
    *second = kBufferBytes;
  }
  return third != nullptr ? ask_for_buffer("cusparseSpGEMM_estimateMemory", handle, third, kBufferBytes)
                          : static_cast<int>(kSuccess);
}
HPML_LIBRARY_API int cusparseSpGEMM_getNumProducts(const Product* product, int64_t* count) {
  return descriptor_call("cusparseSpGEMM_getNumProducts", [&] {
    if (product == nullptr || count == nullptr) {
      return kInvalidValue;
    }
    *count = product->products;
    return kSuccess;
  });
}
// Without a buffer: how large one must be.
HPML_LIBRARY_API int cusparseSpGEMM_compute(Handle* handle, int op_a, int op_b, const void* alpha, const Sparse* a,
                                            const Sparse* b, const void* beta, Sparse* c, int, int, Product* product,
                                            size_t* size, void* buffer) {
  return buffer == nullptr ? ask_for_buffer("cusparseSpGEMM_compute", handle, size, kBufferBytes)
                           : compute("cusparseSpGEMM_compute", handle, {op_a, op_b, alpha, a, b, beta, c}, product);
}
HPML_LIBRARY_API int cusparseSpGEMM_copy(Handle* handle, int op_a, int op_b, const void* alpha, const Sparse* a,
                                         const Sparse* b, const void* beta, Sparse* c, int, int,
                                         const Product* product) {
  return copy("cusparseSpGEMM_copy", handle, {op_a, op_b, alpha, a, b, beta, c}, product);
}

// The same with a pattern that is found once: nnz() counts, copy() writes the pattern, compute() the values.
HPML_LIBRARY_API int cusparseSpGEMMreuse_workEstimation(Handle* handle, int, int, const Sparse*, const Sparse*,
                                                        const Sparse*, int, const Product*, size_t* size, void*) {
  return ask_for_buffer("cusparseSpGEMMreuse_workEstimation", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseSpGEMMreuse_nnz(Handle* handle, int op_a, int op_b, const Sparse* a, const Sparse* b,
                                             Sparse* c, int, Product* product, size_t* second, void* buffer,
                                             size_t* third, void*, size_t* fourth, void*) {
  if (buffer == nullptr) {
    for (size_t* const size : {third, fourth}) {
      if (size != nullptr) {
        *size = kBufferBytes;
      }
    }
    return ask_for_buffer("cusparseSpGEMMreuse_nnz", handle, second, kBufferBytes);
  }
  const double one = 1, zero = 0;
  const float narrow_one = 1, narrow_zero = 0;
  const bool wide = c != nullptr && c->type == Element::f64;
  const bool kept = handle != nullptr && std::exchange(handle->device_scalars, false);
  const int status = compute("cusparseSpGEMMreuse_nnz", handle,
                             {op_a, op_b, wide ? static_cast<const void*>(&one) : &narrow_one, a, b,
                              wide ? static_cast<const void*>(&zero) : &narrow_zero, c},
                             product);
  if (handle != nullptr) {
    handle->device_scalars = kept;
  }
  return status;
}
HPML_LIBRARY_API int cusparseSpGEMMreuse_copy(Handle* handle, int op_a, int op_b, const Sparse* a, const Sparse* b,
                                              Sparse* c, int, const Product* product, size_t* size, void* buffer) {
  return buffer == nullptr ? ask_for_buffer("cusparseSpGEMMreuse_copy", handle, size, kBufferBytes)
                           : copy("cusparseSpGEMMreuse_copy", handle, {op_a, op_b, nullptr, a, b, nullptr, c}, product);
}
HPML_LIBRARY_API int cusparseSpGEMMreuse_compute(Handle* handle, int op_a, int op_b, const void* alpha, const Sparse* a,
                                                 const Sparse* b, const void* beta, Sparse* c, int, int,
                                                 Product* product) {
  if (c != nullptr) {
    c->entries = 0;  // what it holds is the pattern
  }
  const Operands all{op_a, op_b, alpha, a, b, beta, c};
  const int status = compute("cusparseSpGEMMreuse_compute", handle, all, product);
  return status == kSuccess ? copy("cusparseSpGEMMreuse_compute", handle, all, product) : status;
}

HPML_LIBRARY_API int cusparseCsr2cscEx2_bufferSize(Handle* handle, int, int, int, const void*, const int*, const int*,
                                                   const void*, const int*, const int*, int, int, int, int,
                                                   size_t* size) {
  return ask_for_buffer("cusparseCsr2cscEx2_bufferSize", handle, size, kBufferBytes);
}
HPML_LIBRARY_API int cusparseCsr2cscEx2(Handle* handle, int rows, int columns, int entries, const void* values,
                                        const int* offsets, const int* indices, void* to_values, int* to_offsets,
                                        int* to_indices, int type, int action, int base, int, void*) {
  return csr2csc(handle, {rows, columns, entries, values, offsets, indices, to_values, to_offsets, to_indices}, type,
                 action == 1, base);
}
