// Add, Sub, Mul, Div, Where (with multidirectional broadcasting), Tanh, Sigmoid, Relu.
#include <algorithm>

#include "common/onnx/kernels.hpp"
#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

// Extents that all inputs broadcast to, or nothing.
std::optional<Dims> broadcast(std::span<const Tensor* const> inputs) {
  size_t rank = 0;
  for (const Tensor* input : inputs) {
    rank = std::max(rank, input->dims().size());
  }
  Dims dims(rank, 1);
  for (const Tensor* input : inputs) {
    const size_t shift = rank - input->dims().size();
    for (size_t i = 0; i < input->dims().size(); ++i) {
      const int64_t dim = input->dims()[i];
      int64_t& common = dims[shift + i];
      if (dim != 1 && common != 1 && dim != common) {
        return std::nullopt;
      }
      common = common == 1 ? dim : common;
    }
  }
  return dims;
}

// Where the elements of a broadcast input lie: steps(i) per dimension of the result.
Dims steps_of(const Tensor& input, const Dims& dims) {
  Dims steps(dims.size(), 0);
  int64_t step = 1;
  const size_t shift = dims.size() - input.dims().size();
  for (size_t i = input.dims().size(); i-- > 0;) {
    steps[shift + i] = input.dims()[i] == 1 ? 0 : step;
    step *= input.dims()[i];
  }
  return steps;
}

// Calls apply(position in the result, positions in the inputs) for every element.
template <size_t N, class Apply>
Problem each(NodeState& state, Type type, Apply apply) {
  const std::span<const Tensor* const> inputs(state.inputs.data(), N);
  const auto dims = broadcast(inputs);
  if (!dims) {
    return "its inputs' extents do not fit each other";
  }
  if (Problem problem = reset(state.output(0), type, *dims); !problem.empty()) {
    return problem;
  }
  Dims steps[N], at(dims->size(), 0);
  size_t offsets[N] = {};
  for (size_t n = 0; n < N; ++n) {
    steps[n] = steps_of(*inputs[n], *dims);
  }
  for (size_t i = 0; i < static_cast<size_t>(state.output(0)->count()); ++i) {
    apply(i, offsets);
    for (size_t d = dims->size(); d-- > 0;) {
      const bool wraps = ++at[d] == (*dims)[d];
      for (size_t n = 0; n < N; ++n) {
        offsets[n] += static_cast<size_t>(wraps ? -steps[n][d] * ((*dims)[d] - 1) : steps[n][d]);
      }
      if (!wraps) {
        break;
      }
      at[d] = 0;
    }
  }
  return {};
}

template <class Function>
Problem binary(NodeState& state, Function function) {
  const Tensor &a = *state.input(0), &b = *state.input(1);
  if (a.type() != Type::float32 || b.type() != Type::float32) {
    return wrong_type("an input", a.type() != Type::float32 ? a : b);
  }
  return each<2>(state, Type::float32, [&](size_t i, const size_t* at) {
    state.output(0)->as<float>()[i] = function(a.as<float>()[at[0]], b.as<float>()[at[1]]);
  });
}

// function(count, in, out)
template <class Function>
Problem unary(NodeState& state, Function function) {
  const Tensor& data = *state.input(0);
  if (data.type() != Type::float32) {
    return wrong_type("its input", data);
  }
  if (Problem problem = reset(state.output(0), data.type(), data.dims()); !problem.empty()) {
    return problem;
  }
  function(data.count(), data.as<float>().data(), state.output(0)->as<float>().data());
  return {};
}

}  // namespace

Problem run_add(NodeState& state) {
  return binary(state, [](float a, float b) { return a + b; });
}
Problem run_sub(NodeState& state) {
  return binary(state, [](float a, float b) { return a - b; });
}
Problem run_mul(NodeState& state) {
  return binary(state, [](float a, float b) { return a * b; });
}
Problem run_div(NodeState& state) {
  return binary(state, [](float a, float b) { return a / b; });
}
Problem run_tanh(NodeState& state) { return unary(state, tanh_of); }
Problem run_sigmoid(NodeState& state) { return unary(state, sigmoid_of); }
Problem run_relu(NodeState& state) {
  return unary(state, [](int64_t count, const float* in, float* out) {
    std::transform(in, in + count, out, [](float a) { return std::max(a, 0.0F); });
  });
}

Problem run_where(NodeState& state) {
  const Tensor &condition = *state.input(0), &a = *state.input(1), &b = *state.input(2);
  if (condition.type() != Type::boolean || a.type() != Type::float32 || b.type() != Type::float32) {
    return "it takes a bool condition and two float inputs";
  }
  return each<3>(state, Type::float32, [&](size_t i, const size_t* at) {
    state.output(0)->as<float>()[i] = condition.as<uint8_t>()[at[0]] != 0 ? a.as<float>()[at[1]] : b.as<float>()[at[2]];
  });
}

}  // namespace hpml::onnx
