#include "data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace hpml::lab1 {
namespace {

// Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: the i-th output in one step.
uint64_t splitmix(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

void fill_uniform(uint64_t seed, bool positive, std::span<float> vector) {
  for (size_t i = 0; i < vector.size(); ++i) {
    const auto top = static_cast<double>(splitmix(seed, i) >> 40);
    vector[i] = static_cast<float>(positive ? top * 0x1p-24 : top * 0x1p-23 - 1.0);
  }
}

struct Ramp {
  int64_t p = 0, q = 0, m = 1, o = 0;  // (p i + q) mod m - o
};

void fill_ramp(const Ramp& ramp, std::span<float> vector) {
  for (size_t i = 0; i < vector.size(); ++i) {
    vector[i] = static_cast<float>((ramp.p * static_cast<int64_t>(i) + ramp.q) % ramp.m - ramp.o);
  }
}

bool read_ramp(std::istream& text, Ramp& ramp) {
  char comma = ',';
  text >> ramp.p >> comma >> ramp.q >> comma >> ramp.m >> comma >> ramp.o;
  return !text.fail() && ramp.m > 0;
}

}  // namespace

Result<void> fill(const std::string& word, std::span<float> a, std::span<float> b) {
  const std::string kind = word.substr(0, word.find(':'));
  std::istringstream rest(kind.size() == word.size() ? "" : word.substr(kind.size() + 1));
  if (kind == "ones" || kind == "probe") {
    const float first = kind == "probe" ? 4096.0F : 1.0F;
    for (const std::span<float>& vector : {a, b}) {
      std::ranges::fill(vector, 1.0F);
      vector.front() = first;
    }
    return Ok{};
  }
  uint64_t seed = 0;
  if ((kind == "uniform" || kind == "positive") && rest >> seed) {
    fill_uniform(seed, kind == "positive", a);
    fill_uniform(seed ^ 1, kind == "positive", b);
    return Ok{};
  }
  Ramp first, second;
  char comma = ',';
  if (kind == "ints" && read_ramp(rest, first) && rest >> comma && read_ramp(rest, second)) {
    fill_ramp(first, a);
    fill_ramp(second, b);
    return Ok{};
  }
  return error_in(
      "<data>", fmt::format("'{}' is none of ones, probe, ints:8 numbers, uniform:SEED, positive:SEED", word));
}

}  // namespace hpml::lab1
