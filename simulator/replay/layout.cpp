#include "simulator/replay/layout.hpp"

#include <cstring>

namespace hpml::sim::replay {

bool is_sane(const Side& side, const Shape& shape) {
  constexpr uint64_t kMost = uint64_t{1} << 40;  // bytes; more than any device has
  const auto fits = [](uint64_t a, uint64_t b) { return b == 0 || a <= kMost / b; };
  const bool small = shape.width <= kMost && shape.height <= kMost && shape.depth <= kMost && side.pitch <= kMost &&
                     side.slice <= kMost;
  const bool apart =
      (shape.height == 1 || side.pitch >= shape.width) && (shape.depth == 1 || side.slice >= shape.width);
  return small && apart && shape.width > 0 && shape.height > 0 && shape.depth > 0 && fits(side.pitch, shape.height) &&
         fits(side.slice, shape.depth) && fits(shape.width, shape.height) &&
         fits(shape.width * shape.height, shape.depth);
}

std::string gather(const std::byte* data, const Side& side, const Shape& shape) {
  std::string rows;
  rows.reserve(shape.width * shape.height * shape.depth);
  for (uint64_t slice = 0; slice < shape.depth; ++slice) {
    for (uint64_t row = 0; row < shape.height; ++row) {
      rows.append(reinterpret_cast<const char*>(data + slice * side.slice + row * side.pitch), shape.width);
    }
  }
  return rows;
}

void scatter(const std::string& rows, std::byte* data, const Side& side, const Shape& shape) {
  const char* from = rows.data();
  for (uint64_t slice = 0; slice < shape.depth; ++slice) {
    for (uint64_t row = 0; row < shape.height; ++row, from += shape.width) {
      std::memcpy(data + slice * side.slice + row * side.pitch, from, shape.width);
    }
  }
}

}  // namespace hpml::sim::replay
