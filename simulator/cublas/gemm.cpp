#include "simulator/cublas/gemm.hpp"

#include <algorithm>

namespace hpml::sim::cublas {
namespace {

using libraries::load;
using libraries::store;

struct Matrices {
  const void *a, *b;
  void* c;
  const void* c_of_program;
};

// Sums over k in double, in the order of k, for a column of C at a time; rounded once.
void multiply_one(const Product& p, const Matrices& at, double alpha, double beta) {
  std::vector<double> a(static_cast<size_t>(p.m * p.k));
  for (int64_t l = 0; l < p.k; ++l) {
    for (int64_t i = 0; i < p.m; ++i) {
      const int64_t from = p.a.transposed ? i * p.a.leading + l : l * p.a.leading + i;
      a[static_cast<size_t>(l * p.m + i)] = load(p.a.type, at.a, from);
    }
  }
  std::vector<double> sums(static_cast<size_t>(p.m));
  for (int64_t j = 0; j < p.n; ++j) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (int64_t l = 0; l < p.k; ++l) {
      const double factor = load(p.b.type, at.b, p.b.transposed ? l * p.b.leading + j : j * p.b.leading + l);
      const double* const column = a.data() + l * p.m;
      double* const out = sums.data();
      for (int64_t i = 0; i < p.m; ++i) {
        out[i] += factor * column[i];
      }
    }
    for (int64_t i = 0; i < p.m; ++i) {
      const int64_t to = j * p.c.leading + i;
      const double before = beta != 0 ? beta * load(p.c.type, at.c, to) : 0;
      store(p.c.type, at.c, to, alpha * sums[static_cast<size_t>(i)] + before);
    }
  }
}

// Rows and columns as they lie in memory.
uint64_t stored_bytes(const Operand& o, int64_t rows, int64_t columns) {
  const int64_t elements = columns > 0 ? (columns - 1) * o.leading + rows : 0;
  return static_cast<uint64_t>(elements) * libraries::size_of(o.type);
}

bool leading_fits(const Operand& o, int64_t rows) { return o.leading >= std::max<int64_t>(1, rows); }

class Views {
 public:
  Views(const Call& call, const Product& p) : call_(call), p_(p) {}

  // False after a line on stderr.
  bool find(std::vector<Matrices>& all) const {
    const int64_t a_rows = p_.a.transposed ? p_.k : p_.m;
    const int64_t b_rows = p_.b.transposed ? p_.n : p_.k;
    for (int64_t i = 0; i < p_.batch; ++i) {
      void* const a = one("A", p_.a, i, a_rows, p_.m + p_.k - a_rows);
      void* const b = one("B", p_.b, i, b_rows, p_.k + p_.n - b_rows);
      void* const c = one("C", p_.c, i, p_.m, p_.n);
      if (a == nullptr || b == nullptr || c == nullptr) {
        return false;
      }
      all.push_back({a, b, c, pointer("C", p_.c, i)});
    }
    return true;
  }

 private:
  // As the program named it; null: the list of pointers is not there.
  const void* pointer(const char* what, const Operand& o, int64_t index) const {
    if (o.list != nullptr) {
      const void* list = call_.data(what, o.list, static_cast<uint64_t>(p_.batch) * sizeof(void*));
      return list != nullptr ? static_cast<const void* const*>(list)[index] : nullptr;
    }
    return static_cast<const std::byte*>(o.data) + index * o.stride * static_cast<int64_t>(libraries::size_of(o.type));
  }
  void* one(const char* what, const Operand& o, int64_t index, int64_t rows, int64_t columns) const {
    const void* const named = pointer(what, o, index);
    return named == nullptr && o.list != nullptr ? nullptr : call_.data(what, named, stored_bytes(o, rows, columns));
  }

  const Call& call_;
  const Product& p_;
};

LibraryKernel kernel_of(const Call& call, const Product& p) {
  const device::Math math = libraries::math_of(p.a.type, call.chip().rates, p.tensor_cores);
  LibraryKernel kernel =
      libraries::gemm_kernel("cublas", {.m = p.m, .n = p.n, .k = p.k, .batch = p.batch}, p.a.type, math, call.chip());
  const auto batch = static_cast<uint64_t>(p.batch);
  const uint64_t element = libraries::size_of(p.a.type);
  kernel.dram_read = batch * static_cast<uint64_t>(p.m * p.k + p.k * p.n) * element;
  kernel.dram_write = batch * static_cast<uint64_t>(p.m * p.n) * libraries::size_of(p.c.type);
  return kernel;
}

}  // namespace

Status multiply(const Call& call, const Product& p) {
  if (p.m < 0 || p.n < 0 || p.k < 0 || p.batch < 0 || !p.operations_known ||
      !leading_fits(p.a, p.a.transposed ? p.k : p.m) || !leading_fits(p.b, p.b.transposed ? p.n : p.k) ||
      !leading_fits(p.c, p.m)) {
    return kInvalidValue;
  }
  if (p.m == 0 || p.n == 0 || p.batch == 0) {
    return kSuccess;
  }
  const auto alpha = call.scalar(p.alpha, p.scalars);
  const auto beta = call.scalar(p.beta, p.scalars);
  if (!alpha || !beta) {
    return kInvalidValue;
  }
  std::vector<Matrices> all;
  if (!Views(call, p).find(all)) {
    return kExecutionFailed;
  }
  const auto body = [p, all, alpha = *alpha, beta = *beta] {
    for (const Matrices& one : all) {
      multiply_one(p, one, alpha, beta);
    }
  };
  const bool single = p.c.list == nullptr;
  std::vector<cudart::Written> each;
  for (const Matrices& one : all) {
    if (!single) {
      each.push_back({one.c_of_program, stored_bytes(p.c, p.m, p.n)});
    }
  }
  const uint64_t last = static_cast<uint64_t>((p.batch - 1) * p.c.stride) * libraries::size_of(p.c.type);
  return call.launch({.kernel = kernel_of(call, p),
                      .body = body,
                      .output = single ? const_cast<void*>(p.c.data) : nullptr,
                      .output_bytes = single ? last + stored_bytes(p.c, p.m, p.n) : 0,
                      .more = std::move(each)});
}

}  // namespace hpml::sim::cublas
