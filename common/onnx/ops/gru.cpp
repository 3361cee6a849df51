// GRU-7 (ONNX operators, "GRU"): gates in the order z, r, h; W [directions, 3H, I], R [directions, 3H, H], B
// [directions, 6H] = Wb then Rb; H_t = (1 - z) * h~ + z * H_{t-1}. Default activations, layout 0.
#include <algorithm>
#include <cstring>

#include "common/onnx/kernels.hpp"
#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

struct Shape {
  int64_t steps = 0, batch = 0, input = 0, hidden = 0, directions = 1;
  bool reset_after = false;  // linear_before_reset
  bool only_reverse = false;
};

enum Input : uint8_t { kX, kW, kR, kB, kLengths, kInitial };

std::string check(const NodeState& state, Shape& s) {
  const Tensor &x = *state.input(kX), &w = *state.input(kW), &r = *state.input(kR);
  const std::string direction = state.text("direction", "forward");
  for (const char* name : {"activations", "activation_alpha", "activation_beta", "clip"}) {
    if (state.node->attributes.contains(name)) {
      return std::string("attribute '") + name + "' is not supported";
    }
  }
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return "direction '" + direction + "' is none";
  }
  s.directions = direction == "bidirectional" ? 2 : 1;
  s.only_reverse = direction == "reverse";
  s.reset_after = state.integer("linear_before_reset", 0) != 0;
  if (x.dims().size() != 3 || r.dims().size() != 3 || state.integer("layout", 0) != 0) {
    return "X and R have three dimensions, layout is 0";
  }
  s.steps = x.dims()[0], s.batch = x.dims()[1], s.input = x.dims()[2], s.hidden = r.dims()[2];
  const int64_t h = s.hidden;
  if (state.integer("hidden_size", h) != h || w.dims() != Dims{s.directions, 3 * h, s.input} ||
      r.dims() != Dims{s.directions, 3 * h, h}) {
    return "W " + to_string(w.dims()) + " and R " + to_string(r.dims()) + " do not fit X " + to_string(x.dims()) +
           " and " + std::to_string(s.directions) + " directions";
  }
  const Tensor *b = state.input(kB), *lengths = state.input(kLengths), *initial = state.input(kInitial);
  if (b != nullptr && b->dims() != Dims{s.directions, 6 * h}) {
    return "B " + to_string(b->dims()) + " is not [" + std::to_string(s.directions) + ", " + std::to_string(6 * h) +
           "]";
  }
  if (initial != nullptr && initial->dims() != Dims{s.directions, s.batch, h}) {
    return "initial_h " + to_string(initial->dims()) + " does not fit";
  }
  for (const Tensor* one : {&x, &w, &r, b, initial}) {
    if (one != nullptr && one->type() != Type::float32) {
      return wrong_type("an input", *one);
    }
  }
  if (lengths != nullptr) {
    if (lengths->type() != Type::int32 || lengths->dims() != Dims{s.batch}) {
      return "sequence_lens must be int32, one per sequence";
    }
    for (const int32_t length : lengths->as<int32_t>()) {
      if (length < 0 || length > s.steps) {
        return "a sequence has length " + std::to_string(length) + ", X has " + std::to_string(s.steps) + " steps";
      }
    }
  }
  return {};
}

// a [rows][k] times a constant or computed weight matrix [n][k].
void multiply(NodeState& state, size_t which, int64_t rows, int64_t n, int64_t k, const float* a, const float* weights,
              int64_t direction, float* c) {
  const size_t slot = static_cast<size_t>(2 * direction) + which;
  if (!state.pack || !state.is_constant(which == 0 ? kW : kR)) {
    product_by_rows(rows, n, k, a, weights, c);
    return;
  }
  if (state.packed.size() <= slot) {
    state.packed.resize(slot + 1);
  }
  if (state.packed[slot].empty()) {
    state.packed[slot].resize(static_cast<size_t>(n * k));
    transpose(n, k, weights, state.packed[slot].data());
  }
  product(rows, n, k, a, state.packed[slot].data(), c);
}

struct Direction {
  const Shape& s;
  const float *wb, *rb;  // 3H each
  const float* r;
  int64_t index;
  bool reverse;
};

// One step of one sequence: x = its input products, u = its recurrent ones (bias included in both).
void cell(const Shape& s, float* x, float* u, const float* recurrent, float* h) {
  const int64_t hidden = s.hidden;
  for (int64_t i = 0; i < 2 * hidden; ++i) {
    x[i] += u[i];
  }
  sigmoid_of(2 * hidden, x, x);  // z, then r
  const float *z = x, *r = x + hidden;
  float* n = x + 2 * hidden;
  for (int64_t i = 0; i < hidden; ++i) {
    n[i] += s.reset_after ? r[i] * u[2 * hidden + i] : recurrent[i];
  }
  tanh_of(hidden, n, n);
  for (int64_t i = 0; i < hidden; ++i) {
    h[i] = (1 - z[i]) * n[i] + z[i] * h[i];
  }
}

