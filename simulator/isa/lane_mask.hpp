#pragma once
// Lane masks as arrays of 32 bytes and back. Loops over lanes vectorise on bytes, not on the bits of a word.
#include <cstring>

#include "simulator/isa/types.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#ifndef HPML_SIMD_LEVEL
#define HPML_SIMD_LEVEL baseline
#endif
#define HPML_SIMD_NS inline namespace HPML_SIMD_LEVEL

namespace hpml::sim::isa {
HPML_SIMD_NS {

struct alignas(32) LaneBytes {
  uint8_t at[kWarpSize];
};

// Byte i is nonzero where bit i is set.
inline void expand_mask(LaneMask mask, LaneBytes& bytes) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  _mm256_store_si256(reinterpret_cast<__m256i*>(bytes.at), _mm256_movm_epi8(mask));
#elif defined(__AVX2__)
  const __m256i which = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
  const __m256i bit = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201));
  const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int32_t>(mask)), which);
  _mm256_store_si256(reinterpret_cast<__m256i*>(bytes.at), _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit));
#else
  for (int group = 0; group < 4; ++group) {
    const uint64_t copies = ((mask >> (8 * group)) & 0xffu) * 0x0101010101010101u;
    const uint64_t bits = copies & 0x8040201008040201u;  // byte i keeps bit i
    const uint64_t nonzero = ((bits + 0x7f7f7f7f7f7f7f7fu) >> 7) & 0x0101010101010101u;
    std::memcpy(bytes.at + 8 * group, &nonzero, sizeof nonzero);
  }
#endif
}

// Bit i is set where byte i is 1; the bytes are 0 or 1.
inline LaneMask compress_mask(const LaneBytes& bytes) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.at));
  return _mm256_test_epi8_mask(all, all);
#elif defined(__AVX2__)
  const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes.at));
  return static_cast<LaneMask>(_mm256_movemask_epi8(_mm256_slli_epi16(all, 7)));
#else
  LaneMask mask = 0;
  for (int group = 0; group < 4; ++group) {
    uint64_t eight = 0;
    std::memcpy(&eight, bytes.at + 8 * group, sizeof eight);
    mask |= static_cast<LaneMask>((eight * 0x0102040810204080u) >> 56) << (8 * group);
  }
  return mask;
#endif
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
