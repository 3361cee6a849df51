#pragma once
// The products of `gru structure`, made by another process than the one that asks for them (harness/apart.hpp). That
// process multiplies every weight by a number that follows from a secret, from where the weight stands, from how many
// rows it is multiplied with and from how many products of that size came before. Results that hold these numbers went
// through the right products. As judges/lab6_gru.py has it.
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/apart.hpp"
#include "lab6.hpp"

namespace marked {

constexpr int64_t kMost = 4096;  // rows, columns and depth of a product that is answered

// A product on its way between the processes, without accumulate; rows 0: the end.
struct Request {
  int64_t rows = 0, columns = 0, depth = 0, transpose_a = 0, transpose_b = 0;
};

static inline size_t size_a(const lab6::Product& shape) { return static_cast<size_t>(shape.rows * shape.depth); }
static inline size_t size_b(const lab6::Product& shape) { return static_cast<size_t>(shape.depth * shape.columns); }
static inline size_t size_c(const lab6::Product& shape) { return static_cast<size_t>(shape.rows * shape.columns); }

// In the process of the student code.
class Asking : public lab6::Compute {
 public:
  void multiply(const lab6::Product& shape, const float* a, const float* b, float* c) override {
    std::vector<float> result(size_c(shape));
    const Request request{shape.rows, shape.columns, shape.depth, shape.transpose_a, shape.transpose_b};
    if (!apart::give(apart::kAsk, request) || !apart::give_bytes(apart::kAsk, a, size_a(shape) * sizeof(float)) ||
        !apart::give_bytes(apart::kAsk, b, size_b(shape) * sizeof(float)) ||
        !apart::take_bytes(apart::kHear, result.data(), result.size() * sizeof(float))) {
      std::_Exit(1);
    }
    for (size_t i = 0; i < result.size(); ++i) {
      c[i] = result[i] + (shape.accumulate ? c[i] : 0.0F);
    }
  }
  // Nothing more is asked; what was computed.
  static bool end(const std::vector<float>& results) {
    return apart::give(apart::kAsk, Request{}) &&
           apart::give_bytes(apart::kAsk, results.data(), results.size() * sizeof(float));
  }

 protected:
  void run(int tasks, void (*call)(void* context, int task), void* context) override {
    for (int task = 0; task < tasks; ++task) {
      call(context, task);
    }
  }
};

// In the process that knows the secret. weights: rows of both matrices, 3H.
class Answering {
 public:
  Answering(uint64_t secret, int64_t weights) : secret_(secret), weights_(weights) {}

  // Answers until the end; then takes `count` results. False: the other side is gone, or asks for what is no product.
  bool run(int from, int to, size_t count, std::vector<float>& results) {
    for (;;) {
      Request request;
      if (!apart::take(from, request)) {
        return false;
      }
      if (request.rows == 0) {
        results.resize(count);
        return apart::take_bytes(from, results.data(), count * sizeof(float));
      }
      for (const int64_t extent : {request.rows, request.columns, request.depth}) {
        if (extent < 1 || extent > kMost) {
          return false;
        }
      }
      const lab6::Product shape{.rows = request.rows,
                                .columns = request.columns,
                                .depth = request.depth,
                                .transpose_a = request.transpose_a != 0,
                                .transpose_b = request.transpose_b != 0};
      std::vector<float> a(size_a(shape)), b(size_b(shape));
      if (!apart::take_bytes(from, a.data(), a.size() * sizeof(float)) ||
          !apart::take_bytes(from, b.data(), b.size() * sizeof(float))) {
        return false;
      }
      const std::vector<float> c = product(shape, a, b);
      if (!apart::give_bytes(to, c.data(), c.size() * sizeof(float))) {
        return false;
      }
    }
  }

 private:
  // x W^T and W x^T are the same product: the weights are on the side that has 3H rows or columns.
  std::vector<float> product(const lab6::Product& s, const std::vector<float>& a, const std::vector<float>& b) {
    const bool in_columns = s.columns == weights_, in_rows = !in_columns && s.rows == weights_;
    const std::vector<double> marks =
        in_columns || in_rows ? marks_of(in_columns ? s.rows : s.columns, s.depth) : std::vector<double>();
    std::vector<float> c(size_c(s));
    for (int64_t i = 0; i < s.rows; ++i) {
      for (int64_t j = 0; j < s.columns; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < s.depth; ++k) {
          const double term =
              static_cast<double>(a[static_cast<size_t>(s.transpose_a ? k * s.rows + i : i * s.depth + k)]) *
              b[static_cast<size_t>(s.transpose_b ? j * s.depth + k : k * s.columns + j)];
          sum += marks.empty() ? term : term * marks[static_cast<size_t>((in_columns ? j : i) * s.depth + k)];
        }
        c[static_cast<size_t>(i * s.columns + j)] = static_cast<float>(sum);
      }
    }
    return c;
  }

  // [3H][depth], of the next product with so many other rows.
  std::vector<double> marks_of(int64_t others, int64_t depth) {
    const int before = made_[{others, depth}]++;
    const std::string stream =
        "mark " + std::to_string(others) + " " + std::to_string(depth) + " " + std::to_string(before);
    std::vector<double> found;
    for (uint64_t i = 0; i < static_cast<uint64_t>(weights_ * depth); ++i) {
      found.push_back(1 + lab6::uniform(secret_, stream, i) / 2);
    }
    return found;
  }

  uint64_t secret_;
  int64_t weights_;
  std::map<std::pair<int64_t, int64_t>, int> made_;
};

}  // namespace marked