void run_direction(NodeState& state, const Direction& d, float* x, float* h, const int32_t* lengths, float* y) {
  const Shape& s = d.s;
  const int64_t hidden = s.hidden, wide = 3 * hidden;
  float* u = state.memory(1, static_cast<size_t>(s.batch * wide));
  float* reset_h = state.memory(2, static_cast<size_t>(s.batch * hidden));
  float* late = state.memory(3, static_cast<size_t>(s.batch * hidden));
  for (int64_t step = 0; step < s.steps; ++step) {
    const int64_t t = d.reverse ? s.steps - 1 - step : step;
    float* xt = x + t * s.batch * wide;
    for (int64_t b = 0; b < s.batch; ++b) {
      std::copy(d.rb, d.rb + wide, u + b * wide);
    }
    multiply(state, 1, s.batch, wide, hidden, h, d.r, d.index, u);
    if (!s.reset_after) {  // R_h (r * h): the third gate's product after the reset
      for (int64_t b = 0; b < s.batch; ++b) {
        for (int64_t i = 0; i < hidden; ++i) {
          const float r = xt[b * wide + hidden + i] + u[b * wide + hidden + i];
          float gate = 0;
          sigmoid_of(1, &r, &gate);
          reset_h[b * hidden + i] = gate * h[b * hidden + i];
        }
        std::copy(d.rb + 2 * hidden, d.rb + wide, late + b * hidden);
      }
      product_by_rows(s.batch, hidden, hidden, reset_h, d.r + 2 * hidden * hidden, late);
    }
    for (int64_t b = 0; b < s.batch; ++b) {
      float* own = h + b * hidden;
      const bool alive = lengths == nullptr || t < lengths[b];
      if (alive) {
        cell(s, xt + b * wide, u + b * wide, late + b * hidden, own);
      }
      if (y != nullptr) {
        float* to = y + ((t * s.directions + d.index) * s.batch + b) * hidden;
        for (int64_t i = 0; i < hidden; ++i) {
          to[i] = alive ? own[i] : 0.0F;
        }
      }
    }
  }
}

}  // namespace

Problem run_gru(NodeState& state) {
  Shape s;
  if (Problem problem = check(state, s); !problem.empty()) {
    return problem;
  }
  Tensor *y = state.output(0), *last = state.output(1);
  const Dims final{s.directions, s.batch, s.hidden};
  if (!count_of({s.steps, s.batch, 3 * s.hidden}) || !count_of({s.steps, s.directions, s.batch, s.hidden})) {
    return "its results would be too large";
  }
  if (y != nullptr && !y->reset(Type::float32, {s.steps, s.directions, s.batch, s.hidden})) {
    return "its results would be too large";
  }
  const int64_t wide = 3 * s.hidden;
  float* x = state.memory(0, static_cast<size_t>(s.steps * s.batch * wide));
  float* h = state.memory(4, static_cast<size_t>(s.directions * s.batch * s.hidden));
  float* no_bias = state.memory(5, static_cast<size_t>(2 * wide));
  std::fill(no_bias, no_bias + 2 * wide, 0.0F);
  const Tensor *b = state.input(kB), *lengths = state.input(kLengths), *initial = state.input(kInitial);
  for (int64_t i = 0; i < s.directions; ++i) {
    const float* bias = b != nullptr ? b->as<float>().data() + i * 2 * wide : no_bias;
    float* own = h + i * s.batch * s.hidden;
    for (int64_t row = 0; row < s.steps * s.batch; ++row) {
      std::copy(bias, bias + wide, x + row * wide);
    }
    multiply(state, 0, s.steps * s.batch, wide, s.input, state.input(kX)->as<float>().data(),
             state.input(kW)->as<float>().data() + i * wide * s.input, i, x);
    const float* start = initial != nullptr ? initial->as<float>().data() + i * s.batch * s.hidden : nullptr;
    for (int64_t j = 0; j < s.batch * s.hidden; ++j) {
      own[j] = start != nullptr ? start[j] : 0.0F;
    }
    const Direction direction{
        s, bias, bias + wide, state.input(kR)->as<float>().data() + i * wide * s.hidden, i, s.only_reverse || i == 1};
    run_direction(state, direction, x, own, lengths != nullptr ? lengths->as<int32_t>().data() : nullptr,
                  y != nullptr ? y->as<float>().data() : nullptr);
  }
  state.macs = s.directions * s.steps * s.batch * wide * (s.input + s.hidden);
  if (last == nullptr) {
    return {};
  }
  if (Problem problem = reset(last, Type::float32, final); !problem.empty()) {
    return problem;
  }
  std::copy(h, h + last->count(), last->as<float>().data());
  return {};
}

}  // namespace hpml::onnx
