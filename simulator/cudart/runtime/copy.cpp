// Copies and fills: what is legal, the movement of bytes, the time it takes.
#include <cstring>

#include "simulator/cudart/runtime/check.hpp"
#include "simulator/cudart/runtime/execute.hpp"
#include "simulator/cudart/runtime/execute_parts.hpp"
#include "simulator/cudart/runtime/refusal.hpp"

namespace hpml::sim::cudart {
namespace {

using device::CopyKind;

constexpr int kKindDefault = 4;  // cudaMemcpyDefault; 0..3 are the directions in the order of CopyKind

struct Places {
  Place dst, src;
};

uint64_t extent(uint64_t pitch, uint64_t slice, uint64_t width, uint64_t height, uint64_t depth) {
  return slice * (depth - 1) + pitch * (height - 1) + width;
}

uint64_t extent(const CopySide& side, const CopyWork& copy) {
  return extent(side.pitch, side.slice, copy.width, copy.height, copy.depth);
}

uint64_t extent(const FillWork& fill) {
  return extent(fill.pitch, fill.slice, fill.width * fill.element, fill.height, fill.depth);
}

bool locate(Runtime& runtime, const CopyWork& copy, Places& places) {
  return locate(runtime, copy.dst.pointer, extent(copy.dst, copy), places.dst) &&
         locate(runtime, copy.src.pointer, extent(copy.src, copy), places.src);
}

CopyKind kind_of(const Places& places, int kind) {
  if (kind != kKindDefault) {
    return static_cast<CopyKind>(kind);
  }
  const bool to_device = places.dst.allocation != nullptr && !places.dst.is_pinned();
  const bool from_device = places.src.allocation != nullptr && !places.src.is_pinned();
  if (from_device) {
    return to_device ? CopyKind::device_to_device : CopyKind::device_to_host;
  }
  return to_device ? CopyKind::host_to_device : CopyKind::host_to_host;
}

// Each side must be of the kind the direction says; managed and pinned memory can be either.
bool fits(const Place& place, bool device_side) {
  return device_side ? place.allocation != nullptr : !place.is_device();
}

struct Direction {
  bool to_device, from_device;
  Engine engine;
  const char* name;
};

Direction direction_of(CopyKind kind) {
  switch (kind) {
    case CopyKind::host_to_host: return {false, false, Engine::none, "HtoH"};
    case CopyKind::host_to_device: return {true, false, Engine::copy_to_device, "HtoD"};
    case CopyKind::device_to_host: return {false, true, Engine::copy_to_host, "DtoH"};
    case CopyKind::device_to_device: break;
  }
  return {true, true, Engine::compute, "DtoD"};
}

const Place& host_side(const Places& places, CopyKind kind) {
  return direction_of(kind).to_device ? places.src : places.dst;
}

void move_rows(const Places& places, const CopyWork& copy) {
  for (uint64_t layer = 0; layer < copy.depth; ++layer) {
    for (uint64_t row = 0; row < copy.height; ++row) {
      std::memmove(places.dst.data + layer * copy.dst.slice + row * copy.dst.pitch,
                   places.src.data + layer * copy.src.slice + row * copy.src.pitch, copy.width);
    }
  }
}

device::CopySide to_device(const Place& place, const CopySide& side) {
  return {.address = reinterpret_cast<uint64_t>(side.pointer),
          .pitch = side.pitch,
          .slice = side.slice,
          .data = place.data,
          .simulated = place.allocation != nullptr};
}

device::HostCopy to_device(const Places& places, const CopyWork& copy, CopyKind kind) {
  return {.kind = kind,
          .dst = to_device(places.dst, copy.dst),
          .src = to_device(places.src, copy.src),
          .width = copy.width,
          .height = copy.height,
          .depth = copy.depth};
}

device::HostFill to_device(const Place& dst, const FillWork& fill) {
  return {.dst = {.address = reinterpret_cast<uint64_t>(fill.dst),
                  .pitch = fill.pitch,
                  .slice = fill.slice,
                  .data = dst.data,
                  .simulated = true},
          .value = fill.value,
          .element = fill.element,
          .width = fill.width,
          .height = fill.height,
          .depth = fill.depth};
}

void fill_row(std::byte* row, const FillWork& fill) {
  if (fill.element == 1) {
    std::memset(row, static_cast<int>(fill.value), fill.width);
    return;
  }
  for (uint64_t i = 0; i < fill.width; ++i) {
    std::memcpy(row + i * fill.element, &fill.value, fill.element);  // little endian: the low bytes
  }
}

// Memory of another device crosses the link that this one has with the host.
bool between_devices(const Places& places) {
  return places.dst.is_device() && places.src.is_device() && places.dst.owner != places.src.owner;
}

}  // namespace

namespace {

Error fits_places(Runtime& runtime, const CopyWork& copy) {
  Places places;
  if (!locate(runtime, copy, places)) {
    return Error::invalid_value;
  }
  const Direction direction = direction_of(kind_of(places, copy.kind));
  return fits(places.dst, direction.to_device) && fits(places.src, direction.from_device) ? Error::success
                                                                                          : Error::invalid_value;
}

}  // namespace

Error check(Runtime& runtime, Context&, const CopyWork& copy) {
  if (copy.kind < 0 || copy.kind > kKindDefault) {
    return Error::invalid_memcpy_direction;
  }
  if (copy.bytes() == 0) {
    return Error::success;
  }
  if (copy.dst.pitch < copy.width || copy.src.pitch < copy.width) {
    return Error::invalid_pitch_value;
  }
  const Error error = fits_places(runtime, copy);
  if (error != Error::success) {
    say_why_copy_refused(runtime, copy);
  }
  return error;
}

device::CopyKind kind_of(Runtime& runtime, const CopyWork& copy) {
  Places places;
  return locate(runtime, copy, places) ? kind_of(places, copy.kind) : CopyKind::host_to_host;
}

// The host waits for every copy that involves pageable memory (it passes through a staging buffer) and, when the call
// is the synchronous one, for every copy but device to device.
bool host_waits(Runtime& runtime, const CopyWork& copy, bool synchronous) {
  Places places;
  if (!locate(runtime, copy, places)) {
    return false;
  }
  const CopyKind kind = kind_of(places, copy.kind);
  return kind != CopyKind::device_to_device && (synchronous || !host_side(places, kind).is_pinned());
}

Span execute_copy(Runtime& runtime, Context& context, const CopyWork& copy, Picoseconds earliest, uint64_t stream) {
  Places places;
  if (!locate(runtime, copy, places)) {  // freed since the graph was made
    say("a copy of a graph touches memory that is no longer allocated");
    context.set_fault({Error::illegal_address, earliest});
    return {earliest, earliest};
  }
  const CopyKind kind = kind_of(places, copy.kind);
  const Direction direction = direction_of(kind);
  const device::HostCopy told = to_device(places, copy, kind);
  context.device().before_copy(told);
  move_rows(places, copy);
  context.device().after_copy(told);
  check_host_writes(runtime, Rows::of(copy.dst, copy));
  if (places.dst.owner != nullptr) {
    places.dst.owner->device().memory_written(reinterpret_cast<uint64_t>(copy.dst.pointer), extent(copy.dst, copy));
  }
  const bool pinned = host_side(places, kind).is_pinned();
  const bool peer = between_devices(places);
  const Picoseconds duration =
      context.device().copy_time(peer ? CopyKind::device_to_host : kind, peer || pinned, copy.bytes());
  const Span span = context.timeline().place({peer ? Engine::copy_to_host : direction.engine}, duration, earliest);
  runtime.log.add(CopyRecord{direction.name, copy.bytes(), span, stream, context.ordinal(), pinned});
  return span;
}

Error check(Runtime& runtime, Context&, const FillWork& fill) {
  if (fill.bytes() == 0) {
    return Error::success;
  }
  if ((fill.height > 1 || fill.depth > 1) && fill.pitch < fill.width * fill.element) {
    return Error::invalid_pitch_value;
  }
  Place dst;
  const bool there = locate(runtime, fill.dst, extent(fill), dst) && dst.allocation != nullptr;
  return there ? Error::success : Error::invalid_value;
}

Span execute_fill(Runtime& runtime, Context& context, const FillWork& fill, Picoseconds earliest, uint64_t stream) {
  Place dst;
  if (!locate(runtime, fill.dst, extent(fill), dst)) {
    say("a fill of a graph touches memory that is no longer allocated");
    context.set_fault({Error::illegal_address, earliest});
    return {earliest, earliest};
  }
  const device::HostFill told = to_device(dst, fill);
  context.device().before_fill(told);
  for (uint64_t layer = 0; layer < fill.depth; ++layer) {
    for (uint64_t row = 0; row < fill.height; ++row) {
      fill_row(dst.data + layer * fill.slice + row * fill.pitch, fill);
    }
  }
  context.device().after_fill(told);
  check_host_writes(runtime, Rows::of(fill));
  context.device().memory_written(reinterpret_cast<uint64_t>(fill.dst), extent(fill));
  const Span span = context.timeline().place({Engine::compute}, context.device().memset_time(fill.bytes()), earliest);
  runtime.log.add(CopyRecord{"memset", fill.bytes(), span, stream, context.ordinal(), false});
  return span;
}

}  // namespace hpml::sim::cudart
