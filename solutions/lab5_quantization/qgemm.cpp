// E6: products of 8-bit integers, one rung per instruction set. HPML-CANARY-5e0c71f3b8a94d26
//
// All rungs but the naive one compute sum(a*b) and put the zero points in afterwards:
//   sum (a - za)(b - zb) = sum ab - za * (column sums of b) - zb * (row sums of a) + K * za * zb.
// The vector rungs are one loop: a tile of rows x columns stays in registers while k runs. What the rows are is said by
// pointers, one per row and tap: rows of a matrix (one tap), or pixels of an image under each place of the filter.
#include <algorithm>
#include <cstring>
#include <memory>

#include "lab5.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace {

using lab5::Level;

constexpr int64_t kMaxRows = 8;

// A product of `taps` matrices: rows given by pointers, b by its packed form.
struct Product {
  int64_t taps, k, n;
  const int32_t* column_sums;
  const std::byte* panels;  // behind the sums
};

int64_t round_up(int64_t x, int64_t multiple) { return (x + multiple - 1) / multiple * multiple; }

// What a level packs: panels of `columns`, in groups of `group` values of k, each value in `bytes`.
struct Format {
  int64_t columns, group, bytes;
};
constexpr Format kFormats[] = {{0, 1, 1}, {0, 1, 1}, {16, 2, 2}, {64, 4, 1}, {16, 4, 1}};
const Format& format_of(int32_t level) { return kFormats[level]; }
bool in_panels(int32_t level) { return format_of(level).columns > 0; }

int64_t sums_bytes(int64_t n) { return round_up(n * 4, 64); }
int64_t panel_bytes(const Format& f, int64_t taps, int64_t k) {
  return taps * round_up(k, f.group) * f.columns * f.bytes;
}

Product product_of(const void* packed, int64_t taps, int64_t k, int64_t n) {
  const auto* begin = static_cast<const std::byte*>(packed);
  return {taps, k, n, reinterpret_cast<const int32_t*>(begin), begin + sums_bytes(n)};
}

// The kernels: `rows` pointers per tap, row r of tap t at pointers[t * rows + r]; y: rows x columns, 64 columns apart.
constexpr int64_t kColumns = 64;

#if defined(__x86_64__)

#pragma GCC push_options
#pragma GCC target("avx2")
template <int kRows>
void tile_avx2(const Product& p, const int16_t* const* pointers, const std::byte* panel, int32_t* y) {
  __m256i acc[kRows][2] = {};
  const auto* b = reinterpret_cast<const __m256i*>(panel);
  const int64_t pairs = (p.k + 1) / 2;
  for (int64_t tap = 0; tap < p.taps; ++tap) {
    const int16_t* row[kRows];
    std::copy_n(pointers + tap * kRows, kRows, row);
    for (int64_t i = 0; i < pairs; ++i, b += 2) {
      const __m256i b0 = _mm256_load_si256(b), b1 = _mm256_load_si256(b + 1);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        int32_t two = 0;
        std::memcpy(&two, row[r] + 2 * i, 4);
        const __m256i a = _mm256_set1_epi32(two);
        acc[r][0] = _mm256_add_epi32(acc[r][0], _mm256_madd_epi16(a, b0));
        acc[r][1] = _mm256_add_epi32(acc[r][1], _mm256_madd_epi16(a, b1));
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + r * kColumns), acc[r][0]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + r * kColumns) + 1, acc[r][1]);
  }
}
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni")
// As an instruction, because g++ 12 copies the accumulator of the intrinsic around.
template <class Vector>
__attribute__((always_inline)) inline void dot4(Vector& acc, const Vector& a, const Vector& b) {
  asm("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(a), "v"(b));
}

template <int kRows, int kVectors>
void tile_vnni(const Product& p, const uint8_t* const* pointers, const std::byte* panel, int32_t* y) {
  __m512i acc[kRows][kVectors] = {};
  const std::byte* b = panel;
  const int64_t whole = p.k / 4, rest = p.k % 4;
  const auto step = [&](const int32_t(&four)[kRows]) __attribute__((always_inline)) {
    __m512i columns[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      columns[v] = _mm512_load_si512(b + v * 64);
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) {
      const __m512i a = _mm512_set1_epi32(four[r]);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        dot4(acc[r][v], a, columns[v]);
      }
    }
    b += 256;
  };
  for (int64_t tap = 0; tap < p.taps; ++tap) {
    const uint8_t* row[kRows];
    std::copy_n(pointers + tap * kRows, kRows, row);
    for (int64_t i = 0; i < whole; ++i) {
      int32_t four[kRows];
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        std::memcpy(&four[r], row[r] + 4 * i, 4);
      }
      step(four);
    }
    if (rest > 0) {
      int32_t four[kRows] = {};
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) {
        std::memcpy(&four[r], row[r] + 4 * whole, static_cast<size_t>(rest));
      }
      step(four);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      _mm512_storeu_si512(y + r * kColumns + v * 16, acc[r][v]);
    }
  }
}
#pragma GCC pop_options

