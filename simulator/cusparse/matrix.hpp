#pragma once
// What cuSPARSE's descriptors hold: sparse matrices, dense vectors and matrices. Pointers are the program's.
#include <cstdint>

#include "simulator/libraries/element.hpp"

namespace hpml::sim::cusparse {

using libraries::Element;
using libraries::element_of;

enum class Format : uint8_t { csr, csc, coo };
enum class Index : int { i32 = 2, i64 = 3 };  // cusparseIndexType_t

constexpr uint64_t size_of(Index index) { return index == Index::i32 ? 4 : 8; }
inline int64_t load(Index index, const void* data, int64_t at) {
  return index == Index::i32 ? static_cast<const int32_t*>(data)[at] : static_cast<const int64_t*>(data)[at];
}
inline void store(Index index, void* data, int64_t at, int64_t value) {
  if (index == Index::i32) {
    static_cast<int32_t*>(data)[at] = static_cast<int32_t>(value);
  } else {
    static_cast<int64_t*>(data)[at] = value;
  }
}

// CSR: offsets of rows, columns. CSC: offsets of columns, rows. COO: rows (in `offsets`), columns.
struct Sparse {
  Format format = Format::csr;
  int64_t rows = 0, columns = 0, entries = 0;
  void *offsets = nullptr, *indices = nullptr, *values = nullptr;
  Index offset_type = Index::i32, index_type = Index::i32;
  int64_t base = 0;
  Element type = Element::f32;
  bool upper = false, unit_diagonal = false;  // of a triangular matrix

  int64_t lines() const { return format == Format::csc ? columns : rows; }
  uint64_t offset_bytes() const {
    return static_cast<uint64_t>(format == Format::coo ? entries : lines() + 1) * size_of(offset_type);
  }
  uint64_t index_bytes() const { return static_cast<uint64_t>(entries) * size_of(index_type); }
  uint64_t value_bytes() const { return static_cast<uint64_t>(entries) * libraries::size_of(type); }
  uint64_t bytes() const { return offset_bytes() + index_bytes() + value_bytes(); }

  // Calls `f(row, column, value)` for each entry as it lies. False: one is outside of the matrix; the others are
  // visited.
  template <class F>
  bool for_each(F f) const {
    bool inside = true;
    const auto visit = [&](int64_t row, int64_t column, int64_t at) {
      if (row < 0 || row >= rows || column < 0 || column >= columns) {
        inside = false;
      } else {
        f(row, column, libraries::load(type, values, at));
      }
    };
    if (format == Format::coo) {
      for (int64_t i = 0; i < entries; ++i) {
        visit(load(offset_type, offsets, i) - base, load(index_type, indices, i) - base, i);
      }
      return inside;
    }
    for (int64_t line = 0; line < lines(); ++line) {
      const int64_t begin = load(offset_type, offsets, line) - base, end = load(offset_type, offsets, line + 1) - base;
      if (begin < 0 || end > entries) {
        return false;
      }
      for (int64_t i = begin; i < end; ++i) {
        const int64_t other = load(index_type, indices, i) - base;
        visit(format == Format::csr ? line : other, format == Format::csr ? other : line, i);
      }
    }
    return inside;
  }
};

struct DenseVector {
  int64_t size = 0;
  void* values = nullptr;
  Element type = Element::f32;
  uint64_t bytes() const { return static_cast<uint64_t>(size) * libraries::size_of(type); }
};

struct DenseMatrix {
  int64_t rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  Element type = Element::f32;
  bool by_rows = false;

  int64_t at(int64_t row, int64_t column) const { return by_rows ? row * leading + column : column * leading + row; }
  uint64_t bytes() const {
    return rows == 0 || columns == 0 ? 0
                                     : static_cast<uint64_t>(at(rows - 1, columns - 1) + 1) * libraries::size_of(type);
  }
  double get(int64_t row, int64_t column) const { return libraries::load(type, values, at(row, column)); }
  void set(int64_t row, int64_t column, double value) const { libraries::store(type, values, at(row, column), value); }
};

}  // namespace hpml::sim::cusparse
