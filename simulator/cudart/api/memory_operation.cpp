// Memory operations of streams: the streams' side of cuStreamWaitValue32, cuStreamWriteValue32 and their kin.
#include "simulator/cudart/api/memory_operation.hpp"

#include <cstring>

#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr unsigned kFlush = 1u << 30;  // CU_STREAM_WAIT_VALUE_FLUSH: writes of other devices are always seen

// CUDA driver API, CUstreamWaitValue_flags.
bool holds_true(const MemoryOperation& wait, uint64_t seen) {
  const bool narrow = wait.bytes == 4;
  const uint64_t value = narrow ? static_cast<uint32_t>(wait.value) : wait.value;
  switch (wait.flags & ~kFlush) {
    case 0: {  // the difference, cyclically, is not negative
      return narrow ? static_cast<int32_t>(static_cast<uint32_t>(seen - value)) >= 0
                    : static_cast<int64_t>(seen - value) >= 0;
    }
    case 1: return seen == value;
    case 2: return (seen & value) != 0;
    case 3: return ~(seen | value) << (narrow ? 32 : 0) != 0;
  }
  return false;
}

std::optional<uint64_t> read(Runtime& runtime, const MemoryOperation& operation) {
  Place place;
  if (!locate(runtime, operation.pointer, operation.bytes, place) || place.allocation == nullptr) {
    return std::nullopt;
  }
  if (operation.bytes == 4) {
    return *reinterpret_cast<const volatile uint32_t*>(place.data);
  }
  return *reinterpret_cast<const volatile uint64_t*>(place.data);
}

Error wait(Runtime& runtime, StreamRef at, const MemoryOperation& operation) {
  const std::optional<uint64_t> seen = read(runtime, operation);
  if (!must_hold(at) && holds_true(operation, *seen)) {
    return Error::success;
  }
  hold(runtime, at, [&runtime, at, operation](Picoseconds now) -> std::optional<Picoseconds> {
    const std::optional<uint64_t> found = read(runtime, operation);
    if (found && !holds_true(operation, *found)) {
      return std::nullopt;
    }
    at.context->timeline().wait_until(*at.stream, now);
    return now;
  });
  return Error::success;
}

Error write(Runtime& runtime, StreamRef at, const MemoryOperation& operation) {
  for (uint32_t word = 0; word < operation.bytes / 4; ++word) {
    Span span{};
    const FillWork fill{.dst = static_cast<std::byte*>(operation.pointer) + 4 * word,
                        .value = static_cast<uint32_t>(operation.value >> (32 * word)),
                        .element = 4,
                        .width = 1};
    if (const Error error = issue(runtime, at, fill, runtime.clock.now(), span); error != Error::success) {
      return error;
    }
  }
  return Error::success;
}

}  // namespace

int memory_operation(const char* name, void* stream, const MemoryOperation& operation) {
  return stream_call(name, stream, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    const unsigned known = operation.waits ? kFlush | 3u : 1u;  // CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER
    const bool aligned = reinterpret_cast<uint64_t>(operation.pointer) % operation.bytes == 0;
    if ((operation.flags & ~known) != 0 || !aligned || !read(runtime, operation)) {
      return Error::invalid_value;
    }
    if (at.stream->capture != nullptr) {
      return refuse("cuStreamWaitValue and cuStreamWriteValue in a stream that is captured");
    }
    return operation.waits ? wait(runtime, at, operation) : write(runtime, at, operation);
  });
}

}  // namespace hpml::sim::cudart