#elif defined(__aarch64__)

// sdot multiplies signed by signed: a - 128 (the top bit flipped) takes the place of a; 128 times the column sums is
// added with the zero points.
template <int kRows>
__attribute__((target("arch=armv8.2-a+dotprod"))) void tile_neon(const Product& p, const uint8_t* const* pointers,
                                                                 const std::byte* panel, int32_t* y) {
  int32x4_t acc[kRows][4] = {};
  const auto* b = reinterpret_cast<const int8_t*>(panel);
  for (int64_t tap = 0; tap < p.taps; ++tap) {
    for (int64_t k = 0; k < p.k; k += 4, b += 64) {
      for (int r = 0; r < kRows; ++r) {
        uint32_t four = 0x80808080U;
        std::memcpy(&four, pointers[tap * kRows + r] + k, static_cast<size_t>(std::min<int64_t>(4, p.k - k)));
        const int8x16_t a = vreinterpretq_s8_u32(vdupq_n_u32(four ^ 0x80808080U));
        for (int v = 0; v < 4; ++v) {
          acc[r][v] = vdotq_s32(acc[r][v], vld1q_s8(b + 16 * v), a);
        }
      }
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < 4; ++v) {
      vst1q_s32(y + r * kColumns + 4 * v, acc[r][v]);
    }
  }
}

#endif

// Rows of one product: pointers for `height` rows, `taps` each; and where the results go.
template <class Value>
struct Rows {
  int64_t count;
  const Value* const* pointers;  // tile after tile; of a tile: taps x kMaxRows, or fewer in the last one
  const int32_t* row_sums;       // null: zb = 0
};

struct Zeros {
  int32_t za = 0, zb = 0, bias = 0;  // bias: what the kernel subtracted from every a (128 in sdot)
};

// The zero points, and from the tile to the result.
void finish(const Product& p, const Zeros& z, const int32_t* row_sums, int64_t rows, int64_t column, int64_t columns,
            const int32_t* tile, int32_t* y) {
  for (int64_t r = 0; r < rows; ++r) {
    const int32_t of_row = row_sums == nullptr ? 0 : z.zb * (static_cast<int32_t>(p.taps * p.k) * z.za - row_sums[r]);
    for (int64_t c = 0; c < columns; ++c) {
      y[r * p.n + column + c] = tile[r * kColumns + c] + of_row + (z.bias - z.za) * p.column_sums[column + c];
    }
  }
}

template <class Value>
using Tile = void (*)(const Product&, const Value* const*, const std::byte*, int32_t*);

// Panels outside, tiles of rows inside: a panel stays in the cache. tile_of(columns, rows): the kernel.
template <class Value, class TileOf>
void multiply(const Product& p, const Format& f, const Zeros& z, int64_t tile_rows, const Rows<Value>& rows,
              TileOf tile_of, int32_t* y) {
  alignas(64) int32_t results[kMaxRows * kColumns];
  const int64_t bytes = panel_bytes(f, p.taps, p.k);
  for (int64_t column = 0, panel = 0; column < p.n; column += f.columns, ++panel) {
    const int64_t columns = std::min(f.columns, p.n - column);
    for (int64_t row = 0; row < rows.count; row += tile_rows) {
      const int64_t height = std::min(tile_rows, rows.count - row);
      const Tile<Value> tile = tile_of(columns, height);
      tile(p, rows.pointers + row * p.taps, p.panels + panel * bytes, results);
      finish(p, z, rows.row_sums == nullptr ? nullptr : rows.row_sums + row, height, column, columns, results,
             y + row * p.n);
    }
  }
}

