#pragma once
// Direction numbers of Sobol's sequences: Bratley and Fox, ACM TOMS Algorithm 659.
#include <cstdint>
#include <vector>

namespace hpml::sim::curand {

constexpr unsigned kMostDimensions = 20000;
// Dimensions whose first direction numbers are those of Joe and Kuo ("Constructing Sobol sequences with better
// two-dimensional projections", 2008), as in NVIDIA's library. The further ones are this library's own.
constexpr unsigned kPublishedDimensions = 10;

// The 64 direction numbers of each of the first dimensions, left-aligned in 64 bits; the upper halves of the first 32
// are those of the sequence of 32 bits.
std::vector<std::vector<uint64_t>> direction_numbers(unsigned dimensions);

}  // namespace hpml::sim::curand
