// Ranges of managed memory: prefetches, advice, and what was said about them.
#include "simulator/cudart/api/common.hpp"
#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr int kInvalidOrdinal = -2;  // cudaInvalidDeviceId

enum AdviceCode : int {  // cudaMemoryAdvise
  kSetReadMostly = 1,
  kUnsetReadMostly = 2,
  kSetPreferred = 3,
  kUnsetPreferred = 4,
  kSetAccessedBy = 5,
  kUnsetAccessedBy = 6,
};

enum RangeAttribute : int {  // cudaMemRangeAttribute
  kReadMostly = 1,
  kPreferred = 2,
  kAccessedBy = 3,
  kLastPrefetch = 4,
  kPreferredType = 5,
  kPreferredId = 6,
  kLastPrefetchType = 7,
  kLastPrefetchId = 8,
};

struct Bounds {
  uint64_t begin, end;
};

// Whether the range is not empty and all of it is one piece of managed memory.
bool managed_range(Runtime& runtime, const void* pointer, size_t bytes, Place& place) {
  return bytes > 0 && locate(runtime, pointer, bytes, place) && place.is_managed();
}

bool valid_location(Runtime& runtime, int location) { return location >= -1 && location < runtime.device_count(); }

Error remember(ManagedHints& hints, const Bounds& range, int advice, int location) {
  const auto [begin, end] = range;
  const auto change_accessed_by = [&, begin = begin, end = end](bool add) {
    std::set<int> devices = hints.accessed_by.at(begin);
    if (add) {
      devices.insert(location);
    } else {
      devices.erase(location);
    }
    hints.accessed_by.set(begin, end, devices);
  };
  switch (advice) {
    case kSetReadMostly: hints.read_mostly.set(begin, end, true); return Error::success;
    case kUnsetReadMostly: hints.read_mostly.set(begin, end, false); return Error::success;
    case kSetPreferred: hints.preferred.set(begin, end, {location}); return Error::success;
    case kUnsetPreferred: hints.preferred.set(begin, end, {}); return Error::success;
    case kSetAccessedBy: change_accessed_by(true); return Error::success;
    case kUnsetAccessedBy: change_accessed_by(false); return Error::success;
    default: return Error::invalid_value;
  }
}

// The GPU whose memory it is hears what concerns it.
void tell(Context& owner, const Bounds& range, int advice, int location) {
  using memory::Advice;
  const auto say = [&](Advice what, bool set) {
    owner.device().advise(range.begin, range.end - range.begin, what, set);
  };
  switch (advice) {
    case kSetReadMostly:
    case kUnsetReadMostly: return say(Advice::read_mostly, advice == kSetReadMostly);
    case kSetPreferred: return say(Advice::prefer_host, location < 0);
    case kUnsetPreferred: return say(Advice::prefer_host, false);
    default: break;
  }
  if (location == owner.ordinal()) {
    say(Advice::accessed, advice == kSetAccessedBy);
  }
}

}  // namespace

int mem_prefetch(const void* pointer, size_t bytes, int location, void* stream_handle) {
  return stream_call("cudaMemPrefetchAsync", stream_handle, [&](Runtime& runtime, StreamRef at, ApiRecord& record) {
    if (const Error error = touch_capturing_stream(*at.stream); error != Error::success) {
      return error;  // a prefetch cannot be captured
    }
    Context& context = *at.context;
    if (!valid_location(runtime, location)) {
      return Error::invalid_device;
    }
    Place place;
    if (!managed_range(runtime, pointer, bytes, place)) {
      return Error::invalid_value;
    }
    const bool to_device = location >= 0;
    Context* destination = to_device ? runtime.device(location) : nullptr;
    if (to_device && (destination == nullptr || !destination->device().properties().concurrent_managed_access)) {
      return Error::invalid_device;  // as CUDA: the destination must support concurrent managed access
    }
    record.bytes = as_bytes_field(bytes);
    record.detail = to_device ? "HtoD" : "DtoH";
    runtime.clock.advance(context.device().api_cost(device::ApiCost::memcpy_call, bytes));
    // Another GPU than the memory's own uses it where the host has it.
    const bool home = location == place.owner->ordinal();
    const Picoseconds duration = place.owner->device().prefetch(reinterpret_cast<uint64_t>(pointer), bytes, home);
    const Engine engine = to_device ? Engine::copy_to_device : Engine::copy_to_host;
    const auto begin = reinterpret_cast<uint64_t>(pointer);
    place.owner->hints.last_prefetch.set(begin, begin + bytes, {location});
    await_held(runtime, at);
    const Span span = context.timeline().enqueue(*at.stream, {engine}, duration, runtime.clock.now());
    runtime.log.add(CopyRecord{"prefetch", bytes, span, at.stream->id, context.ordinal(), true});
    return Error::success;
  });
}

