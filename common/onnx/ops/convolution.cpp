// Conv, GlobalAveragePool.
#include <algorithm>

#include "common/onnx/kernels.hpp"
#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

constexpr int64_t kMostExtent = 1 << 15;  // of strides and padding: products of extents stay far below 2^63

// One image c x h x w, a filter kh x kw.
struct Window {
  int64_t c, h, w, kh, kw;
  int64_t top, left, stride_h, stride_w, out_h, out_w;
};

// Row (channel, i, j) of `columns` holds what place (i, j) of the filter sees for every pixel of the result.
void unfold(const Window& s, const float* image, float* columns) {
  for (int64_t row = 0; row < s.c * s.kh * s.kw; ++row) {
    const int64_t channel = row / (s.kh * s.kw), i = row / s.kw % s.kh, j = row % s.kw;
    const float* plane = image + channel * s.h * s.w;
    for (int64_t y = 0; y < s.out_h; ++y) {
      for (int64_t x = 0; x < s.out_w; ++x) {
        const int64_t at_y = y * s.stride_h - s.top + i, at_x = x * s.stride_w - s.left + j;
        const bool inside = at_y >= 0 && at_y < s.h && at_x >= 0 && at_x < s.w;
        *columns++ = inside ? plane[at_y * s.w + at_x] : 0.0F;
      }
    }
  }
}

// An attribute with one value per extent, or `otherwise` for each; nothing if it does not fit.
std::optional<std::vector<int64_t>> extents(const NodeState& state, const char* name, size_t count, int64_t otherwise) {
  const std::vector<int64_t>* given = state.integers(name);
  if (given == nullptr) {
    return std::vector<int64_t>(count, otherwise);
  }
  const bool fits = given->size() == count && std::ranges::all_of(*given, [&](int64_t value) {
                      return value >= otherwise && value <= kMostExtent;
                    });
  return fits ? std::optional(*given) : std::nullopt;
}

Problem window_of(const NodeState& state, Window& s) {
  const Tensor &x = *state.input(0), &w = *state.input(1);
  const Tensor* bias = state.input(2);
  if (x.dims().size() != 4 || w.dims().size() != 4 || x.type() != Type::float32 || w.type() != Type::float32) {
    return "it convolves a float batch of images with float filters, four extents each";
  }
  const auto strides = extents(state, "strides", 2, 1), pads = extents(state, "pads", 4, 0),
             dilations = extents(state, "dilations", 2, 1);
  if (state.integer("group", 1) != 1 || state.text("auto_pad", "NOTSET") != "NOTSET" || !strides || !pads ||
      dilations != std::vector<int64_t>{1, 1}) {
    return "groups, dilations and auto_pad are not supported; strides are at least 1, pads at least 0";
  }
  s = {x.dims()[1],
       x.dims()[2],
       x.dims()[3],
       w.dims()[2],
       w.dims()[3],
       (*pads)[0],
       (*pads)[1],
       (*strides)[0],
       (*strides)[1],
       0,
       0};
  const int64_t rows = s.h + s.top + (*pads)[2] - s.kh, columns = s.w + s.left + (*pads)[3] - s.kw;
  if (w.dims()[1] != s.c || s.kh < 1 || s.kw < 1 || rows < 0 || columns < 0) {
    return "filters " + to_string(w.dims()) + " do not fit images " + to_string(x.dims());
  }
  if (bias != nullptr && (bias->type() != Type::float32 || bias->count() != w.dims()[0])) {
    return "its bias must have one float per filter";
  }
  s.out_h = rows / s.stride_h + 1;
  s.out_w = columns / s.stride_w + 1;
  return count_of({s.c, s.kh, s.kw, s.out_h, s.out_w}) ? Problem() : "it would need too much memory";
}

}  // namespace

// Conv-11: images n x c x h x w, filters m x c x kh x kw.
Problem run_conv(NodeState& state) {
  Window s{};
  if (Problem problem = window_of(state, s); !problem.empty()) {
    return problem;
  }
  const Tensor &x = *state.input(0), &w = *state.input(1);
  const Tensor* bias = state.input(2);
  const int64_t images = x.dims()[0], filters = w.dims()[0], depth = s.c * s.kh * s.kw, pixels = s.out_h * s.out_w;
  if (Problem problem = reset(state.output(0), Type::float32, {images, filters, s.out_h, s.out_w}); !problem.empty()) {
    return problem;
  }
  float* columns = state.memory(0, static_cast<size_t>(depth * pixels));
  for (int64_t image = 0; image < images; ++image) {
    unfold(s, x.as<float>().data() + image * s.c * s.h * s.w, columns);
    float* out = state.output(0)->as<float>().data() + image * filters * pixels;
    for (int64_t filter = 0; filter < filters; ++filter) {
      std::fill_n(out + filter * pixels, pixels, bias != nullptr ? bias->as<float>()[static_cast<size_t>(filter)] : 0);
    }
    product(filters, pixels, depth, w.as<float>().data(), columns, out);
  }
  state.macs = images * filters * depth * pixels;
  return {};
}

// GlobalAveragePool-1: the mean of every plane.
Problem run_global_average_pool(NodeState& state) {
  const Tensor& x = *state.input(0);
  if (x.dims().size() != 4 || x.type() != Type::float32 || x.dims()[2] * x.dims()[3] == 0) {
    return "it averages planes of a float batch of images, four extents";
  }
  if (Problem problem = reset(state.output(0), Type::float32, {x.dims()[0], x.dims()[1], 1, 1}); !problem.empty()) {
    return problem;
  }
  const int64_t area = x.dims()[2] * x.dims()[3];
  const float* plane = x.as<float>().data();
  for (float& mean : state.output(0)->as<float>()) {
    double sum = 0;
    for (int64_t i = 0; i < area; ++i) {
      sum += *plane++;
    }
    mean = static_cast<float>(sum / static_cast<double>(area));
  }
  return {};
}

}  // namespace hpml::onnx