#if defined(__x86_64__)
Tile<int16_t> avx2_tile(int64_t, int64_t rows) {
  constexpr Tile<int16_t> kTiles[] = {tile_avx2<1>, tile_avx2<2>, tile_avx2<3>, tile_avx2<4>, tile_avx2<5>, tile_avx2<6>};
  return kTiles[rows - 1];
}
template <int kVectors>
Tile<uint8_t> vnni_tile_of(int64_t rows) {
  constexpr Tile<uint8_t> kTiles[] = {tile_vnni<1, kVectors>, tile_vnni<2, kVectors>, tile_vnni<3, kVectors>,
                                      tile_vnni<4, kVectors>, tile_vnni<5, kVectors>, tile_vnni<6, kVectors>};
  return kTiles[rows - 1];
}
Tile<uint8_t> vnni_tile(int64_t columns, int64_t rows) {
  switch ((columns + 15) / 16) {
    case 1: return vnni_tile_of<1>(rows);
    case 2: return vnni_tile_of<2>(rows);
    case 3: return vnni_tile_of<3>(rows);
    default: return vnni_tile_of<4>(rows);
  }
}
#elif defined(__aarch64__)
Tile<uint8_t> neon_tile(int64_t, int64_t rows) {
  constexpr Tile<uint8_t> kTiles[] = {tile_neon<1>, tile_neon<2>, tile_neon<3>, tile_neon<4>};
  return kTiles[rows - 1];
}
#endif

// Bytes as 16-bit integers, `row` of them at a time, each row padded to whole pairs: what madd_epi16 reads.
std::vector<int16_t> widened(const uint8_t* a, int64_t rows, int64_t row, int64_t lda) {
  const int64_t width = round_up(row, 2);
  std::vector<int16_t> wide(static_cast<size_t>(rows * width));
  for (int64_t r = 0; r < rows; ++r) {
    std::copy_n(a + r * lda, row, wide.begin() + r * width);
  }
  return wide;
}

// Pointers tile by tile: place(row, tap) is where a row begins.
template <class Value, class Place>
std::vector<const Value*> pointers_of(int64_t rows, int64_t taps, int64_t tile_rows, const Place& place) {
  std::vector<const Value*> pointers;
  pointers.reserve(static_cast<size_t>(rows * taps));
  for (int64_t row = 0; row < rows; row += tile_rows) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      for (int64_t r = row; r < std::min(rows, row + tile_rows); ++r) {
        pointers.push_back(place(r, tap));
      }
    }
  }
  return pointers;
}

// Runs a level of panels. place(row, tap): index of the row of `a` (width k, distance lda) that it reads, or -1: a row
// of zero points.
template <class Place>
void multiply_panels(int32_t level, const Product& p, const Zeros& z, const uint8_t* a, int64_t a_rows, int64_t lda,
                     int64_t rows, const int32_t* row_sums, const Place& place, int32_t* y) {
  const Format& f = format_of(level);
#if defined(__x86_64__)
  if (level == static_cast<int32_t>(Level::avx2)) {
    const int64_t width = round_up(p.k, 2);
    const std::vector<int16_t> wide = widened(a, a_rows, p.k, lda), padding(static_cast<size_t>(width), static_cast<int16_t>(z.za));
    const auto pointers = pointers_of<int16_t>(rows, p.taps, 6, [&](int64_t row, int64_t tap) {
      const int64_t at = place(row, tap);
      return at < 0 ? padding.data() : wide.data() + at * width;
    });
    multiply<int16_t>(p, f, z, 6, {rows, pointers.data(), row_sums}, avx2_tile, y);
    return;
  }
  constexpr int64_t kTileRows = 6;
  const auto tile = vnni_tile;
#elif defined(__aarch64__)
  constexpr int64_t kTileRows = 4;
  const auto tile = neon_tile;
#endif
#if defined(__x86_64__) || defined(__aarch64__)
  const std::vector<uint8_t> padding(static_cast<size_t>(p.k), static_cast<uint8_t>(z.za));
  const auto pointers = pointers_of<uint8_t>(rows, p.taps, kTileRows, [&](int64_t row, int64_t tap) {
    const int64_t at = place(row, tap);
    return at < 0 ? padding.data() : a + at * lda;
  });
  multiply<uint8_t>(p, f, z, kTileRows, {rows, pointers.data(), row_sums}, tile, y);
#endif
}

// The two portable rungs, on b as it was given. Blocked: a row of results stays in the cache, k outside the columns.
template <class Place>
void multiply_plain(int32_t level, const Product& p, int32_t za, int32_t zb, const uint8_t* a, int64_t lda,
                    int64_t rows, const Place& place, int32_t* y) {
  const auto* b = reinterpret_cast<const int8_t*>(p.panels);
  const bool naive = level == static_cast<int32_t>(Level::naive);
  for (int64_t row = 0; row < rows; ++row) {
    int32_t* out = y + row * p.n;
    std::fill_n(out, p.n, 0);
    for (int64_t tap = 0; tap < p.taps; ++tap) {
      const int64_t at = place(row, tap);
      for (int64_t k = 0; k < p.k && at >= 0 && !naive; ++k) {
        const int32_t value = a[at * lda + k] - za;
        const int8_t* b_row = b + (tap * p.k + k) * p.n;
        for (int64_t c = 0; c < p.n; ++c) {
          out[c] += value * (b_row[c] - zb);
        }
      }
      for (int64_t c = 0; c < p.n && at >= 0 && naive; ++c) {
        for (int64_t k = 0; k < p.k; ++k) {
          out[c] += (a[at * lda + k] - za) * (b[(tap * p.k + k) * p.n + c] - zb);
        }
      }
    }
  }
}

}  // namespace

