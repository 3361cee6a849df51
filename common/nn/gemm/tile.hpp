#pragma once
// The tile in compiler vectors (GCC manual, "Vector Extensions"; clang has the same). Every file that includes this is
// compiled for another instruction set, so everything is in an anonymous namespace: a function compiled for AVX-512
// must never stand in for its namesake elsewhere.
#include <cstdint>
#include <cstring>

#include "common/nn/gemm/isa.hpp"

namespace hpml::nn::gemm {
namespace {

template <int Width, int Rows, int Vectors>
struct TileKernel {
  typedef float Vector __attribute__((vector_size(Width * sizeof(float)), aligned(4), may_alias));

  static void run(const Tile& tile) {
    Vector sums[Rows][Vectors];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        sums[r][v] = Vector{};
      }
    }
    const float* a[Rows];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      const float* row = tile.a[r];
      asm("" : "+r"(row));  // a vector load of pointers that were just stored one by one would wait for the stores
      a[r] = row;
    }
    const int64_t a_step = tile.a_step, b_step = tile.b_step, length = tile.length;
    for (int s = 0; s < tile.segment_count; ++s) {
      int64_t at = tile.segments[s].a_offset;
      const float* b = tile.segments[s].b;
      for (int64_t k = 0; k < length; ++k) {
        Vector row_of_b[Vectors];
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) {
          row_of_b[v] = *reinterpret_cast<const Vector*>(b + v * Width);
        }
#pragma GCC unroll 12
        for (int r = 0; r < Rows; ++r) {
          const float value = a[r][at];
#pragma GCC unroll 4
          for (int v = 0; v < Vectors; ++v) {
            sums[r][v] += value * row_of_b[v];
          }
        }
        at += a_step;
        b += b_step;
      }
    }
    if (tile.columns == Vectors * Width) {
      store_whole(tile, sums);
    } else {
      store_part(tile, sums);
    }
  }

 private:
  static void store_whole(const Tile& tile, const Vector (&sums)[Rows][Vectors]) {
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        Vector* c = reinterpret_cast<Vector*>(tile.c[r] + v * Width);
        *c = tile.accumulate ? *c + sums[r][v] : sums[r][v];
      }
    }
  }

  static void store_part(const Tile& tile, const Vector (&sums)[Rows][Vectors]) {
    float buffer[Vectors * Width];
#pragma GCC unroll 12
    for (int r = 0; r < Rows; ++r) {
      std::memcpy(buffer, sums[r], sizeof(buffer));
      for (int j = 0; j < tile.columns; ++j) {
        tile.c[r][j] = tile.accumulate ? tile.c[r][j] + buffer[j] : buffer[j];
      }
    }
  }
};

template <int Width, int Vectors, int... Rows>
void add_forms(std::vector<TileForm>& forms) {
  (forms.push_back({Rows, Vectors, &TileKernel<Width, Rows, Vectors>::run}), ...);
}

}  // namespace
}  // namespace hpml::nn::gemm
