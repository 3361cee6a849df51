// Several copies or prefetches by one call. The simulator carries them out in their order, which is one of those that a
// GPU may take; a copy's source is read when the call is made or when the stream gets there, so every source order
// holds.
#include "simulator/cudart/api/batch.hpp"

#include <algorithm>

namespace hpml::sim::cudart {
namespace {

constexpr int kStreamOrder = 1, kAnyOrder = 3;        // cudaMemcpySrcAccessOrder
constexpr int kMemoryOperand = 1, kArrayOperand = 2;  // cudaMemcpy3DOperandType

bool is_legacy(const void* stream) { return reinterpret_cast<uintptr_t>(stream) <= 1; }  // cudaStreamLegacy is 1

bool known_order(int order) { return order >= kStreamOrder && order <= kAnyOrder; }

// Firsts that begin with 0, rise, and lie below `count`.
bool valid_firsts(const size_t* firsts, size_t size, size_t count) {
  if (firsts == nullptr || size == 0 || size > count || firsts[0] != 0) {
    return false;
  }
  return std::is_sorted(firsts, firsts + size, std::less_equal<>()) && firsts[size - 1] < count;
}

// `issue(i) -> Error` for each; the first that fails ends the batch.
template <class Issue>
Error each(size_t count, size_t* failed, Issue issue) {
  for (size_t i = 0; i < count; ++i) {
    if (const Error error = issue(i); error != Error::success) {
      if (failed != nullptr) {
        *failed = i;
      }
      return error;
    }
  }
  return Error::success;
}

Error valid(const BatchCopies& what) {
  const bool filled = what.destinations != nullptr && what.sources != nullptr && what.sizes != nullptr &&
                      what.attributes != nullptr && what.count > 0;
  if (!filled || !valid_firsts(what.first_of_attribute, what.attribute_count, what.count)) {
    return Error::invalid_value;
  }
  const auto* end = what.attributes + what.attribute_count;
  const bool orders = std::all_of(what.attributes, end, [](const auto& one) { return known_order(one.source_order); });
  return orders ? Error::success : Error::invalid_value;
}

// Fills in one side of a copy of boxes.
bool place(const CopyOperand& operand, const Extent& extent, const Array*& array, Position& position,
           PitchedPointer& memory) {
  if (operand.type == kArrayOperand) {
    array = operand.array.array;
    position = operand.array.offset;
    return true;
  }
  const auto& from = operand.memory;
  const size_t row = from.row != 0 ? from.row : extent.width, layer = from.layer != 0 ? from.layer : extent.height;
  memory = {.pointer = from.pointer, .pitch = row, .width = row, .height = layer};
  return operand.type == kMemoryOperand && row >= extent.width && layer >= extent.height;
}

// Rows of memory beside an array have its elements.
void in_bytes(const Array* array, PitchedPointer& memory) {
  if (array != nullptr) {
    memory.pitch *= array->format.bytes();
    memory.width *= array->format.bytes();
  }
}

Error to_copy(Runtime& runtime, const BatchCopy3D& asked, CopyWork& work) {
  Copy3D plain;
  plain.extent = asked.extent;
  const bool empty = asked.extent.width == 0 || asked.extent.height == 0 || asked.extent.depth == 0;
  if (empty || !known_order(asked.source_order) ||
      !place(asked.source, asked.extent, plain.src_array, plain.src_position, plain.src) ||
      !place(asked.destination, asked.extent, plain.dst_array, plain.dst_position, plain.dst)) {
    return Error::invalid_value;
  }
  for (const Array* array : {plain.src_array, plain.dst_array}) {
    if (array != nullptr && runtime.array(array) == nullptr) {
      return Error::invalid_resource_handle;
    }
  }
  in_bytes(plain.dst_array, plain.src);
  in_bytes(plain.src_array, plain.dst);
  return to_copy(runtime, plain, work);
}

struct BatchRanges {
  void* const* pointers;
  const size_t* sizes;
  size_t count;
  const MemLocation* locations;
  const size_t* firsts;
  size_t location_count;
};

int prefetch_batch(const char* name, const BatchRanges& what, unsigned long long flags, void* stream) {
  return stream_call(name, stream, [&](Runtime&, StreamRef, ApiRecord&) {
    if (is_legacy(stream) || flags != 0 || what.pointers == nullptr || what.sizes == nullptr ||
        what.locations == nullptr || !valid_firsts(what.firsts, what.location_count, what.count)) {
      return Error::invalid_value;
    }
    size_t which = 0;
    return each(what.count, nullptr, [&](size_t i) {
      which += which + 1 < what.location_count && what.firsts[which + 1] == i ? 1 : 0;
      const int to = ordinal_of(what.locations[which]);
      return static_cast<Error>(mem_prefetch(what.pointers[i], what.sizes[i], to, stream));
    });
  });
}

// What a discarded range holds is undefined: it may keep its values.
int discard_batch(const char* name, void* const* pointers, const size_t* sizes, size_t count, unsigned long long flags,
                  void* stream) {
  return stream_call(name, stream, [&](Runtime& runtime, StreamRef, ApiRecord&) {
    if (is_legacy(stream) || flags != 0 || pointers == nullptr || sizes == nullptr || count == 0) {
      return Error::invalid_value;
    }
    return each(count, nullptr, [&](size_t i) {
      Place at;
      const bool managed = locate(runtime, pointers[i], sizes[i], at) && at.is_managed();
      return managed ? Error::success : Error::invalid_value;
    });
  });
}

}  // namespace

int memcpy_batch(const char* name, const BatchCopies& what, size_t* failed, void* stream) {
  return stream_call(name, stream, [&](Runtime& runtime, StreamRef, ApiRecord& record) {
    if (failed != nullptr) {
      *failed = SIZE_MAX;
    }
    if (const Error error = valid(what); is_legacy(stream) || error != Error::success) {
      return Error::invalid_value;
    }
    return each(what.count, failed, [&](size_t i) {
      return copy(runtime, copy_bytes(what.destinations[i], what.sources[i], what.sizes[i], 4), stream,
                  Waiting::asynchronous, record);
    });
  });
}

int memcpy_3d_batch(const char* name, const BatchCopy3D* what, size_t count, size_t* failed, unsigned long long flags,
                    void* stream) {
  return stream_call(name, stream, [&](Runtime& runtime, StreamRef, ApiRecord& record) {
    if (failed != nullptr) {
      *failed = SIZE_MAX;
    }
    if (is_legacy(stream) || what == nullptr || count == 0 || flags != 0) {
      return Error::invalid_value;
    }
    return each(count, failed, [&](size_t i) {
      CopyWork work;
      const Error error = to_copy(runtime, what[i], work);
      return error == Error::success ? copy(runtime, work, stream, Waiting::asynchronous, record) : error;
    });
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, MemLocation* locations,
                                            size_t* firsts, size_t location_count, unsigned long long flags,
                                            void* stream) {
  return prefetch_batch("cudaMemPrefetchBatchAsync", {pointers, sizes, count, locations, firsts, location_count}, flags,
                        stream);
}
HPML_CUDA_API int cudaMemPrefetchBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count, MemLocation* locations,
                                                 size_t* firsts, size_t location_count, unsigned long long flags,
                                                 void* stream) {
  return cudaMemPrefetchBatchAsync(pointers, sizes, count, locations, firsts, location_count, flags,
                                   per_thread(stream));
}
HPML_CUDA_API int cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                           void* stream) {
  return discard_batch("cudaMemDiscardBatchAsync", pointers, sizes, count, flags, stream);
}
HPML_CUDA_API int cudaMemDiscardBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                                void* stream) {
  return cudaMemDiscardBatchAsync(pointers, sizes, count, flags, per_thread(stream));
}
HPML_CUDA_API int cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                      MemLocation* locations, size_t* firsts, size_t location_count,
                                                      unsigned long long flags, void* stream) {
  return prefetch_batch("cudaMemDiscardAndPrefetchBatchAsync",
                        {pointers, sizes, count, locations, firsts, location_count}, flags, stream);
}
HPML_CUDA_API int cudaMemDiscardAndPrefetchBatchAsync_ptsz(void** pointers, size_t* sizes, size_t count,
                                                           MemLocation* locations, size_t* firsts,
                                                           size_t location_count, unsigned long long flags,
                                                           void* stream) {
  return cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, count, locations, firsts, location_count, flags,
                                             per_thread(stream));
}
