// E6: products of 8-bit integers, one rung per instruction set. A function for an instruction set needs
// __attribute__((target("avx2"))) or "avx512f,avx512bw,avx512vl,avx512vnni"; the file itself is compiled for any
// processor.
#include "lab5.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// BEGIN STUDENT
// Step 1. The naive level: the sums of the definition, with packed = a copy of w. Then qconv the same way.
// Step 2. Blocked: the order of loops that keeps a row of results in the cache, and the zero points outside of the
// sums:
//   sum (a - za)(b - zb) = sum ab - za (column sums of b) - zb (row sums of a) + K za zb.
// Step 3. AVX2. _mm256_maddubs_epi16 adds two products in 16 bits: 255 * 127 * 2 does not fit.
// Step 4. VNNI (or NEON's sdot, which takes signed by signed: a - 128 = a ^ 0x80, and 128 column sums are added).
// What a level packs is your choice; a level that this processor lacks is never asked for.
int32_t qgemm_best_level(void) { return static_cast<int32_t>(lab5::Level::naive); }

int64_t qgemm_packed_bytes(int32_t, int64_t, int64_t, int64_t) { return 0; }

void qgemm_pack(int32_t, int64_t, int64_t, int64_t, const int8_t*, void*) {}

void qgemm(int32_t, int64_t, int64_t, int64_t, const uint8_t*, int64_t, int32_t, const void*, int32_t, int32_t*) {}

void qconv(int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t, const uint8_t*, int32_t, const void*,
           int32_t*) {}
// END STUDENT
