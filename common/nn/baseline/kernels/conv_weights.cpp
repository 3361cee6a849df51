#include "common/nn/baseline/kernels/conv_weights.hpp"

#include <array>

#include "common/nn/gemm/panel.hpp"
#include "common/nn/layers/window.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn::baseline {

namespace {

constexpr int kPanelPixels = 256;  // of dy that one panel holds, at least one row: 64 KiB with 64 channels

}  // namespace

// One task: a block of output channels in some images.
struct WeightsPass::Call {
  const WeightsPass& pass;
  const ConvShape& shape;
  View<const float> x, dy;
  float* dw;
  float* panel;
  int64_t first;  // output channel
  Range lines;    // rows of dy, counted through all images
  std::array<gemm::Segment, kPanelPixels> segments;

  int64_t columns() const { return std::min<int64_t>(pass.width_, shape.co - first); }

  void run() {
    for (int64_t row = 0; row < int64_t{shape.k} * shape.k * shape.ci; ++row) {
      std::fill_n(dw + row * shape.co + first, columns(), 0.0F);
    }
    const int64_t out_w = dy.shape.w, step = std::max<int64_t>(1, kPanelPixels / out_w);
    for (int64_t line = lines.begin; line < lines.end; line += step) {
      const Range chunk{line, std::min(line + step, lines.end)};
      gemm::pack_panel(dy.data + chunk.begin * out_w * shape.co + first, shape.co, 1, chunk.size() * out_w, columns(),
                       pass.width_, panel);
      for (int kh = 0; kh < shape.k; ++kh) {
        for (int kw = 0; kw < shape.k; ++kw) {
          run_tap(kh, kw, chunk);
        }
      }
    }
  }

  void run_tap(int kh, int kw, Range chunk) {
    const Range pixels = columns_of_tap(kw);
    gemm::Tile tile{};
    tile.a_step = int64_t{shape.stride} * shape.ci;
    tile.b_step = pass.width_;
    tile.length = pixels.size();
    tile.segments = segments.data();
    tile.columns = static_cast<int>(columns());
    tile.accumulate = true;
    for (int64_t line = chunk.begin; line < chunk.end && tile.length > 0; ++line) {
      const int64_t image = line / dy.shape.h, ih = line % dy.shape.h * shape.stride - shape.pad + kh;
      if (ih >= 0 && ih < shape.h) {
        const int64_t iw = pixels.begin * shape.stride - shape.pad + kw;
        segments[static_cast<size_t>(tile.segment_count++)] = {
            ((image * shape.h + ih) * shape.w + iw) * shape.ci,
            panel + ((line - chunk.begin) * dy.shape.w + pixels.begin) * pass.width_};
      }
    }
    if (tile.segment_count == 0) {
      return;
    }
    for (int64_t ci = 0; ci < shape.ci;) {
      const gemm::TileForm& form = pass.isa_.form(shape.ci - ci, pass.vectors_);
      for (int r = 0; r < form.rows; ++r, ++ci) {
        tile.a[r] = x.data + ci;
        tile.c[r] = dw + ((int64_t{kh} * shape.k + kw) * shape.ci + ci) * shape.co + first;
      }
      form.run(tile);
    }
  }

  // Output columns whose tap kw lies inside the image.
  Range columns_of_tap(int kw) const {
    const Window window{shape.w, shape.k, shape.stride, shape.pad};
    Range range{0, dy.shape.w};
    while (range.begin < range.end && kw < window.first_tap(static_cast<int>(range.begin))) {
      ++range.begin;
    }
    while (range.end > range.begin && kw >= window.last_tap(static_cast<int>(range.end) - 1)) {
      --range.end;
    }
    return range;
  }
};

WeightsPass::WeightsPass(const gemm::Isa& isa, const ConvShape& shape)
    : isa_(isa),
      shape_(shape),
      vectors_(isa.vectors_for(shape.co)),
      width_(int64_t{vectors_} * isa.width),
      blocks_(static_cast<int>((shape.co + width_ - 1) / width_)),
      parts_(std::max(1, kSlices / blocks_)),
      partial_(Shape{parts_ - 1, 1, 1, static_cast<int>(shape.weight_shape().size())}) {}

void WeightsPass::run(View<const float> x, View<const float> dy, View<float> dw, ThreadPool& pool) const {
  const int64_t weights = dw.size(), lines = int64_t{dy.shape.n} * dy.shape.h;
  pool.run(blocks_ * parts_, [&](int task, float* scratch) {
    const int piece = task % parts_;
    Call call{.pass = *this,
              .shape = shape_,
              .x = x,
              .dy = dy,
              .dw = piece == 0 ? dw.data : partial_.data() + (piece - 1) * weights,
              .panel = scratch,
              .first = task / parts_ * width_,
              .lines = part(lines, piece, parts_),
              .segments = {}};
    call.run();
  });
  if (parts_ == 1) {
    return;
  }
  pool.run(kSlices, [&](int slice) {
    const Range range = part(weights, slice, kSlices);
    for (int piece = 1; piece < parts_; ++piece) {
      const float* from = partial_.data() + (piece - 1) * weights;
      for (int64_t i = range.begin; i < range.end; ++i) {
        dw.data[i] += from[i];
      }
    }
  });
}

}  // namespace hpml::nn::baseline
