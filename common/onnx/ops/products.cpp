// MatMul, Gemm.
#include <algorithm>

#include "common/onnx/kernels.hpp"
#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

// Matrix products of a stack: extents in front of the last two are equal, or b is one matrix for all.
struct Stack {
  int64_t m = 0, n = 0, k = 0, count = 1;
  bool shared = false;
  Dims dims;
};

std::optional<Stack> stack_of(const Dims& a, const Dims& b) {
  if (a.size() < 2 || b.size() < 2) {
    return std::nullopt;
  }
  Stack s{a[a.size() - 2], b[b.size() - 1], a[a.size() - 1], 1, b.size() == 2, a};
  if (b[b.size() - 2] != s.k ||
      (!s.shared && (a.size() != b.size() || !std::equal(a.begin(), a.end() - 2, b.begin())))) {
    return std::nullopt;
  }
  for (size_t i = 0; i + 2 < a.size(); ++i) {
    s.count *= a[i];
  }
  s.dims.back() = s.n;
  return s;
}

}  // namespace

Problem run_matmul(NodeState& state) {
  const Tensor &a = *state.input(0), &b = *state.input(1);
  const auto stack = stack_of(a.dims(), b.dims());
  if (!stack || a.type() != Type::float32 || b.type() != Type::float32) {
    return "extents " + to_string(a.dims()) + " and " + to_string(b.dims()) + " of " + name_of(a.type()) + " and " +
           name_of(b.type()) + " cannot be multiplied";
  }
  if (Problem problem = reset(state.output(0), Type::float32, stack->dims); !problem.empty()) {
    return problem;
  }
  const auto out = state.output(0)->as<float>();
  std::fill(out.begin(), out.end(), 0.0F);
  const Stack& s = *stack;
  for (int64_t i = 0; i < s.count; ++i) {
    product(s.m, s.n, s.k, a.as<float>().data() + i * s.m * s.k, b.as<float>().data() + (s.shared ? 0 : i * s.k * s.n),
            out.data() + i * s.m * s.n);
  }
  state.macs = s.count * s.m * s.n * s.k;
  return {};
}

// Gemm-13: alpha A B + beta C, with B transposed or not.
Problem run_gemm(NodeState& state) {
  const Tensor &a = *state.input(0), &b = *state.input(1);
  const Tensor* c = state.input(2);
  const bool transposed = state.integer("transB", 0) != 0;
  if (state.integer("transA", 0) != 0 || state.real("alpha", 1) != 1 || state.real("beta", 1) != 1) {
    return "transA, alpha and beta other than 1 are not supported";
  }
  if (a.dims().size() != 2 || b.dims().size() != 2 || a.type() != Type::float32 || b.type() != Type::float32) {
    return "it multiplies two float matrices";
  }
  const int64_t m = a.dims()[0], k = a.dims()[1], n = b.dims()[transposed ? 0 : 1];
  if (b.dims()[transposed ? 1 : 0] != k) {
    return "extents " + to_string(a.dims()) + " and " + to_string(b.dims()) + " cannot be multiplied";
  }
  if (c != nullptr && (c->type() != Type::float32 || c->dims().empty() || c->dims().back() != n || c->count() != n)) {
    return "C must have one value per column";
  }
  if (Problem problem = reset(state.output(0), Type::float32, {m, n}); !problem.empty()) {
    return problem;
  }
  const auto out = state.output(0)->as<float>();
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      out[static_cast<size_t>(i * n + j)] = c != nullptr ? c->as<float>()[static_cast<size_t>(j)] : 0.0F;
    }
  }
  const float* right = b.as<float>().data();
  if (transposed && state.pack && state.is_constant(1)) {
    if (state.packed.empty()) {
      state.packed.emplace_back(static_cast<size_t>(n * k));
      transpose(n, k, right, state.packed[0].data());
    }
    product(m, n, k, a.as<float>().data(), state.packed[0].data(), out.data());
  } else if (transposed) {
    product_by_rows(m, n, k, a.as<float>().data(), right, out.data());
  } else {
    product(m, n, k, a.as<float>().data(), right, out.data());
  }
  state.macs = m * n * k;
  return {};
}

}  // namespace hpml::onnx
