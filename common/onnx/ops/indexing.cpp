// Gather, Slice.
#include <algorithm>
#include <cstring>
#include <limits>

#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

struct Around {
  int64_t before = 1, after = 1;  // products of the extents in front of an axis and behind it
};

Around around(const Dims& dims, size_t axis) {
  Around result;
  for (size_t i = 0; i < dims.size(); ++i) {
    (i < axis ? result.before : result.after) *= i == axis ? 1 : dims[i];
  }
  return result;
}

}  // namespace

// Gather-13: output = data with `axis` replaced by the dimensions of indices.
Problem run_gather(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto indices = integers_of(state.input(1));
  const auto axis = axis_of(state.integer("axis", 0), data.dims().size());
  if (!indices || !axis) {
    return !indices ? wrong_type("indices", *state.input(1)) : Problem("no such axis");
  }
  Dims dims(data.dims().begin(), data.dims().begin() + static_cast<std::ptrdiff_t>(*axis));
  const Dims& inner = state.input(1)->dims();
  dims.insert(dims.end(), inner.begin(), inner.end());
  dims.insert(dims.end(), data.dims().begin() + static_cast<std::ptrdiff_t>(*axis) + 1, data.dims().end());
  if (Problem problem = reset(state.output(0), data.type(), dims); !problem.empty()) {
    return problem;
  }
  const Around part = around(data.dims(), *axis);
  const int64_t extent = data.dims()[*axis];
  const size_t row = static_cast<size_t>(part.after) * size_of(data.type());
  const char* from = data.bytes().data();
  std::byte* to = state.output(0)->memory();
  for (int64_t outer = 0; outer < part.before; ++outer) {
    for (const int64_t index : *indices) {
      const int64_t at = index < 0 ? index + extent : index;
      if (at < 0 || at >= extent) {
        return "index " + std::to_string(index) + " is not in 0 .. " + std::to_string(extent - 1);
      }
      if (row != 0) {
        std::memcpy(to, from + static_cast<size_t>(outer * extent + at) * row, row);
      }
      to += row;
    }
  }
  return {};
}

// Slice-13 with steps of 1, along one axis.
Problem run_slice(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto starts = integers_of(state.input(1)), ends = integers_of(state.input(2));
  const auto axes = integers_of(state.input(3)), steps = integers_of(state.input(4));
  if (!starts || !ends || starts->size() != 1 || ends->size() != 1 || (axes && axes->size() != 1) ||
      (steps && *steps != std::vector<int64_t>{1})) {
    return "it takes one axis, with step 1";
  }
  const auto axis = axis_of(axes ? (*axes)[0] : 0, data.dims().size());
  if (!axis) {
    return "no such axis";
  }
  const int64_t extent = data.dims()[*axis];
  const auto clamped = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? std::max(at, -extent) + extent : at, 0, extent);
  };
  const int64_t begin = clamped((*starts)[0]), end = std::max(begin, clamped((*ends)[0]));
  Dims dims = data.dims();
  dims[*axis] = end - begin;
  if (Problem problem = reset(state.output(0), data.type(), dims); !problem.empty()) {
    return problem;
  }
  const Around part = around(data.dims(), *axis);
  const size_t row = static_cast<size_t>(part.after) * size_of(data.type());
  for (int64_t outer = 0; outer < part.before && row != 0 && end > begin; ++outer) {
    std::memcpy(state.output(0)->memory() + static_cast<size_t>(outer * (end - begin)) * row,
                data.bytes().data() + static_cast<size_t>(outer * extent + begin) * row,
                static_cast<size_t>(end - begin) * row);
  }
  return {};
}

}  // namespace hpml::onnx
