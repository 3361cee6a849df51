// QuantizeLinear, DequantizeLinear.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

// Element i has the scale of place i / after % count.
struct Scales {
  std::span<const float> scales;
  const Tensor* zeros = nullptr;  // null: all 0
  int64_t after = 1, count = 1;
};

// One scale for all, or one per extent of `axis` (1 where it is left out); zero points as many, of the type `integers`.
Problem scales_of(const NodeState& state, Type integers, Scales& found) {
  const Tensor &x = *state.input(0), &scale = *state.input(1);
  const Tensor* zeros = state.input(2);
  if (scale.type() != Type::float32 ||
      (zeros != nullptr && (zeros->type() != integers || zeros->count() != scale.count()))) {
    return "scales are floats, and zero points as many integers of the quantised type";
  }
  found = {scale.as<float>(), zeros, 1, scale.count()};
  if (scale.dims().empty() || scale.count() == 1) {
    return {};
  }
  const auto axis = axis_of(state.integer("axis", 1), x.dims().size());
  if (!axis || scale.dims().size() != 1 || x.dims()[*axis] != scale.count()) {
    return "scales " + to_string(scale.dims()) + " do not fit an axis of " + to_string(x.dims());
  }
  for (size_t i = *axis + 1; i < x.dims().size(); ++i) {
    found.after *= x.dims()[i];
  }
  return {};
}

// Calls work(element, scale, zero point) for all elements.
template <class T, class Work>
void each(const Scales& s, int64_t elements, const Work& work) {
  for (int64_t i = 0; i < elements; ++i) {
    const auto place = static_cast<size_t>(s.count == 1 ? 0 : i / s.after % s.count);
    work(static_cast<size_t>(i), s.scales[place], s.zeros == nullptr ? T{0} : s.zeros->as<T>()[place]);
  }
}

template <class T>
void quantize(const Scales& s, const Tensor& x, Tensor& y) {
  const auto from = x.as<float>();
  const auto to = y.as<T>();
  each<T>(s, x.count(), [&](size_t i, float scale, T zero) {
    const float q = std::nearbyint(from[i] / scale) + static_cast<float>(zero);
    to[i] = std::isnan(q) ? zero
                          : static_cast<T>(std::clamp(q, static_cast<float>(std::numeric_limits<T>::min()),
                                                      static_cast<float>(std::numeric_limits<T>::max())));
  });
}

template <class T>
void dequantize(const Scales& s, const Tensor& q, Tensor& y) {
  const auto from = q.as<T>();
  const auto to = y.as<float>();
  each<T>(s, q.count(),
          [&](size_t i, float scale, T zero) { to[i] = static_cast<float>(int64_t{from[i]} - zero) * scale; });
}

}  // namespace

// QuantizeLinear-13: half to even, plus the zero point, saturated. The zero point says the type; without one, uint8.
Problem run_quantize_linear(NodeState& state) {
  const Tensor& x = *state.input(0);
  const Type type = state.input(2) != nullptr ? state.input(2)->type() : Type::uint8;
  if (x.type() != Type::float32 || (type != Type::uint8 && type != Type::int8)) {
    return "it turns floats into uint8 or int8";
  }
  Scales scales;
  if (Problem problem = scales_of(state, type, scales); !problem.empty()) {
    return problem;
  }
  if (Problem problem = reset(state.output(0), type, x.dims()); !problem.empty()) {
    return problem;
  }
  type == Type::uint8 ? quantize<uint8_t>(scales, x, *state.output(0)) : quantize<int8_t>(scales, x, *state.output(0));
  return {};
}

// DequantizeLinear-13: (q - zero point) * scale.
Problem run_dequantize_linear(NodeState& state) {
  const Tensor& q = *state.input(0);
  if (q.type() != Type::uint8 && q.type() != Type::int8 && q.type() != Type::int32) {
    return wrong_type("its input", q);
  }
  Scales scales;
  if (Problem problem = scales_of(state, q.type(), scales); !problem.empty()) {
    return problem;
  }
  if (Problem problem = reset(state.output(0), Type::float32, q.dims()); !problem.empty()) {
    return problem;
  }
  Tensor& y = *state.output(0);
  q.type() == Type::uint8  ? dequantize<uint8_t>(scales, q, y)
  : q.type() == Type::int8 ? dequantize<int8_t>(scales, q, y)
                           : dequantize<int32_t>(scales, q, y);
  return {};
}

}  // namespace hpml::onnx
