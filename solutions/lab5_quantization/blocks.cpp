// P4: the block formats q8_0 and q4_0 of GGUF files, byte for byte. Numbers are little-endian.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
namespace {

void check_multiple(std::size_t count, std::size_t of, const char* what) {
  if (count % of != 0) {
    throw std::invalid_argument(std::to_string(count) + " " + what + ": a multiple of " + std::to_string(of) + " is needed");
  }
}

// The first of largest magnitude, with its sign.
float extreme(std::span<const float> block) {
  float found = 0;
  for (const float value : block) {
    found = std::fabs(value) > std::fabs(found) ? value : found;
  }
  return found;
}

void append_half(std::vector<uint8_t>& bytes, float d) {
  const uint16_t h = half_from_float(d);
  bytes.push_back(static_cast<uint8_t>(h & 0xFF));
  bytes.push_back(static_cast<uint8_t>(h >> 8));
}

float leading_half(std::span<const uint8_t> block) {
  return float_from_half(static_cast<uint16_t>(block[0] | block[1] << 8));
}

}  // namespace

uint16_t half_from_float(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), magnitude = bits & 0x7FFFFFFF;
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
  if (magnitude > 0x7F800000) {
    return static_cast<uint16_t>(sign | 0x7E00);  // not a number
  }
  const int exponent = static_cast<int>(magnitude >> 23) - 127;
  if (exponent >= 16) {
    return static_cast<uint16_t>(sign | 0x7C00);
  }
  if (exponent < -25) {
    return sign;
  }
  // The fraction with its leading 1, and how many of its 24 bits a half does not have.
  const uint32_t fraction = (magnitude & 0x7FFFFF) | 0x800000;
  const int drop = exponent < -14 ? 13 - 14 - exponent : 13;
  const uint32_t kept = fraction >> drop, rest = fraction & ((1U << drop) - 1), half = 1U << (drop - 1);
  const uint32_t rounded = kept + (rest > half || (rest == half && kept % 2 == 1) ? 1 : 0);
  // The leading 1 adds one to the exponent; so does a carry, up to infinity.
  const uint32_t biased = exponent < -14 ? 0 : static_cast<uint32_t>(exponent + 14) << 10;
  return static_cast<uint16_t>(sign | (biased + rounded));
}

float float_from_half(uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 0x3FF;
  const float sign = (h & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) {
    return fraction == 0 ? sign * std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25));
}

std::vector<uint8_t> q8_0_quantize(std::span<const float> x) {
  check_multiple(x.size(), kBlockWeights, "weights");
  std::vector<uint8_t> bytes;
  for (std::size_t first = 0; first < x.size(); first += kBlockWeights) {
    const std::span<const float> block = x.subspan(first, kBlockWeights);
    const float d = std::fabs(extreme(block)) / 127, inverse = d > 0 ? 1 / d : 0;
    append_half(bytes, d);
    for (const float value : block) {
      bytes.push_back(static_cast<uint8_t>(static_cast<int8_t>(std::roundf(value * inverse))));
    }
  }
  return bytes;
}

std::vector<float> q8_0_dequantize(std::span<const uint8_t> blocks) {
  check_multiple(blocks.size(), kQ8Bytes, "bytes");
  std::vector<float> x;
  for (std::size_t at = 0; at < blocks.size(); at += kQ8Bytes) {
    const float d = leading_half(blocks.subspan(at));
    for (std::size_t i = 0; i < kBlockWeights; ++i) {
      x.push_back(static_cast<float>(static_cast<int8_t>(blocks[at + 2 + i])) * d);
    }
  }
  return x;
}

std::vector<uint8_t> q4_0_quantize(std::span<const float> x) {
  check_multiple(x.size(), kBlockWeights, "weights");
  std::vector<uint8_t> bytes;
  for (std::size_t first = 0; first < x.size(); first += kBlockWeights) {
    const std::span<const float> block = x.subspan(first, kBlockWeights);
    const float d = extreme(block) / -8, inverse = d != 0 ? 1 / d : 0;
    append_half(bytes, d);
    const auto code = [&](std::size_t i) { return std::min(15, static_cast<int>(block[i] * inverse + 8.5F)); };
    for (std::size_t j = 0; j < kBlockWeights / 2; ++j) {
      bytes.push_back(static_cast<uint8_t>(code(j) | code(j + kBlockWeights / 2) << 4));
    }
  }
  return bytes;
}

std::vector<float> q4_0_dequantize(std::span<const uint8_t> blocks) {
  check_multiple(blocks.size(), kQ4Bytes, "bytes");
  std::vector<float> x(blocks.size() / kQ4Bytes * kBlockWeights);
  for (std::size_t block = 0; block * kQ4Bytes < blocks.size(); ++block) {
    const std::span<const uint8_t> bytes = blocks.subspan(block * kQ4Bytes, kQ4Bytes);
    const float d = leading_half(bytes);
    for (std::size_t j = 0; j < kBlockWeights / 2; ++j) {
      float* to = x.data() + block * kBlockWeights + j;
      to[0] = static_cast<float>((bytes[2 + j] & 15) - 8) * d;
      to[kBlockWeights / 2] = static_cast<float>((bytes[2 + j] >> 4) - 8) * d;
    }
  }
  return x;
}
// END STUDENT

}  // namespace lab5
// HPML-CANARY-5e0c71f3b8a94d26
