// Fills, prefetches and advice.
#include <cstring>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

struct Fill {
  void* dst;
  int value;
  size_t pitch, width, height;
};

Error fill(Runtime& runtime, Context& context, const Fill& fill, void* stream_handle, Waiting waiting,
           ApiRecord& record) {
  Stream* stream = context.stream(stream_handle);
  if (stream == nullptr) {
    return Error::invalid_resource_handle;
  }
  const uint64_t bytes = uint64_t{fill.width} * fill.height;
  record.bytes = as_bytes_field(bytes);
  if (bytes == 0) {
    return Error::success;
  }
  if (fill.pitch < fill.width) {
    return Error::invalid_pitch_value;
  }
  const uint64_t extent = fill.height == 1 ? fill.width : fill.pitch * (fill.height - 1) + fill.width;
  Place dst;
  if (!locate(runtime, fill.dst, extent, dst) || dst.allocation == nullptr) {
    return Error::invalid_value;
  }
  for (size_t row = 0; row < fill.height && !context.faulted(); ++row) {
    std::memset(dst.data + row * fill.pitch, fill.value, fill.width);
  }
  check_host_writes(runtime, {reinterpret_cast<uint64_t>(fill.dst), fill.pitch, fill.width, fill.height});
  context.device().memory_written(reinterpret_cast<uint64_t>(fill.dst), extent);
  runtime.clock.advance(context.device().api_cost(device::ApiCost::memset_call, bytes));
  const Span span =
      context.timeline().enqueue(*stream, Engine::compute, context.device().memset_time(bytes), runtime.clock.now());
  runtime.log.copies.push_back({"memset", bytes, span, stream->id, context.ordinal(), false});
  // Device memory is filled asynchronously even by the synchronous call (CUDA runtime API, "API synchronization").
  const bool waits = waiting == Waiting::host_waits && !dst.is_device();
  return waits ? context.wait_until(span.end) : Error::success;
}

int fill_call(const char* name, const Fill& what, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord& record) {
    return fill(runtime, context, what, stream, waiting, record);
  });
}

// Managed memory that the range lies in; null: it is not all managed.
const memory::Allocation* managed_range(Runtime& runtime, const void* pointer, size_t bytes) {
  Place place;
  if (bytes == 0 || !locate(runtime, pointer, bytes, place) || place.allocation == nullptr) {
    return nullptr;
  }
  return place.allocation->kind == memory::Kind::managed ? place.allocation : nullptr;
}

bool valid_location(Runtime& runtime, int location) { return location >= -1 && location < runtime.device_count(); }

}  // namespace

int mem_prefetch(const void* pointer, size_t bytes, int location, void* stream_handle) {
  return device_call("cudaMemPrefetchAsync", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    Stream* stream = context.stream(stream_handle);
    if (stream == nullptr) {
      return Error::invalid_resource_handle;
    }
    if (!valid_location(runtime, location)) {
      return Error::invalid_device;
    }
    if (managed_range(runtime, pointer, bytes) == nullptr) {
      return Error::invalid_value;
    }
    const bool to_device = location >= 0;
    if (to_device && !context.device().properties().concurrent_managed_access) {
      return Error::invalid_device;  // as CUDA: the destination must support concurrent managed access
    }
    record.bytes = as_bytes_field(bytes);
    record.detail = to_device ? "HtoD" : "DtoH";
    runtime.clock.advance(context.device().api_cost(device::ApiCost::memcpy_call, bytes));
    const Picoseconds duration = context.device().prefetch(reinterpret_cast<uint64_t>(pointer), bytes, to_device);
    const Engine engine = to_device ? Engine::copy_to_device : Engine::copy_to_host;
    const Span span = context.timeline().enqueue(*stream, engine, duration, runtime.clock.now());
    runtime.log.copies.push_back({"prefetch", bytes, span, stream->id, context.ordinal(), true});
    return Error::success;
  });
}

int mem_advise(const void* pointer, size_t bytes, int advice, int location) {
  return device_call("cudaMemAdvise", [&](Runtime& runtime, Context& context, ApiRecord& record) {
    constexpr int kFirst = 1, kLast = 6;  // cudaMemAdviseSetReadMostly .. cudaMemAdviseUnsetAccessedBy
    if (!valid_location(runtime, location)) {
      return Error::invalid_device;
    }
    if (advice < kFirst || advice > kLast || managed_range(runtime, pointer, bytes) == nullptr) {
      return Error::invalid_value;
    }
    record.bytes = as_bytes_field(bytes);
    runtime.clock.advance(context.device().api_cost(device::ApiCost::query, 0));
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemset(void* dst, int value, size_t bytes) {
  return fill_call("cudaMemset", {dst, value, bytes, bytes, 1}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset_ptds(void* dst, int value, size_t bytes) {
  return fill_call("cudaMemset", {dst, value, bytes, bytes, 1}, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemsetAsync(void* dst, int value, size_t bytes, void* stream) {
  return fill_call("cudaMemsetAsync", {dst, value, bytes, bytes, 1}, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemsetAsync_ptsz(void* dst, int value, size_t bytes, void* stream) {
  return fill_call("cudaMemsetAsync", {dst, value, bytes, bytes, 1}, per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return fill_call("cudaMemset2D", {dst, value, pitch, width, height}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, void* stream) {
  return fill_call("cudaMemset2DAsync", {dst, value, pitch, width, height}, stream, Waiting::asynchronous);
}
