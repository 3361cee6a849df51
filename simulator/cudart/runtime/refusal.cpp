#include "simulator/cudart/runtime/refusal.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "simulator/cudart/runtime/place.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr std::array kDirections = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                    "cudaMemcpyDeviceToDevice"};

// One side of a copy: what it is, and whether all of its bytes are inside.
struct Side {
  bool null = false, device = false, freed = false;
  uint64_t size = 0, inside = 0;  // of an allocation: bytes in all, and from the pointer to the end
};

Side side_of(Runtime& runtime, const void* pointer) {
  Side side{.null = pointer == nullptr};
  Place place;
  if (side.null) {
    return side;
  }
  if (!locate(runtime, pointer, 1, place)) {
    side.freed = true;
    return side;
  }
  if (place.allocation != nullptr) {
    side.device = place.is_device();
    side.size = place.allocation->size;
    side.inside = place.allocation->base + side.size - reinterpret_cast<uint64_t>(pointer);
  }
  return side;
}

std::string wrong_side(const char* which, const Side& side, uint64_t bytes) {
  if (side.null) {
    return fmt::format("the {} is a null pointer: allocate the memory first", which);
  }
  if (side.freed) {
    return fmt::format("the {} was freed before", which);
  }
  if (side.size != 0 && side.inside < bytes) {
    return fmt::format(
        "{} bytes are asked for, but from the {} on there are {} of an allocation of {} bytes: the size is in bytes, "
        "elements * sizeof(element)",
        bytes, which, side.inside, side.size);
  }
  return "";
}

std::string wrong_direction(const Side& dst, const Side& src, int kind) {
  const auto name = [](const Side& side) { return side.device ? "memory of the GPU" : "host memory"; };
  const bool to_device = kind == 1 || kind == 3, from_device = kind == 2 || kind == 3;
  const bool swapped = dst.device == from_device && src.device == to_device;
  return fmt::format(
      "the destination, the first argument, is {} and the source {}, but the direction is {}: {}", name(dst), name(src),
      kDirections[static_cast<size_t>(kind)],
      swapped ? "either the two pointers or the direction is the wrong way round" : "one of the three is wrong");
}

void say_first(Runtime& runtime, const std::string& line) {
  if (runtime.config.under_gpusim_run && !runtime.config.check.any() && !line.empty() &&
      !std::exchange(runtime.log.refusal_said, true)) {
    say(line);
  }
}

uint64_t bytes_from(const CopySide& side, const CopyWork& copy) {
  return side.slice * (copy.depth - 1) + side.pitch * (copy.height - 1) + copy.width;
}

}  // namespace

void say_why_copy_refused(Runtime& runtime, const CopyWork& copy) {
  if (copy.kind < 0 || copy.kind >= static_cast<int>(kDirections.size())) {
    return;
  }
  const Side dst = side_of(runtime, copy.dst.pointer), src = side_of(runtime, copy.src.pointer);
  std::string why = wrong_side("destination", dst, bytes_from(copy.dst, copy));
  if (why.empty()) {
    why = wrong_side("source", src, bytes_from(copy.src, copy));
  }
  say_first(runtime, "a copy was refused: " + (why.empty() ? wrong_direction(dst, src, copy.kind) : why));
}

void say_why_free_refused(Runtime& runtime, const void* pointer, const std::string& call) {
  const Side side = side_of(runtime, pointer);
  const std::string what = side.freed                 ? "memory that was freed before"
                           : side.size == 0           ? "host memory: what malloc or new made, free() or delete frees"
                           : side.inside != side.size ? "a pointer into the middle of an allocation"
                           : side.device == (call == "cudaFreeHost") ? "memory that another function allocated"
                                                                     : "";
  say_first(runtime, what.empty() ? "" : fmt::format("{} was refused: it was given {}", call, what));
}

}  // namespace hpml::sim::cudart
