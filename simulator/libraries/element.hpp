#pragma once
// Element types of tensors and matrices, and how they are read and written. All arithmetic of the libraries is made in
// double, in a fixed order, and rounded once: the same bytes on every machine.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace hpml::sim::libraries {

enum class Element : uint8_t { f32, f64, f16, bf16 };

constexpr size_t size_of(Element element) {
  switch (element) {
    case Element::f32: return 4;
    case Element::f64: return 8;
    case Element::f16:
    case Element::bf16: break;
  }
  return 2;
}

// cudaDataType; none: a type that the libraries do not compute with.
std::optional<Element> element_of(int cuda_data_type);

float from_half(uint16_t bits);
uint16_t to_half(float value);  // to the nearest, ties to even
inline float from_bfloat(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}
uint16_t to_bfloat(float value);

inline double load(Element element, const void* base, int64_t index) {
  switch (element) {
    case Element::f32: return static_cast<const float*>(base)[index];
    case Element::f64: return static_cast<const double*>(base)[index];
    case Element::f16: return from_half(static_cast<const uint16_t*>(base)[index]);
    case Element::bf16: break;
  }
  return from_bfloat(static_cast<const uint16_t*>(base)[index]);
}

inline void store(Element element, void* base, int64_t index, double value) {
  switch (element) {
    case Element::f32: static_cast<float*>(base)[index] = static_cast<float>(value); return;
    case Element::f64: static_cast<double*>(base)[index] = value; return;
    case Element::f16: static_cast<uint16_t*>(base)[index] = to_half(static_cast<float>(value)); return;
    case Element::bf16: break;
  }
  static_cast<uint16_t*>(base)[index] = to_bfloat(static_cast<float>(value));
}

}  // namespace hpml::sim::libraries
