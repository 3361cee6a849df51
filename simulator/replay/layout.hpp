#pragma once
// Rows and slices of a copy.
#include <cstddef>
#include <string>

#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

// From the first byte to the last. Precondition: shape_is_sane(), or a shape of this process.
inline uint64_t extent(const Side& side, const Shape& shape) {
  return side.slice * (shape.depth - 1) + side.pitch * (shape.height - 1) + shape.width;
}

inline Shape in_bytes(const Shape& elements, uint64_t element) {
  return {.width = elements.width * element, .height = elements.height, .depth = elements.depth};
}

// No product of it can overflow, and there is at least one byte.
bool is_sane(const Side& side, const Shape& shape);

// The rows, one after the other.
std::string gather(const std::byte* data, const Side& side, const Shape& shape);
void scatter(const std::string& rows, std::byte* data, const Side& side, const Shape& shape);

}  // namespace hpml::sim::replay
