#include "common/nn/baseline/kernels/conv_gather.hpp"

#include <fmt/format.h>

#include <array>

#include "common/base/check.hpp"
#include "common/nn/gemm/panel.hpp"
#include "common/nn/thread_pool.hpp"

namespace hpml::nn::baseline {

namespace {

constexpr int64_t kPanelFloats = 9 * 128 * 64;  // 288 KiB: stays in a core's second cache beside the image

// Of the source that is read between two uses of a weight: images are taken in groups of about this size, so that the
// classes of pixels, which overlap in what they read, find it in the second cache.
constexpr int64_t kGroupFloats = 64 * 1024;

// Counts through images, rows and columns of a pair of classes, columns fastest.
struct PixelWalk {
  const LineClass &rows, &columns;
  int64_t image;
  size_t row = 0, column = 0;

  void step() {
    if (++column == columns.positions.size()) {
      column = 0;
      if (++row == rows.positions.size()) {
        row = 0;
        ++image;
      }
    }
  }
};

}  // namespace

// One task: a block of the target's channels in some images.
struct GatherPass::Call {
  const GatherPass& pass;
  View<const float> source;
  View<float> target;
  const float* weights;
  float* panel;
  int64_t first;  // channel
  Range images;
  int64_t k = 0, depth = 0;  // source channels of the current panel
  std::array<gemm::Segment, kMaxKernel * kMaxKernel> segments;

  int64_t columns() const { return std::min(pass.width_, pass.columns_ - first); }

  void run() {
    for (k = 0; k < pass.depth_; k += depth) {
      depth = std::min(pass.panel_depth_, pass.depth_ - k);
      pack();
      const int64_t group = std::max<int64_t>(1, kGroupFloats / (int64_t{source.shape.h} * source.shape.w * depth));
      for (int64_t image = images.begin; image < images.end; image += group) {
        for (const LineClass& rows : pass.rows_) {
          for (const LineClass& columns : pass.lines_) {
            run_class(rows, columns, {image, std::min(image + group, images.end)});
          }
        }
      }
    }
  }

  void pack() const {
    for (int tap = 0; tap < pass.taps_; ++tap) {
      const float* matrix = weights + tap * pass.ci_ * pass.co_;  // ci x co
      float* to = panel + tap * depth * pass.width_;
      if (pass.transposed_) {
        gemm::pack_panel(matrix + first * pass.co_ + k, 1, pass.co_, depth, columns(), pass.width_, to);
      } else {
        gemm::pack_panel(matrix + k * pass.co_ + first, pass.co_, 1, depth, columns(), pass.width_, to);
      }
    }
  }

  void run_class(const LineClass& rows, const LineClass& lines, Range group) {
    gemm::Tile tile{};
    tile.a_step = 1;
    tile.b_step = pass.width_;
    tile.length = depth;
    tile.segments = segments.data();
    tile.columns = static_cast<int>(columns());
    tile.accumulate = k > 0;
    for (const LineTap& row : rows.taps) {
      for (const LineTap& column : lines.taps) {
        const int64_t tap = row.kernel * pass.kernel_ + column.kernel;
        const int64_t pixel = int64_t{row.delta} * source.shape.w + column.delta;
        segments[static_cast<size_t>(tile.segment_count++)] = {pixel * pass.depth_, panel + tap * depth * pass.width_};
      }
    }
    PixelWalk walk{rows, lines, group.begin};
    const auto pixels =
        group.size() * static_cast<int64_t>(rows.positions.size()) * static_cast<int64_t>(lines.positions.size());
    for (int64_t left = pixels; left > 0;) {
      const gemm::TileForm& form = pass.isa_.form(left, pass.vectors_);
      for (int r = 0; r < form.rows; ++r, --left, walk.step()) {
        point_row(tile, r, walk);
      }
      form.run(tile);
    }
  }

  void point_row(gemm::Tile& tile, int r, const PixelWalk& walk) const {
    const LinePosition row = walk.rows.positions[walk.row], column = walk.columns.positions[walk.column];
    const Shape& s = source.shape;
    const Shape& t = target.shape;
    tile.a[r] = source.data + ((walk.image * s.h + row.source) * s.w + column.source) * s.c + k;
    tile.c[r] = target.data + ((walk.image * t.h + row.target) * t.w + column.target) * t.c + first;
  }
};

GatherPass::GatherPass(const gemm::Isa& isa, const ConvShape& shape, Direction direction)
    : isa_(isa),
      taps_(shape.k * shape.k),
      kernel_(shape.k),
      ci_(shape.ci),
      co_(shape.co),
      transposed_(direction == Direction::backward) {
  HPML_CHECK(shape.k <= kMaxKernel, fmt::format("a {0}x{0} convolution", shape.k));
  const Window rows{shape.h, shape.k, shape.stride, shape.pad}, lines{shape.w, shape.k, shape.stride, shape.pad};
  rows_ = transposed_ ? backward_lines(rows) : forward_lines(rows);
  lines_ = transposed_ ? backward_lines(lines) : forward_lines(lines);
  depth_ = transposed_ ? co_ : ci_;
  columns_ = transposed_ ? ci_ : co_;
  vectors_ = isa.vectors_for(columns_);
  width_ = int64_t{vectors_} * isa.width;
  panel_depth_ = std::max<int64_t>(1, kPanelFloats / (taps_ * width_));
}

void GatherPass::run(View<const float> source, const float* weights, View<float> target, ThreadPool& pool) const {
  const int blocks = static_cast<int>((columns_ + width_ - 1) / width_);
  const int parts = std::max(1, kSlices / blocks);
  pool.run(blocks * parts, [&](int task, float* scratch) {
    Call call{.pass = *this,
              .source = source,
              .target = target,
              .weights = weights,
              .panel = scratch,
              .first = task / parts * width_,
              .images = part(source.shape.n, task % parts, parts),
              .segments = {}};
    if (call.images.size() > 0) {
      call.run();
    }
  });
}

}  // namespace hpml::nn::baseline
