// The arithmetic of a convolution.
#include <vector>

#include "simulator/cudnn/problem.hpp"

namespace hpml::sim::cudnn {
namespace {

using libraries::load;
using libraries::store;

// One image's channels of one group, with the zeros of the padding around them.
class Padded {
 public:
  explicit Padded(const Problem& p)
      : height_(p.x.dims[2] + 2 * p.conv.pad_h),
        width_(p.x.dims[3] + 2 * p.conv.pad_w),
        values_(static_cast<size_t>(p.channels() * height_ * width_)) {}

  void fill(const Problem& p, const void* x, int64_t image, int64_t group) {
    const auto& s = p.x.strides;
    for (int64_t c = 0; c < p.channels(); ++c) {
      for (int64_t h = 0; h < p.x.dims[2]; ++h) {
        const int64_t from = image * s[0] + (group * p.channels() + c) * s[1] + h * s[2];
        double* const to = row(c, h + p.conv.pad_h) + p.conv.pad_w;
        for (int64_t i = 0; i < p.x.dims[3]; ++i) {
          to[i] = load(p.x.type, x, from + i * s[3]);
        }
      }
    }
  }
  double* row(int64_t c, int64_t h) { return values_.data() + (c * height_ + h) * width_; }

 private:
  int64_t height_, width_;
  std::vector<double> values_;
};

double weight(const Problem& p, const void* w, int64_t k, int64_t c, int64_t j, int64_t i) {
  const auto& s = p.w.strides;
  const int64_t row = p.conv.cross_correlation ? j : p.rows() - 1 - j;
  const int64_t column = p.conv.cross_correlation ? i : p.columns() - 1 - i;
  return load(p.w.type, w, k * s[0] + c * s[1] + row * s[2] + column * s[3]);
}

// Adds one weight times a row of the input to a row of sums.
void accumulate(std::vector<double>& sums, const double* input, double factor, int64_t stride) {
  double* const out = sums.data();
  const auto count = static_cast<int64_t>(sums.size());
  if (stride == 1) {
    for (int64_t i = 0; i < count; ++i) {
      out[i] += factor * input[i];
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    out[i] += factor * input[i * stride];
  }
}

void write_row(const Problem& p, const std::vector<double>& sums, int64_t at, double alpha, double beta, void* y) {
  for (size_t i = 0; i < sums.size(); ++i, at += p.y.strides[3]) {
    const double before = beta != 0 ? beta * load(p.y.type, y, at) : 0;
    store(p.y.type, y, at, alpha * sums[i] + before);
  }
}

}  // namespace

void convolve(const Problem& p, double alpha, const void* x, const void* w, double beta, void* y) {
  Padded input(p);
  const int64_t weights = p.channels() * p.rows() * p.columns();
  std::vector<double> filter(static_cast<size_t>(weights));
  std::vector<double> sums(static_cast<size_t>(p.y.dims[3]));
  for (int64_t image = 0; image < p.n(); ++image) {
    for (int64_t group = 0; group < p.conv.groups; ++group) {
      input.fill(p, x, image, group);
      for (int64_t k = group * p.outputs(); k < (group + 1) * p.outputs(); ++k) {
        for (int64_t at = 0; at < weights; ++at) {
          const int64_t in_channel = at % (p.rows() * p.columns());
          filter[static_cast<size_t>(at)] =
              weight(p, w, k, at / (p.rows() * p.columns()), in_channel / p.columns(), in_channel % p.columns());
        }
        for (int64_t oy = 0; oy < p.y.dims[2]; ++oy) {
          sums.assign(sums.size(), 0.0);
          for (int64_t at = 0; at < weights; ++at) {
            const int64_t c = at / (p.rows() * p.columns());
            const int64_t j = at / p.columns() % p.rows();
            const double* const row = input.row(c, oy * p.conv.stride_h + j * p.conv.dilation_h);
            accumulate(sums, row + at % p.columns() * p.conv.dilation_w, filter[static_cast<size_t>(at)],
                       p.conv.stride_w);
          }
          const auto& s = p.y.strides;
          write_row(p, sums, image * s[0] + k * s[1] + oy * s[2], alpha, beta, y);
        }
      }
    }
  }
}

}  // namespace hpml::sim::cudnn
