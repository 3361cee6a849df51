// P4: the block formats q8_0 and q4_0 of GGUF files, byte for byte. Numbers are little-endian.
#include "compress.hpp"

namespace lab5 {

// BEGIN STUDENT
// IEEE binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits; subnormals; round half to even; what is too large becomes
// infinity. (Shift the bits yourself: the result must not depend on the compiler.)
uint16_t half_from_float(float x) {
  (void)x;
  return 0;
}
float float_from_half(uint16_t h) {
  (void)h;
  return 0;
}

// Blocks of 32 weights, 34 bytes each: d = largest magnitude / 127 as fp16, then 32 bytes q = x / d, rounded half AWAY from
// zero. x is divided by the float d (multiply by 1 / d in float), before d is rounded to fp16; d = 0 for a block of zeros. A
// number of weights that is not a multiple of 32 is an error.
std::vector<uint8_t> q8_0_quantize(std::span<const float> x) {
  (void)x;
  return {};
}
// q * d with the fp16 d. A number of bytes that is not a multiple of 34 is an error.
std::vector<float> q8_0_dequantize(std::span<const uint8_t> blocks) {
  (void)blocks;
  return {};
}

// 18 bytes: d = m / -8 as fp16, m being the SIGNED value of largest magnitude (the first of equal ones), then 16 bytes:
// byte j holds element j in its low and element j + 16 in its high four bits. q = min(15, trunc(x * (1 / d) + 8.5)), in float,
// with d before it is rounded.
std::vector<uint8_t> q4_0_quantize(std::span<const float> x) {
  (void)x;
  return {};
}
// (q - 8) * d with the fp16 d. A number of bytes that is not a multiple of 18 is an error.
std::vector<float> q4_0_dequantize(std::span<const uint8_t> blocks) {
  (void)blocks;
  return {};
}
// END STUDENT

}  // namespace lab5
