#pragma once
// Matrices of the routines beyond gemm: read whole into double, symmetric and triangular ones as what they stand for.
#include <vector>

#include "simulator/cublas/entry.hpp"

namespace hpml::sim::cublas {

constexpr int kLeft = 0, kRight = 1;                       // cublasSideMode_t
constexpr int kLower = 0, kUpper = 1, kBothTriangles = 2;  // cublasFillMode_t
constexpr int kNonUnit = 0, kUnit = 1;                     // cublasDiagType_t

inline bool known_operation(int op) { return op >= 0 && op <= 2; }
inline bool known_triangle(int fill) { return fill == kLower || fill == kUpper; }
inline bool known_side(int side) { return side == kLeft || side == kRight; }
inline bool known_diagonal(int diagonal) { return diagonal == kNonUnit || diagonal == kUnit; }

// Column-major in the program's memory; `data` as the program named it until find() looked it up.
struct Matrix {
  Element type = Element::f32;
  void* data = nullptr;
  int64_t rows = 0, columns = 0, leading = 0;

  double get(int64_t i, int64_t j) const { return libraries::load(type, data, j * leading + i); }
  void set(int64_t i, int64_t j, double value) const { libraries::store(type, data, j * leading + i, value); }
  bool empty() const { return rows <= 0 || columns <= 0; }
  bool valid() const { return rows >= 0 && columns >= 0 && leading >= std::max<int64_t>(1, rows); }
  uint64_t bytes() const {
    return empty() ? 0 : static_cast<uint64_t>((columns - 1) * leading + rows) * libraries::size_of(type);
  }
};
Matrix matrix_of(Element type, int64_t rows, int64_t columns, const void* data, int64_t leading);
Vector vector_of(Element type, int64_t n, const void* data, int64_t step);
// False after a line on stderr.
bool find(const Call& call, const char* what, Matrix& matrix);
bool find(const Call& call, const char* what, Vector& vector);

using Batch = std::vector<Matrix>;
// The matrices of this shape that a list in device memory points to. None after a line on stderr.
std::optional<Batch> find(const Call& call, const char* what, const Matrix& shape, const void* const* list, int batch);
inline uint64_t bytes_of(const Batch& batch) { return batch.empty() ? 0 : batch.size() * batch[0].bytes(); }

// Columns one after another.
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<double> values;

  Dense(int64_t rows_, int64_t columns_)
      : rows(rows_), columns(columns_), values(static_cast<size_t>(rows_ * columns_)) {}
  double& at(int64_t i, int64_t j) { return values[static_cast<size_t>(j * rows + i)]; }
  double at(int64_t i, int64_t j) const { return values[static_cast<size_t>(j * rows + i)]; }
};
Dense read(const Matrix& matrix);
Dense read(const Vector& vector);                      // one column
Dense read_symmetric(const Matrix& matrix, int fill);  // the other triangle is not touched
Dense read_triangular(const Matrix& matrix, int fill, int diagonal);
Dense transposed(const Dense& a);
inline Dense operated(Dense a, int op) { return op == 0 ? a : transposed(a); }

// sums += a b, in the order of k.
void add_product(Dense& sums, const Dense& a, const Dense& b);
// x in place of b, where t x = b and t is triangular.
void solve(const Dense& t, bool lower, Dense& b);

// Writes alpha sums + beta out to a triangle of `out`, or to all of it. Where beta is 0, the old values are not read.
void write(const Matrix& out, int fill, double alpha, const Dense& sums, double beta);
void write(const Vector& out, double alpha, const Dense& sums, double beta);

// A kernel that does m n k multiplications and additions and reads and writes these matrices.
LibraryKernel dense_kernel(const Call& call, const char* name, Element type, int64_t m, int64_t n, int64_t k,
                           uint64_t read, uint64_t written);

}  // namespace hpml::sim::cublas
