// Operators of networks that look at images, N x C x H x W: Conv, MaxPool, GlobalAveragePool, BatchNormalization.
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/onnx/kernels.hpp"
#include "common/onnx/ops/operator.hpp"

namespace hpml::onnx {

namespace {

constexpr int64_t kMostStep = int64_t{1} << 28;  // of strides, dilations and pads: sums of their products fit int64
constexpr int64_t kPatchElements = int64_t{1} << 18;  // of the windows that are copied side by side for one product

// One direction of a sliding window: tap t of window i reads place i * stride + t * dilation - before.
struct Slide {
  int64_t in = 0, out = 0, kernel = 1, stride = 1, dilation = 1, before = 0;
  int64_t place(int64_t window, int64_t tap) const { return window * stride + tap * dilation - before; }
  bool inside(int64_t at) const { return at >= 0 && at < in; }
};

// An attribute with one number per direction (pads: two), or `otherwise` for each.
std::optional<std::vector<int64_t>> steps_of(const NodeState& state, std::string_view name, size_t count,
                                             int64_t otherwise) {
  const auto* given = state.integers(name);
  if (given == nullptr) {
    return std::vector<int64_t>(count, otherwise);
  }
  const auto fits = [&](int64_t step) { return step >= otherwise && step <= kMostStep; };  // pads from 0, others from 1
  return given->size() == count && std::all_of(given->begin(), given->end(), fits) ? std::optional(*given)
                                                                                   : std::nullopt;
}

// Of an input [N][C][H][W] and a kernel of this height and width.
Problem slide_over(const NodeState& state, const Tensor& x, const std::vector<int64_t>& kernel, Slide (&slides)[2]) {
  if (x.type() != Type::float32 || x.dims().size() != 4) {
    return "it takes float images N x C x H x W, not " + to_string(x.dims()) + " of " + name_of(x.type());
  }
  if (const std::string mode = state.text("auto_pad", "NOTSET"); mode != "NOTSET" && mode != "VALID") {
    return "auto_pad " + mode + " is not supported";
  }
  const auto strides = steps_of(state, "strides", 2, 1), dilations = steps_of(state, "dilations", 2, 1);
  const auto pads = steps_of(state, "pads", 4, 0);
  if (!strides || !dilations || !pads) {
    return "strides, dilations and pads are two, two and four numbers, at most 2^28";
  }
  for (size_t d = 0; d < 2; ++d) {
    Slide& slide = slides[d];
    slide = {x.dims()[d + 2], 0, kernel[d], (*strides)[d], (*dilations)[d], (*pads)[d]};
    const int64_t reach = slide.in + slide.before + (*pads)[d + 2] - ((slide.kernel - 1) * slide.dilation + 1);
    if (slide.kernel < 1 || slide.kernel > kMostStep || reach < 0) {
      return "a kernel of " + to_string(kernel) + " does not fit into " + to_string(x.dims());
    }
    slide.out = reach / slide.stride + 1;
  }
  return {};
}

// patches[(c, kh, kw)][i] for the windows first + i, i < count: what tap (kh, kw) reads of channel c.
void copy_patches(const float* image, int64_t channels, const Slide& down, const Slide& along, int64_t first,
                  int64_t count, float* patches) {
  for (int64_t c = 0; c < channels; ++c, image += down.in * along.in) {
    for (int64_t kh = 0; kh < down.kernel; ++kh) {
      for (int64_t kw = 0; kw < along.kernel; ++kw) {
        for (int64_t i = 0; i < count; ++i) {
          const int64_t h = down.place((first + i) / along.out, kh), w = along.place((first + i) % along.out, kw);
          *patches++ = down.inside(h) && along.inside(w) ? image[h * along.in + w] : 0.0F;
        }
      }
    }
  }
}

struct Groups {
  int64_t count = 1, in = 0, out = 0;  // groups, channels of one of them
};

// out[channel][window] of one image and group: products of the weights with as many patches at a time as fit the
// memory.
void convolve(NodeState& state, const float* image, const float* weights, const Groups& groups,
              const Slide (&slides)[2], float* out) {
  const int64_t depth = groups.in * slides[0].kernel * slides[1].kernel, windows = slides[0].out * slides[1].out;
  const int64_t strip = std::clamp<int64_t>(kPatchElements / std::max(depth, groups.out), 1, windows);
  for (int64_t first = 0; first < windows; first += strip) {
    const int64_t count = std::min(strip, windows - first);
    float* patches = state.memory(0, static_cast<size_t>(depth * strip));
    copy_patches(image, groups.in, slides[0], slides[1], first, count, patches);
    float* sums = state.memory(1, static_cast<size_t>(groups.out * strip));
    std::fill_n(sums, groups.out * count, 0.0F);
    product(groups.out, count, depth, weights, patches, sums);
    for (int64_t c = 0; c < groups.out; ++c) {
      std::copy_n(sums + c * count, count, out + c * windows + first);
    }
  }
}

// One value per channel.
bool per_channel(const Tensor* tensor, int64_t channels) {
  return tensor != nullptr && tensor->type() == Type::float32 && tensor->dims() == Dims{channels};
}

}  // namespace

// Conv-11, two directions.
Problem run_conv(NodeState& state) {
  const Tensor &x = *state.input(0), &w = *state.input(1);
  if (w.type() != Type::float32 || w.dims().size() != 4) {
    return "its weights are " + to_string(w.dims()) + ", not float M x C x kH x kW";
  }
  const std::vector<int64_t> kernel(w.dims().begin() + 2, w.dims().end());
  if (const auto* given = state.integers("kernel_shape"); given != nullptr && *given != kernel) {
    return "kernel_shape " + to_string(*given) + " is not that of its weights, " + to_string(w.dims());
  }
  Slide slides[2];
  if (Problem problem = slide_over(state, x, kernel, slides); !problem.empty()) {
    return problem;
  }
  const int64_t images = x.dims()[0], channels = x.dims()[1], filters = w.dims()[0], group = state.integer("group", 1);
  if (group < 1 || group > filters || filters % group != 0 || w.dims()[1] > channels ||
      channels != w.dims()[1] * group) {
    return "weights " + to_string(w.dims()) + " in " + std::to_string(group) + " groups do not fit " +
           to_string(x.dims());
  }
  const Tensor* bias = state.input(2);
  if (bias != nullptr && !per_channel(bias, filters)) {
    return "its bias must have one value per filter";
  }
  Tensor& y = *state.output(0);
  if (Problem problem = reset(&y, Type::float32, {images, filters, slides[0].out, slides[1].out}); !problem.empty()) {
    return problem;
  }
  const Groups groups{group, channels / group, filters / group};
  const int64_t windows = slides[0].out * slides[1].out, size = x.dims()[2] * x.dims()[3];
  const int64_t depth = groups.in * kernel[0] * kernel[1];
  for (int64_t one = 0; one < images * group; ++one) {  // the groups of an image lie behind each other
    convolve(state, x.as<float>().data() + one * groups.in * size,
             w.as<float>().data() + one % group * groups.out * depth, groups, slides,
             y.as<float>().data() + one * groups.out * windows);
  }
  for (int64_t row = 0; bias != nullptr && row < images * filters; ++row) {
    for (float& value : y.as<float>().subspan(static_cast<size_t>(row * windows), static_cast<size_t>(windows))) {
      value += bias->as<float>()[static_cast<size_t>(row % filters)];
    }
  }
  state.macs = images * filters * windows * depth;
  return {};
}

// MaxPool-12, two directions: padding never is the largest. Indices are not computed.
Problem run_max_pool(NodeState& state) {
  const Tensor& x = *state.input(0);
  const auto* kernel = state.integers("kernel_shape");
  if (kernel == nullptr || kernel->size() != 2 || state.integer("ceil_mode", 0) != 0 || state.output(1) != nullptr) {
    return "it takes a kernel_shape of two numbers; ceil_mode and the output of indices are not supported";
  }
  Slide slides[2];
  if (Problem problem = slide_over(state, x, *kernel, slides); !problem.empty()) {
    return problem;
  }
  const auto& [down, along] = slides;
  Tensor& y = *state.output(0);
  if (Problem problem = reset(&y, Type::float32, {x.dims()[0], x.dims()[1], down.out, along.out}); !problem.empty()) {
    return problem;
  }
  const float* image = x.as<float>().data();
  float* out = y.as<float>().data();
  for (int64_t one = 0; one < x.dims()[0] * x.dims()[1]; ++one, image += down.in * along.in) {
    for (int64_t window = 0; window < down.out * along.out; ++window) {
      float largest = -std::numeric_limits<float>::infinity();
      for (int64_t tap = 0; tap < down.kernel * along.kernel; ++tap) {
        const int64_t h = down.place(window / along.out, tap / along.kernel);
        const int64_t w = along.place(window % along.out, tap % along.kernel);
        if (down.inside(h) && along.inside(w)) {
          largest = std::max(largest, image[h * along.in + w]);
        }
      }
      *out++ = largest;
    }
  }
  return {};
}

// GlobalAveragePool-1: the mean of each channel; every extent behind the second becomes 1.
Problem run_global_average_pool(NodeState& state) {
  const Tensor& x = *state.input(0);
  if (x.type() != Type::float32 || x.dims().size() < 3 || x.count() == 0) {
    return "it takes float images N x C x ..., not " + to_string(x.dims()) + " of " + name_of(x.type());
  }
  Dims dims(x.dims().size(), 1);
  std::copy_n(x.dims().begin(), 2, dims.begin());
  if (Problem problem = reset(state.output(0), Type::float32, dims); !problem.empty()) {
    return problem;
  }
  const auto means = state.output(0)->as<float>();
  const size_t size = static_cast<size_t>(x.count()) / means.size();
  for (size_t row = 0; row < means.size(); ++row) {
    double sum = 0;
    for (const float value : x.as<float>().subspan(row * size, size)) {
      sum += static_cast<double>(value);
    }
    means[row] = static_cast<float>(sum / static_cast<double>(size));
  }
  return {};
}

// BatchNormalization-9 to -15 as trained networks use it: scale (x - mean) / sqrt(var + epsilon) + bias, by channel.
Problem run_batch_normalization(NodeState& state) {
  const Tensor& x = *state.input(0);
  if (x.type() != Type::float32 || x.dims().size() < 2 || state.integer("training_mode", 0) != 0) {
    return "it takes float images N x C x ...; training_mode is not supported";
  }
  const int64_t channels = x.dims()[1];
  for (size_t i = 1; i < 5; ++i) {
    if (!per_channel(state.input(i), channels)) {
      return "scale, bias, mean and variance must have one value per channel, " + std::to_string(channels);
    }
  }
  if (Problem problem = reset(state.output(0), Type::float32, x.dims()); !problem.empty()) {
    return problem;
  }
  const auto at = [&](size_t input, int64_t c) {
    return double{state.input(input)->as<float>()[static_cast<size_t>(c)]};
  };
  const double epsilon = state.real("epsilon", 1e-5F);
  const int64_t rows = x.count() == 0 ? 0 : x.dims()[0] * channels;
  const int64_t size = rows == 0 ? 0 : x.count() / rows;
  const float* in = x.as<float>().data();
  float* out = state.output(0)->as<float>().data();
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t c = row % channels;
    const double slope = at(1, c) / std::sqrt(at(4, c) + epsilon);
    const auto scale = static_cast<float>(slope), shift = static_cast<float>(at(2, c) - slope * at(3, c));
    for (int64_t i = 0; i < size; ++i) {
      *out++ = scale * *in++ + shift;
    }
  }
  return {};
}

}  // namespace hpml::onnx
