// Softmax, ReduceSum.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

// Softmax-13: over one axis, the last one where it is left out. A row of -infinity gives NaN, as its definition does.
Problem run_softmax(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto axis = axis_of(state.integer("axis", -1), data.dims().size());
  if (!axis || data.type() != Type::float32) {
    return axis ? wrong_type("its input", data) : Problem("no such axis");
  }
  if (Problem problem = reset(state.output(0), data.type(), data.dims()); !problem.empty()) {
    return problem;
  }
  int64_t after = 1;
  for (size_t i = *axis + 1; i < data.dims().size(); ++i) {
    after *= data.dims()[i];
  }
  const int64_t extent = data.dims()[*axis];
  const int64_t before = data.count() == 0 ? 0 : data.count() / (extent * after);
  for (int64_t outer = 0; outer < before; ++outer) {
    for (int64_t inner = 0; inner < after; ++inner) {
      const float* in = data.as<float>().data() + outer * extent * after + inner;
      float* out = state.output(0)->as<float>().data() + outer * extent * after + inner;
      float largest = -std::numeric_limits<float>::infinity(), sum = 0;
      for (int64_t i = 0; i < extent; ++i) {
        largest = std::max(largest, in[i * after]);
      }
      for (int64_t i = 0; i < extent; ++i) {
        sum += out[i * after] = std::exp(in[i * after] - largest);
      }
      for (int64_t i = 0; i < extent; ++i) {
        out[i * after] /= sum;
      }
    }
  }
  return {};
}

// ReduceSum-13: axes are an input; without them, over all.
Problem run_reduce_sum(NodeState& state) {
  const Tensor& data = *state.input(0);
  const size_t rank = data.dims().size();
  const auto axes = integers_of(state.input(1));
  std::vector<bool> reduced(rank, !axes && state.integer("noop_with_empty_axes", 0) == 0);
  for (const int64_t axis : axes.value_or(std::vector<int64_t>())) {
    const auto place = axis_of(axis, rank);
    if (!place) {
      return "no axis " + std::to_string(axis);
    }
    reduced[*place] = true;
  }
  if (data.type() != Type::float32) {
    return wrong_type("its input", data);
  }
  Dims dims, steps(rank, 0);
  const bool keep = state.integer("keepdims", 1) != 0;
  for (size_t i = 0; i < rank; ++i) {
    if (!reduced[i] || keep) {
      dims.push_back(reduced[i] ? 1 : data.dims()[i]);
    }
  }
  if (Problem problem = reset(state.output(0), data.type(), dims); !problem.empty()) {
    return problem;
  }
  int64_t step = 1;
  for (size_t i = rank; i-- > 0;) {
    steps[i] = reduced[i] ? 0 : step;
    step *= reduced[i] ? 1 : data.dims()[i];
  }
  const auto out = state.output(0)->as<float>();
  std::fill(out.begin(), out.end(), 0.0F);
  Dims at(rank, 0);
  int64_t offset = 0;
  for (const float value : data.as<float>()) {
    out[static_cast<size_t>(offset)] += value;
    for (size_t i = rank; i-- > 0;) {
      offset += steps[i];
      if (++at[i] < data.dims()[i]) {
        break;
      }
      offset -= steps[i] * data.dims()[i];
      at[i] = 0;
    }
  }
  return {};
}

}  // namespace hpml::onnx
