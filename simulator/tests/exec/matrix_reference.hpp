#pragma once
// What the matrix tests share: numbers and their bits in every element type, products of small whole numbers, and the
// forms of the isa table as PTX text.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/op.hpp"

namespace hpml::sim::exec {

using isa::Element;
using isa::MatrixForm;
using isa::MatrixOp;
using isa::MatrixPart;

// --- elements as numbers ---------------------------------------------------------------------------------------------

inline uint64_t float_bits(double v, int exponent_bits, int fraction_bits) {  // exact values only
  if (v == 0) {
    return 0;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(v), &exponent);  // [0.5, 1)
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (exponent - 1 + bias <= 0) {  // subnormal
    const double steps = std::ldexp(std::fabs(v), bias - 1 + fraction_bits);
    EXPECT_EQ(steps, std::floor(steps)) << v;
    return (v < 0 ? uint64_t{1} << (exponent_bits + fraction_bits) : 0) | static_cast<uint64_t>(steps);
  }
  const double scaled = std::ldexp(fraction, fraction_bits + 1);
  EXPECT_EQ(scaled, std::floor(scaled)) << v;
  const auto mantissa = static_cast<uint64_t>(scaled) & ((uint64_t{1} << fraction_bits) - 1);
  return (v < 0 ? uint64_t{1} << (exponent_bits + fraction_bits) : 0) |
         static_cast<uint64_t>(exponent - 1 + bias) << fraction_bits | mantissa;
}
inline double bits_float(uint64_t raw, int exponent_bits, int fraction_bits) {
  const auto exponent = static_cast<int>(raw >> fraction_bits & ((uint64_t{1} << exponent_bits) - 1));
  const auto mantissa = static_cast<double>(raw & ((uint64_t{1} << fraction_bits) - 1));
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double magnitude = exponent == 0
                               ? std::ldexp(mantissa, 1 - bias - fraction_bits)
                               : std::ldexp(mantissa + std::ldexp(1, fraction_bits), exponent - bias - fraction_bits);
  return (raw >> (exponent_bits + fraction_bits) & 1) != 0 ? -magnitude : magnitude;
}

inline uint64_t to_bits(Element type, double v) {
  const auto integer = static_cast<int64_t>(v);
  switch (type) {
    case Element::f16: return float_bits(v, 5, 10);
    case Element::bf16: return float_bits(v, 8, 7);
    case Element::tf32:
    case Element::f32: return std::bit_cast<uint32_t>(static_cast<float>(v));
    case Element::f64: return std::bit_cast<uint64_t>(v);
    case Element::e4m3: return float_bits(v, 4, 3);
    case Element::e5m2: return float_bits(v, 5, 2);
    case Element::e3m2: return float_bits(v, 3, 2);
    case Element::e2m3: return float_bits(v, 2, 3);
    case Element::e2m1: return float_bits(v, 2, 1) << 2;  // in the middle of its byte
    case Element::e2m1_packed: return float_bits(v, 2, 1);
    case Element::s32: return static_cast<uint32_t>(integer);
    default: return static_cast<uint64_t>(integer) & ((uint64_t{1} << isa::bits(type)) - 1);
  }
}
inline double from_bits(Element type, uint64_t raw) {
  switch (type) {
    case Element::f16: return bits_float(raw, 5, 10);
    case Element::f32: return std::bit_cast<float>(static_cast<uint32_t>(raw));
    case Element::f64: return std::bit_cast<double>(raw);
    default: return static_cast<int32_t>(raw);
  }
}

// Small whole numbers that every type of the form holds exactly, sums included.
inline double small_number(Element type, std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return static_cast<double>(std::uniform_int_distribution(low, high)(random));
  };
  switch (type) {
    case Element::b1: return pick(0, 1);
    case Element::u4: return pick(0, 15);
    case Element::s4: return pick(-8, 7);
    case Element::u8: return pick(0, 255);
    case Element::s8: return pick(-128, 127);
    case Element::e5m2: return pick(-4, 4);
    case Element::e3m2: return pick(-8, 8);
    case Element::e2m3: return pick(-7, 7);
    case Element::e2m1:
    case Element::e2m1_packed: return pick(-4, 4);
    case Element::s32: return pick(-1000, 1000);
    default: return pick(-8, 8);
  }
}

struct Matrix {
  int rows, cols;
  std::vector<double> v;
  Matrix(int r, int c) : rows(r), cols(c), v(static_cast<size_t>(r * c)) {}
  double& at(int r, int c) { return v[static_cast<size_t>(r * cols + c)]; }
  double at(int r, int c) const { return v[static_cast<size_t>(r * cols + c)]; }
};
inline Matrix random_matrix(int rows, int cols, Element type, std::mt19937& random) {
  Matrix out(rows, cols);
  for (double& x : out.v) {
    x = small_number(type, random);
  }
  return out;
}
inline Matrix product(const MatrixForm& form, const Matrix& a, const Matrix& b, const Matrix& c) {
  Matrix d = c;
  for (int i = 0; i < d.rows; ++i) {
    for (int j = 0; j < d.cols; ++j) {
      for (int k = 0; k < a.cols; ++k) {
        const bool x = a.at(i, k) != 0, y = b.at(k, j) != 0;
        d.at(i, j) += form.bit_op == isa::BitOp::xor_popc   ? x != y
                      : form.bit_op == isa::BitOp::and_popc ? x && y
                                                            : a.at(i, k) * b.at(k, j);
      }
    }
  }
  return d;
}

// "{%d0, %d1}"
inline std::string list(const std::string& prefix, int count) {
  std::string out = "{";
  for (int i = 0; i < count; ++i) {
    out += (i == 0 ? "" : ", ") + prefix + std::to_string(i);
  }
  return out + "}";
}

inline std::string dotted(const isa::Variant& v, bool first_col, bool second_col) {
  std::string out(v.spec->mnemonic), sequence(v.spec->sequence);
  bool first = true;
  size_t from = 0;
  while (from < sequence.size()) {
    const size_t end = std::min(sequence.find(' ', from), sequence.size());
    std::string word = sequence.substr(from, end - from);
    from = end + 1;
    if (word == "row|col") {
      word = (first ? first_col : second_col) ? "col" : "row";
      first = false;
    }
    if (!word.ends_with('?')) {
      out += "." + word;
    }
  }
  return out;
}

// Dense and without factors.
inline std::vector<const isa::Variant*> forms(MatrixOp op, bool opaque, bool quads = false) {
  std::vector<const isa::Variant*> out;
  for (const isa::Variant& v : isa::variants()) {
    if (v.matrix != nullptr && v.matrix->op == op && v.matrix->opaque == opaque && v.matrix->quads == quads &&
        !v.matrix->sparse && v.matrix->scale == isa::Scale::none) {
      out.push_back(&v);
    }
  }
  return out;
}
inline std::vector<const isa::Variant*> forms_where(bool (*wanted)(const MatrixForm&)) {
  std::vector<const isa::Variant*> out;
  for (const isa::Variant& v : isa::variants()) {
    if (v.matrix != nullptr && wanted(*v.matrix)) {
      out.push_back(&v);
    }
  }
  return out;
}

}  // namespace hpml::sim::exec
