// Operators that move elements: Concat, Transpose, Reshape, Squeeze, Unsqueeze, Flatten, Identity, Cast, Constant.
#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

int64_t product(const Dims& dims, size_t from, size_t to) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from),
                         dims.begin() + static_cast<std::ptrdiff_t>(to), int64_t{1}, std::multiplies<>());
}

// The input's elements under other extents.
Problem copy_as(NodeState& state, const Dims& dims) {
  const Tensor& data = *state.input(0);
  if (Problem problem = reset(state.output(0), data.type(), dims); !problem.empty()) {
    return problem;
  }
  if (state.output(0)->count() != data.count()) {
    return "extents " + to_string(data.dims()) + " cannot become " + to_string(dims);
  }
  if (data.count() != 0) {
    std::memcpy(state.output(0)->memory(), data.bytes().data(), data.bytes().size());
  }
  return {};
}

// One row of the result at a time: `steps` are those of the input for each dimension of the result.
template <class Element>
void transpose(const Tensor& from, const Dims& steps, Tensor* to) {
  const Dims& dims = to->dims();
  const size_t outer = dims.empty() ? 0 : dims.size() - 1;
  const int64_t row = dims.empty() ? 1 : dims.back(), step = dims.empty() ? 1 : steps.back();
  const Element* in = from.as<Element>().data();
  Element* out = to->as<Element>().data();
  Dims at(outer, 0);
  for (int64_t done = 0; done < to->count(); done += row, out += row) {
    if (step == 1) {
      std::copy_n(in, row, out);
    } else {
      for (int64_t i = 0; i < row; ++i) {
        out[i] = in[i * step];
      }
    }
    for (size_t i = outer; i-- > 0;) {
      in += steps[i];
      if (++at[i] < dims[i]) {
        break;
      }
      in -= steps[i] * dims[i];
      at[i] = 0;
    }
  }
}

}  // namespace

Problem run_concat(NodeState& state) {
  const Tensor& first = *state.input(0);
  const auto axis = axis_of(state.integer("axis", 0), first.dims().size());
  if (!axis) {
    return "no such axis";
  }
  Dims dims = first.dims();
  dims[*axis] = 0;
  for (const Tensor* input : state.inputs) {
    if (input == nullptr || input->type() != first.type() || input->dims().size() != dims.size()) {
      return "its inputs differ in element type or number of dimensions";
    }
    for (size_t i = 0; i < dims.size(); ++i) {
      if (i != *axis && input->dims()[i] != dims[i]) {
        return "extents " + to_string(input->dims()) + " and " + to_string(first.dims()) + " differ beside the axis";
      }
    }
    dims[*axis] += input->dims()[*axis];
  }
  if (Problem problem = reset(state.output(0), first.type(), dims); !problem.empty()) {
    return problem;
  }
  std::byte* to = state.output(0)->memory();
  for (int64_t outer = 0; outer < product(dims, 0, *axis); ++outer) {
    for (const Tensor* input : state.inputs) {
      const size_t row = static_cast<size_t>(product(input->dims(), *axis, dims.size())) * size_of(first.type());
      if (row != 0) {
        std::memcpy(to, input->bytes().data() + static_cast<size_t>(outer) * row, row);
      }
      to += row;
    }
  }
  return {};
}

Problem run_transpose(NodeState& state) {
  const Tensor& data = *state.input(0);
  const size_t rank = data.dims().size();
  std::vector<int64_t> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  if (const auto* named = state.integers("perm")) {
    order = *named;
  }
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < std::max(rank, sorted.size()); ++i) {
    if (sorted.size() != rank || sorted[i] != static_cast<int64_t>(i)) {
      return "perm is no permutation of " + std::to_string(rank) + " dimensions";
    }
  }
  Dims dims(rank), steps(rank);
  for (size_t i = 0; i < rank; ++i) {
    const auto from = static_cast<size_t>(order[i]);
    dims[i] = data.dims()[from];
    steps[i] = product(data.dims(), from + 1, rank);
  }
  if (Problem problem = reset(state.output(0), data.type(), dims); !problem.empty()) {
    return problem;
  }
  switch (size_of(data.type())) {
    case 1: transpose<uint8_t>(data, steps, state.output(0)); break;
    case 4: transpose<uint32_t>(data, steps, state.output(0)); break;
    default: transpose<uint64_t>(data, steps, state.output(0)); break;
  }
  return {};
}