int mem_advise(const void* pointer, size_t bytes, int advice, int location) {
  return device_call("cudaMemAdvise", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    Place place;
    if (!managed_range(runtime, pointer, bytes, place)) {
      return Error::invalid_value;
    }
    const bool wants_location = advice != kSetReadMostly && advice != kUnsetReadMostly && advice != kUnsetPreferred;
    if (wants_location && !valid_location(runtime, location)) {
      return Error::invalid_device;
    }
    record.bytes = as_bytes_field(bytes);
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    const auto begin = reinterpret_cast<uint64_t>(pointer);
    const Bounds range{begin, begin + bytes};
    const Error error = remember(place.owner->hints, range, advice, location);
    if (error == Error::success) {
      tell(*place.owner, range, advice, location);
    }
    return error;
  });
}

namespace {

// Up to `count` device ordinals, the rest cudaInvalidDeviceId.
void write_ordinals(const std::set<int>& ordinals, int* out, size_t count) {
  auto next = ordinals.begin();
  for (size_t i = 0; i < count; ++i) {
    out[i] = next != ordinals.end() ? *next++ : kInvalidOrdinal;
  }
}

int location_type(int ordinal) {
  constexpr int kInvalid = 0, kDevice = 1, kHost = 2;  // cudaMemLocationType
  if (ordinal == kInvalidOrdinal) {
    return kInvalid;
  }
  return ordinal >= 0 ? kDevice : kHost;
}

// Attributes hold for a range when every byte of it has the same.
Error read_attribute(const ManagedHints& hints, const Bounds& range, int attribute, void* data, size_t size) {
  auto* out = static_cast<int*>(data);
  const auto [begin, end] = range;
  const auto ordinal = [begin = begin, end = end](const RangeMap<HintLocation>& map) {
    return map.common(begin, end).value_or(HintLocation{}).ordinal;
  };
  if (attribute == kAccessedBy) {
    write_ordinals(hints.accessed_by.common(begin, end).value_or(std::set<int>{}), out, size / sizeof(int));
    return size > 0 && size % sizeof(int) == 0 ? Error::success : Error::invalid_value;
  }
  if (size != sizeof(int)) {
    return Error::invalid_value;
  }
  switch (attribute) {
    case kReadMostly: *out = hints.read_mostly.common(begin, end).value_or(false) ? 1 : 0; return Error::success;
    case kPreferred:
    case kPreferredId: *out = ordinal(hints.preferred); return Error::success;
    case kLastPrefetch:
    case kLastPrefetchId: *out = ordinal(hints.last_prefetch); return Error::success;
    case kPreferredType: *out = location_type(ordinal(hints.preferred)); return Error::success;
    case kLastPrefetchType: *out = location_type(ordinal(hints.last_prefetch)); return Error::success;
    default: return Error::invalid_value;
  }
}

Error read_attributes(Runtime& runtime, void** data, const size_t* sizes, const int* attributes, size_t count,
                      const void* pointer, size_t bytes) {
  Place place;
  if (data == nullptr || sizes == nullptr || attributes == nullptr || count == 0 ||
      !managed_range(runtime, pointer, bytes, place)) {
    return Error::invalid_value;
  }
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  for (size_t i = 0; i < count; ++i) {
    const Error error = data[i] != nullptr ? read_attribute(place.owner->hints, {begin, begin + bytes}, attributes[i],
                                                            data[i], sizes[i])
                                           : Error::invalid_value;
    if (error != Error::success) {
      return error;
    }
  }
  return Error::success;
}

}  // namespace

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemRangeGetAttribute(void* data, size_t size, int attribute, const void* pointer, size_t bytes) {
  return device_call("cudaMemRangeGetAttribute", [&](Runtime& runtime, Context&, ApiRecord&) {
    return read_attributes(runtime, &data, &size, &attribute, 1, pointer, bytes);
  });
}
HPML_CUDA_API int cudaMemRangeGetAttributes(void** data, size_t* sizes, int* attributes, size_t count,
                                            const void* pointer, size_t bytes) {
  return device_call("cudaMemRangeGetAttributes", [&](Runtime& runtime, Context&, ApiRecord&) {
    return read_attributes(runtime, data, sizes, attributes, count, pointer, bytes);
  });
}
