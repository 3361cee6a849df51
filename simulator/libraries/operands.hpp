#pragma once
// Matrices in the program's memory, and the operands of one library call.
#include <algorithm>
#include <utility>
#include <vector>

#include "simulator/libraries/algebra.hpp"
#include "simulator/libraries/frame.hpp"

namespace hpml::sim::libraries {

// A column-major matrix in the program's memory. `data` is null where an optional operand was left out.
template <class T>
struct Grid {
  T* data = nullptr;
  int64_t rows = 0, columns = 0, leading = 0;

  Wide<T> get(int64_t i, int64_t j) const { return Wide<T>(data[j * leading + i]); }
  void set(int64_t i, int64_t j, Wide<T> value) const { data[j * leading + i] = T(value); }
  Table<Wide<T>> read() const {
    Table<Wide<T>> out(rows, columns);
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        out.at(i, j) = get(i, j);
      }
    }
    return out;
  }
  // As much of the table as fits into the matrix.
  void write(const Table<Wide<T>>& from) const {
    for (int64_t j = 0; j < std::min(columns, from.columns); ++j) {
      for (int64_t i = 0; i < std::min(rows, from.rows); ++i) {
        set(i, j, from.at(i, j));
      }
    }
  }
  template <class Values>
  void write_column(const Values& from) const {
    for (int64_t i = 0; i < std::min(rows, static_cast<int64_t>(from.size())); ++i) {
      data[i] = T(from[static_cast<size_t>(i)]);
    }
  }
};

// Looks up the operands of one call in device memory, one by one. The first mistake decides the status of the call.
class Operands {
 public:
  struct Statuses {  // of the library; success is 0 in all of them
    int invalid_value, execution_failed;
  };
  Operands(Runtime& runtime, ApiRecord& record, Statuses statuses)
      : runtime_(runtime), record_(record), statuses_(statuses) {}

  void require(bool holds) {
    if (!holds && sound()) {
      status_ = statuses_.invalid_value;
    }
  }
  template <class T>
  Grid<T> matrix(const char* what, const void* data, int64_t rows, int64_t columns, int64_t leading,
                 bool written = false) {
    require(rows >= 0 && columns >= 0 && leading >= std::max<int64_t>(1, rows));
    const int64_t elements = rows > 0 && columns > 0 ? (columns - 1) * leading + rows : 0;
    return {static_cast<T*>(find(what, data, elements, sizeof(T), written)), rows, columns, leading};
  }
  bool sound() const { return status_ == 0; }

 protected:
  void* find(const char* what, const void* data, int64_t elements, size_t size, bool written) {
    const uint64_t bytes = static_cast<uint64_t>(std::max<int64_t>(0, elements)) * size;
    if (bytes == 0 || !sound()) {
      return nullptr;
    }
    void* const found = device_data(runtime_, record_, what, data, bytes);
    status_ = found == nullptr ? statuses_.execution_failed : status_;
    (written ? written_ : read_) += bytes;
    if (written) {
      outputs_.push_back({data, bytes});
    }
    return found;
  }

  Runtime& runtime_;
  ApiRecord& record_;
  const Statuses statuses_;
  int status_ = 0;
  uint64_t read_ = 0, written_ = 0;  // bytes
  std::vector<cudart::Written> outputs_;
};

}  // namespace hpml::sim::libraries