// 0 keeps an extent, -1 is what is left.
Problem run_reshape(NodeState& state) {
  const Tensor& data = *state.input(0);
  auto dims = integers_of(state.input(1));
  if (!dims || dims->size() > kMostDims) {
    return "shape is no list of extents";
  }
  int64_t known = 1, open = -1;
  for (size_t i = 0; i < dims->size(); ++i) {
    int64_t& dim = (*dims)[i];
    if (dim == 0 && i < data.dims().size()) {
      dim = data.dims()[i];
    }
    if (dim < -1 || dim > kMostElements || (dim == -1 && open >= 0) || (dim > 0 && known > kMostElements / dim)) {
      return "shape " + to_string(*dims) + " is not possible";
    }
    if (dim == -1) {
      open = static_cast<int64_t>(i);
    } else {
      known *= dim;
    }
  }
  if (open >= 0) {
    if (known == 0 || data.count() % known != 0) {
      return "extents " + to_string(data.dims()) + " cannot become " + to_string(*dims);
    }
    (*dims)[static_cast<size_t>(open)] = data.count() / known;
  }
  return copy_as(state, *dims);
}

Problem run_squeeze(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto axes = integers_of(state.input(1));
  std::vector<bool> drop(data.dims().size(), false);
  for (size_t i = 0; i < drop.size(); ++i) {
    drop[i] = !axes && data.dims()[i] == 1;
  }
  for (const int64_t axis : axes.value_or(std::vector<int64_t>())) {
    const auto place = axis_of(axis, drop.size());
    if (!place || data.dims()[*place] != 1) {
      return "axis " + std::to_string(axis) + " of " + to_string(data.dims()) + " is not 1";
    }
    drop[*place] = true;
  }
  Dims dims;
  for (size_t i = 0; i < drop.size(); ++i) {
    if (!drop[i]) {
      dims.push_back(data.dims()[i]);
    }
  }
  return copy_as(state, dims);
}

Problem run_unsqueeze(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto axes = integers_of(state.input(1));
  if (!axes || axes->size() + data.dims().size() > kMostDims) {
    return "axes is no list of dimensions";
  }
  std::vector<bool> added(axes->size() + data.dims().size(), false);
  for (const int64_t axis : *axes) {
    const auto place = axis_of(axis, added.size());
    if (!place || added[*place]) {
      return "axis " + std::to_string(axis) + " cannot be added";
    }
    added[*place] = true;
  }
  Dims dims;
  size_t next = 0;
  for (const bool one : added) {
    dims.push_back(one ? 1 : data.dims()[next++]);
  }
  return copy_as(state, dims);
}

Problem run_flatten(NodeState& state) {
  const Dims& dims = state.input(0)->dims();
  const int64_t axis = state.integer("axis", 1);
  const auto rank = static_cast<int64_t>(dims.size());
  if (axis < -rank || axis > rank) {
    return "no such axis";
  }
  const auto place = static_cast<size_t>(axis < 0 ? axis + rank : axis);
  return copy_as(state, {product(dims, 0, place), product(dims, place, dims.size())});
}

Problem run_identity(NodeState& state) { return copy_as(state, state.input(0)->dims()); }

Problem run_cast(NodeState& state) {
  const Tensor& data = *state.input(0);
  const auto to = type_of(state.integer("to", 0));
  if (!to) {
    return "element type " + std::to_string(state.integer("to", 0)) + " is not supported";
  }
  if (Problem problem = reset(state.output(0), *to, data.dims()); !problem.empty()) {
    return problem;
  }
  const auto whole = integers_of(&data);
  const bool real = data.type() == Type::float32, flags = data.type() == Type::boolean;
  for (size_t i = 0; i < static_cast<size_t>(data.count()); ++i) {
    if (*to == Type::float32 && (whole || flags)) {
      state.output(0)->as<float>()[i] =
          whole ? static_cast<float>((*whole)[i]) : static_cast<float>(data.as<uint8_t>()[i]);
    } else if (*to == Type::boolean && (whole || real)) {
      state.output(0)->as<uint8_t>()[i] = whole ? (*whole)[i] != 0 : data.as<float>()[i] != 0;
    } else if (*to == Type::int64 && (whole || flags)) {
      state.output(0)->as<int64_t>()[i] = whole ? (*whole)[i] : data.as<uint8_t>()[i];
    } else if (*to == data.type()) {
      return copy_as(state, data.dims());
    } else {
      return std::string("it does not cast ") + name_of(data.type()) + " to " + name_of(*to);
    }
  }
  return {};
}

Problem run_constant(NodeState& state) {
  const auto found = state.node->attributes.find("value");
  const Tensor* value = found == state.node->attributes.end() ? nullptr : std::get_if<Tensor>(&found->second);
  if (value == nullptr) {
    return "it needs the attribute 'value'";
  }
  *state.output(0) = *value;
  return {};
}

}  // namespace hpml::onnx
