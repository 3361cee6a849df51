#pragma once
// Elements of matrix products that a card computed, from the file matrix_sums_h200.tsv, and the same from multiply().
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "simulator/exec/detail/matrix_math.hpp"
#include "simulator/tests/exec/matrix_reference.hpp"

namespace hpml::sim::exec {

struct RecordedProduct {
  std::string form, text;
  const MatrixForm* shape = nullptr;
  std::vector<uint64_t> a, b;  // one row and one column: the elements that meet
  uint64_t c = 0, d = 0;
};

// The shape that PTX spells so.
inline const MatrixForm* shape_of(const std::string& spelled) {
  static const std::map<std::string, const MatrixForm*> kShapes = [] {
    std::map<std::string, const MatrixForm*> out;
    for (const isa::Variant* v :
         forms_where([](const MatrixForm& f) { return f.op == MatrixOp::multiply || f.op == MatrixOp::warpgroup; })) {
      for (const bool first : {false, true}) {
        for (const bool second : {false, true}) {
          out[dotted(*v, first, second)] = v->matrix;
        }
      }
    }
    return out;
  }();
  const auto found = kShapes.find(spelled);
  return found == kShapes.end() ? nullptr : found->second;
}

inline std::vector<uint64_t> elements_of(const std::string& digits, Element type) {
  const auto width = static_cast<size_t>(isa::bits(type)) / 4;
  std::vector<uint64_t> out;
  for (size_t at = 0; at < digits.size(); at += width) {
    out.push_back(std::stoull(digits.substr(at, width), nullptr, 16));
  }
  return out;
}

inline std::vector<RecordedProduct> recorded_products() {
  std::vector<RecordedProduct> out;
  std::ifstream file(HPML_SOURCE_DIR "/simulator/tests/exec/matrix_sums_h200.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#") || line.starts_with("form\t")) {
      continue;
    }
    std::istringstream cells(line);
    RecordedProduct row;
    std::string trial, a, b;
    cells >> row.form >> trial >> a >> b >> std::hex >> row.c >> row.d;
    row.text = row.form + ", trial " + trial;
    row.shape = shape_of(row.form);
    if (!cells || row.shape == nullptr) {
      ADD_FAILURE() << "not a row of a known form: " << line;
      continue;
    }
    row.a = elements_of(a, row.shape->a);
    row.b = elements_of(b, row.shape->b);
    EXPECT_EQ(row.a.size(), row.shape->columns_a()) << row.text;
    EXPECT_EQ(row.b.size(), row.a.size()) << row.text;
    out.push_back(row);
  }
  return out;
}

// d[0][0]; all other rows and columns are zero.
inline uint64_t element_by(const TensorSums& rules, const RecordedProduct& row) {
  const MatrixForm& f = *row.shape;
  MatrixValues v;
  v.a = row.a;
  v.a.resize(size_t{f.m} * f.columns_a());
  v.b = row.b;
  v.b.resize(size_t{f.k} * f.n);
  v.c = {row.c};
  v.c.resize(size_t{f.m} * f.n);
  for (size_t i = 0; f.sparse && i < v.a.size(); ++i) {
    v.kept.push_back(static_cast<uint16_t>(i % f.columns_a()));
  }
  multiply(f, rules, isa::Rnd::none, false, v);
  return v.d[0];
}

}  // namespace hpml::sim::exec