int32_t qgemm_best_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
    return static_cast<int32_t>(Level::vnni);
  }
  return static_cast<int32_t>(__builtin_cpu_supports("avx2") ? Level::avx2 : Level::blocked);
#elif defined(__aarch64__)
  return static_cast<int32_t>((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0 ? Level::neon : Level::blocked);
#else
  return static_cast<int32_t>(Level::blocked);
#endif
}

int64_t qgemm_packed_bytes(int32_t level, int64_t taps, int64_t k, int64_t n) {
  const Format& f = format_of(level);
  const int64_t panels = in_panels(level) ? (n + f.columns - 1) / f.columns * panel_bytes(f, taps, k) : taps * k * n;
  return sums_bytes(n) + panels;
}

void qgemm_pack(int32_t level, int64_t taps, int64_t k, int64_t n, const int8_t* w, void* packed) {
  const Format& f = format_of(level);
  std::memset(packed, 0, static_cast<size_t>(qgemm_packed_bytes(level, taps, k, n)));
  auto* sums = static_cast<int32_t*>(packed);
  std::byte* panels = static_cast<std::byte*>(packed) + sums_bytes(n);
  const int64_t groups = round_up(k, f.group) / f.group;
  for (int64_t i = 0; i < taps * k * n; ++i) {
    const int64_t tap = i / (k * n), row = i / n % k, column = i % n;
    sums[column] += w[i];
    if (!in_panels(level)) {
      panels[i] = static_cast<std::byte>(w[i]);
      continue;
    }
    const int64_t panel = column / f.columns, group = tap * groups + row / f.group;
    const int64_t place = (group * f.columns + column % f.columns) * f.group + row % f.group;
    const int16_t wide = w[i];
    std::memcpy(panels + panel * panel_bytes(f, taps, k) + place * f.bytes, &wide, static_cast<size_t>(f.bytes));
  }
}

void qgemm(int32_t level, int64_t m, int64_t n, int64_t k, const uint8_t* a, int64_t lda, int32_t za,
           const void* packed, int32_t zb, int32_t* c) {
  const Product p = product_of(packed, 1, k, n);
  const auto place = [](int64_t row, int64_t) { return row; };
  if (!in_panels(level)) {
    multiply_plain(level, p, za, zb, a, lda, m, place, c);
    return;
  }
  std::vector<int32_t> row_sums;
  for (int64_t row = 0; row < m && zb != 0; ++row) {
    int32_t sum = 0;
    for (int64_t i = 0; i < k; ++i) {
      sum += a[row * lda + i];
    }
    row_sums.push_back(sum);
  }
  const Zeros z{za, zb, level == static_cast<int32_t>(Level::neon) ? 128 : 0};
  multiply_panels(level, p, z, a, m, lda, m, zb != 0 ? row_sums.data() : nullptr, place, c);
}

void qconv(int32_t level, int32_t h, int32_t w, int32_t ci, int32_t co, int32_t k, int32_t stride, int32_t pad,
           const uint8_t* x, int32_t zx, const void* packed, int32_t* y) {
  const lab5::ConvShape s{h, w, ci, co, k, stride, pad};
  const int64_t ow = lab5::out_size(w, s), rows = lab5::out_size(h, s) * ow;
  const Product p = product_of(packed, int64_t{k} * k, ci, co);
  const auto place = [&](int64_t pixel, int64_t tap) -> int64_t {
    const int64_t row = pixel / ow * stride - pad + tap / k, column = pixel % ow * stride - pad + tap % k;
    return row < 0 || row >= h || column < 0 || column >= w ? -1 : row * w + column;
  };
  if (!in_panels(level)) {
    multiply_plain(level, p, zx, 0, x, ci, rows, place, y);
    return;
  }
  const Zeros z{zx, 0, level == static_cast<int32_t>(Level::neon) ? 128 : 0};
  multiply_panels(level, p, z, x, int64_t{h} * w, ci, rows, nullptr, place, y);
}
