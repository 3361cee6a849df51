// Numbers that the grader chooses by a seed; judges/lab4_data.py computes the same ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace hpml::harness {

std::uint64_t mixed_bits(std::uint64_t x);  // splitmix64's finalizer

// Where points depend on it each rank is told a key of its own: none can compute another's numbers from a seed that all
// know.
std::optional<std::uint64_t> own_key();

// Fills x with element 0, 1, ... of this rank. Kinds: "int" (integers of at most 1000), "mixed" (magnitudes from 2^-34
// to 2^14), "special" (integers, some of them infinite or not a number).
void fill(std::span<float> x, const std::string& kind, std::uint64_t seed, int rank);

// As fill with "int", in a fifth of the time: integers from -1024 to 1023, four of each 64 bits.
void fill_quickly(std::span<float> x, std::uint64_t seed, int rank);

// FNV-1a over the 32-bit words.
std::uint64_t hash_of(std::span<const float> x);

// Sum over all elements of their bits times 2i + 1, modulo 2^64. An element takes a cycle; in hash_of each waits for
// the one before, which takes longer than an all-reduce.
std::uint64_t checksum_of(std::span<const float> x);

// Hash of all elements, or of kSample of them at places that follow from the seed.
inline constexpr std::size_t kSample = 4096;
std::uint64_t sample_hash(std::span<const float> x, std::uint64_t seed);

// For the words of a message, not for points: up to three sampled elements of x that are not the sum of the "int"
// vectors of all ranks, as JSON [[element, bits of what x holds], ...]. With many ranks fewer elements are looked at.
// Where a rank knows its own numbers only, some elements, right or wrong.
std::string wrong_elements(std::span<const float> x, std::uint64_t seed, int ranks);

}  // namespace hpml::harness
