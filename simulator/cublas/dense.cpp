#include "simulator/cublas/dense.hpp"

namespace hpml::sim::cublas {

Matrix matrix_of(Element type, int64_t rows, int64_t columns, const void* data, int64_t leading) {
  return {.type = type, .data = const_cast<void*>(data), .rows = rows, .columns = columns, .leading = leading};
}

Vector vector_of(Element type, int64_t n, const void* data, int64_t step) {
  return {.type = type, .data = const_cast<void*>(data), .n = std::max<int64_t>(0, n), .step = step};
}

bool find(const Call& call, const char* what, Matrix& matrix) {
  if (matrix.empty()) {
    return true;
  }
  matrix.data = call.data(what, matrix.data, matrix.bytes());
  return matrix.data != nullptr;
}

bool find(const Call& call, const char* what, Vector& vector) {
  if (vector.n <= 0) {
    return true;
  }
  vector.data = call.data(what, vector.data, vector_bytes(vector.type, vector.n, vector.step));
  return vector.data != nullptr;
}

std::optional<Batch> find(const Call& call, const char* what, const Matrix& shape, const void* const* list, int batch) {
  const void* const pointers = call.data(what, list, static_cast<uint64_t>(batch) * sizeof(void*));
  if (pointers == nullptr) {
    return std::nullopt;
  }
  Batch found(static_cast<size_t>(batch), shape);
  for (size_t i = 0; i < found.size(); ++i) {
    found[i].data = static_cast<void* const*>(pointers)[i];
    if (!find(call, what, found[i])) {
      return std::nullopt;
    }
  }
  return found;
}

Dense read(const Matrix& matrix) {
  Dense all(matrix.rows, matrix.columns);
  for (int64_t j = 0; j < matrix.columns; ++j) {
    for (int64_t i = 0; i < matrix.rows; ++i) {
      all.at(i, j) = matrix.get(i, j);
    }
  }
  return all;
}

Dense read(const Vector& vector) {
  Dense all(vector.n, 1);
  for (int64_t i = 0; i < vector.n; ++i) {
    all.at(i, 0) = vector.get(i);
  }
  return all;
}

Dense read_symmetric(const Matrix& matrix, int fill) {
  Dense all(matrix.rows, matrix.columns);
  for (int64_t j = 0; j < matrix.columns; ++j) {
    for (int64_t i = 0; i < matrix.rows; ++i) {
      const bool stored = fill == kLower ? i >= j : i <= j;
      all.at(i, j) = stored ? matrix.get(i, j) : matrix.get(j, i);
    }
  }
  return all;
}

Dense read_triangular(const Matrix& matrix, int fill, int diagonal) {
  Dense all(matrix.rows, matrix.columns);
  for (int64_t j = 0; j < matrix.columns; ++j) {
    for (int64_t i = 0; i < matrix.rows; ++i) {
      if (i == j && diagonal == kUnit) {
        all.at(i, j) = 1;
      } else if (fill == kLower ? i >= j : i <= j) {
        all.at(i, j) = matrix.get(i, j);
      }
    }
  }
  return all;
}

Dense transposed(const Dense& a) {
  Dense all(a.columns, a.rows);
  for (int64_t j = 0; j < a.columns; ++j) {
    for (int64_t i = 0; i < a.rows; ++i) {
      all.at(j, i) = a.at(i, j);
    }
  }
  return all;
}

void add_product(Dense& sums, const Dense& a, const Dense& b) {
  for (int64_t j = 0; j < b.columns; ++j) {
    double* const out = &sums.at(0, j);
    for (int64_t l = 0; l < a.columns; ++l) {
      const double factor = b.at(l, j);
      const double* const column = a.values.data() + l * a.rows;
      for (int64_t i = 0; i < a.rows; ++i) {
        out[i] += factor * column[i];
      }
    }
  }
}

void solve(const Dense& t, bool lower, Dense& b) {
  for (int64_t j = 0; j < b.columns; ++j) {
    double* const x = &b.at(0, j);
    for (int64_t step = 0; step < t.rows; ++step) {
      const int64_t k = lower ? step : t.rows - 1 - step;
      x[k] /= t.at(k, k);
      const double* const column = t.values.data() + k * t.rows;
      for (int64_t i = lower ? k + 1 : 0; i < (lower ? t.rows : k); ++i) {
        x[i] -= x[k] * column[i];
      }
    }
  }
}

void write(const Matrix& out, int fill, double alpha, const Dense& sums, double beta) {
  for (int64_t j = 0; j < out.columns; ++j) {
    const int64_t first = fill == kLower ? j : 0;
    const int64_t end = fill == kUpper ? std::min(j + 1, out.rows) : out.rows;
    for (int64_t i = first; i < end; ++i) {
      out.set(i, j, alpha * sums.at(i, j) + (beta != 0 ? beta * out.get(i, j) : 0));
    }
  }
}

void write(const Vector& out, double alpha, const Dense& sums, double beta) {
  for (int64_t i = 0; i < out.n; ++i) {
    out.set(i, alpha * sums.at(i, 0) + (beta != 0 ? beta * out.get(i) : 0));
  }
}

LibraryKernel dense_kernel(const Call& call, const char* name, Element type, int64_t m, int64_t n, int64_t k,
                           uint64_t read, uint64_t written) {
  const device::Math math = libraries::math_of(type, call.chip().rates, type == Element::f64);
  LibraryKernel kernel = libraries::gemm_kernel(name, {.m = m, .n = n, .k = k, .batch = 1}, type, math, call.chip());
  kernel.dram_read = read;
  kernel.dram_write = written;
  return kernel;
}

}  // namespace hpml::sim::cublas
