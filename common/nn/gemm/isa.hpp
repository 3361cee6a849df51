#pragma once
// The inner loop of convolutions and matrix products, compiled once per instruction set from one source (tile.hpp).
#include <cstdint>
#include <string_view>
#include <vector>

namespace hpml::nn::gemm {

constexpr int kMaxRows = 12;

// A block of `rows` x `vectors * width` sums that stays in registers:
//   c[r][j] (+)= sum over segments s, k < length of a[r][s.a_offset + k * a_step] * s.b[k * b_step + j]
// A convolution's segments are the taps of its window, or the rows of an image; a matrix product has one.
struct Segment {
  int64_t a_offset = 0;
  const float* b = nullptr;  // vectors * width values can be read at every k
};
struct Tile {
  const float* a[kMaxRows];
  float* c[kMaxRows];
  int64_t a_step = 1, b_step = 0, length = 0;
  const Segment* segments = nullptr;
  int segment_count = 0;
  int columns = 0;          // of c that are written, at most vectors * width
  bool accumulate = false;  // add to c
};
using TileFunction = void (*)(const Tile& tile);

struct TileForm {
  int rows = 0, vectors = 0;
  TileFunction run = nullptr;
};

// The tiles of one instruction set. For every number of vectors that occurs there are forms of several heights, the
// tallest first and the last of height 1, so that any number of rows can be made up from them.
struct Isa {
  std::string_view name;
  int width = 0;        // floats per vector
  int max_vectors = 0;  // of the widest tile
  std::vector<TileForm> forms;

  // Vectors of the tile for `columns` columns: the narrowest that holds them, or the widest there is.
  int vectors_for(int64_t columns) const;
  // The tallest form of that width with at most `rows` rows.
  const TileForm& form(int64_t rows, int vectors) const;
};

// Those that this processor runs, the fastest first. Never empty.
const std::vector<const Isa*>& isas_here();

}  // namespace hpml::nn::gemm
