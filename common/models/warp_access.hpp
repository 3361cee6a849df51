#pragma once
// What one warp's access to memory costs: 32-byte sectors of global memory, ways of a shared-memory bank conflict.
#include <cstdint>
#include <vector>

namespace hpml::models {

// Distinct 32-byte sectors that the byte ranges [address, address + element_bytes) touch.
int64_t sectors_touched(const std::vector<int64_t>& addresses, int64_t element_bytes);

// Byte addresses of a warp whose lane i reads element offset + i * stride.
std::vector<int64_t> strided_addresses(int64_t lanes, int64_t element_bytes, int64_t stride, int64_t offset);

// 32 banks of 4 bytes: the largest number of different words of one bank that the lanes ask for.
int64_t bank_conflict_ways(const std::vector<int64_t>& words);

// A 32-bit float grows by `step` at most to the point where the step is half the distance to the next float.
double float_counter(int64_t count, int64_t step);

}  // namespace hpml::models
