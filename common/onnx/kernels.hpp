#pragma once
// Matrix products of float32, row-major, on one thread. Sums are in an order that depends on the instruction set.
#include <cstdint>

namespace hpml::onnx {

// c[m][n] += a[m][k] * b[n][k]: b has a row per column of c, as files store weights.
void product_by_rows(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c);

// c[m][n] += a[m][k] * b[k][n].
void product(int64_t m, int64_t n, int64_t k, const float* a, const float* b, float* c);

// to[columns][rows] = from[rows][columns] transposed.
void transpose(int64_t rows, int64_t columns, const float* from, float* to);

// out[i] = tanh(in[i]) and 1 / (1 + exp(-in[i])); at most 4 units in the last place off. In place is fine.
void tanh_of(int64_t count, const float* in, float* out);
void sigmoid_of(int64_t count, const float* in, float* out);

}  // namespace hpml::onnx
