#include "data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "fail.h"

namespace hpml::harness {

namespace {

float integer(std::uint64_t bits) { return static_cast<float>(static_cast<std::int64_t>(bits % 2001) - 1000); }

float mixed(std::uint64_t bits) {
  const auto mantissa = static_cast<float>(bits >> 40);
  const int exponent = static_cast<int>((bits >> 8) % 21) - 34;
  return std::ldexp((bits & 1) == 0 ? mantissa : -mantissa, exponent);
}

float special(std::uint64_t bits) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch ((bits >> 32) % 40) {
    case 0: return kInfinity;
    case 1: return -kInfinity;
    case 2: return std::numeric_limits<float>::quiet_NaN();
    default: return integer(bits);
  }
}

}  // namespace

std::uint64_t mixed_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

namespace {

constexpr std::size_t kMostWrong = 3;
constexpr std::size_t kShown = 24;  // elements, where a rank does not know which are wrong
constexpr std::size_t kMostTerms = 1 << 16;  // added up by one rank to explain a wrong sum

std::uint64_t base_of(std::uint64_t seed, int rank) {
  return mixed_bits(seed ^ own_key().value_or(mixed_bits(static_cast<std::uint64_t>(rank))));
}

// Place of the i-th element of a sample of x.
std::size_t sampled(std::size_t i, std::size_t size, std::uint64_t seed) {
  return size <= kSample ? i : mixed_bits(seed + i) % size;
}

// Elements of x as [[element, bits], ...].
std::string as_json(std::span<const float> x, const std::vector<std::size_t>& places) {
  std::string text = "[";
  for (const std::size_t at : places) {
    text += (text.size() == 1 ? "[" : ",[") + std::to_string(at) + "," + std::to_string(std::bit_cast<std::uint32_t>(x[at])) + "]";
  }
  return text + "]";
}

// From the first to the last of a sample, in even steps.
std::vector<std::size_t> some_sampled(std::size_t size, std::uint64_t seed) {
  const std::size_t all = std::min(size, kSample), some = std::min(all, kShown);
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < some; ++i) {
    places.push_back(sampled(some == 1 ? 0 : i * (all - 1) / (some - 1), size, seed));
  }
  return places;
}

}  // namespace

std::optional<std::uint64_t> own_key() {
  const char* const key = std::getenv("HPML_OWN");
  return key == nullptr ? std::nullopt : std::optional<std::uint64_t>(std::strtoull(key, nullptr, 10));
}

void fill(std::span<float> x, const std::string& kind, std::uint64_t seed, int rank) {
  const std::uint64_t base = base_of(seed, rank);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t bits = mixed_bits(base + i);
    if (kind == "int") {
      x[i] = integer(bits);
    } else if (kind == "mixed") {
      x[i] = mixed(bits);
    } else if (kind == "special") {
      x[i] = special(bits);
    } else {
      fail("no kind of data '" + kind + "'; known: int, mixed, special");
    }
  }
}

void fill_quickly(std::span<float> x, std::uint64_t seed, int rank) {
  constexpr std::size_t kOfEach = 4;
  const std::uint64_t base = base_of(seed, rank);
  for (std::size_t i = 0; i < x.size(); i += kOfEach) {
    const std::uint64_t bits = mixed_bits(base + i / kOfEach);
    for (std::size_t j = 0; j < std::min(kOfEach, x.size() - i); ++j) {
      x[i + j] = static_cast<float>(static_cast<int>(bits >> (16 * j) & 2047) - 1024);
    }
  }
}

std::uint64_t hash_of(std::span<const float> x) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const float value : x) {
    hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3;
  }
  return hash;
}

std::uint64_t checksum_of(std::span<const float> x) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += std::bit_cast<std::uint32_t>(x[i]) * (2 * static_cast<std::uint64_t>(i) + 1);
  }
  return sum;
}

std::uint64_t sample_hash(std::span<const float> x, std::uint64_t seed) {
  std::vector<float> sample(std::min(x.size(), kSample));
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = x[sampled(i, x.size(), seed)];
  }
  return hash_of(sample);
}

std::string wrong_elements(std::span<const float> x, std::uint64_t seed, int ranks) {
  if (own_key().has_value()) {
    return as_json(x, some_sampled(x.size(), seed));
  }
  const std::size_t looked_at = std::min({x.size(), kSample, kMostTerms / static_cast<std::size_t>(ranks)});
  std::vector<std::uint64_t> bases;
  for (int rank = 0; rank < ranks; ++rank) {
    bases.push_back(base_of(seed, rank));
  }
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < looked_at; ++i) {
    const std::size_t at = sampled(i, x.size(), seed);
    float sum = 0;
    for (const std::uint64_t base : bases) {
      sum += integer(mixed_bits(base + at));
    }
    if (x[at] != sum) {
      wrong.push_back(at);
    }
  }
  std::sort(wrong.begin(), wrong.end());
  wrong.resize(std::min(wrong.size(), kMostWrong));
  return as_json(x, wrong);
}

}  // namespace hpml::harness
