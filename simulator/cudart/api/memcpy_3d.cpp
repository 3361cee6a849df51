// Three-dimensional copies, and copies to and from CUDA arrays.
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

namespace {

CopySide side_of(const Array* array, const Position& position, const PitchedPointer& pointer) {
  if (array == nullptr) {
    const uint64_t slice = pointer.pitch * pointer.height;
    auto* base = static_cast<std::byte*>(pointer.pointer);
    return {.pointer = base + position.z * slice + position.y * pointer.pitch + position.x,
            .pitch = pointer.pitch,
            .slice = slice};
  }
  const uint64_t slice = array->pitch() * array->rows();
  const uint64_t address =
      array->address + position.z * slice + position.y * array->pitch() + position.x * array->format.bytes();
  return {.pointer = reinterpret_cast<void*>(address), .pitch = array->pitch(), .slice = slice, .array = true};
}

// Positions in an array count elements in x; the copied box must lie inside.
bool inside(const Array* array, const Position& position, const Extent& extent) {
  return array == nullptr ||
         (position.x + extent.width <= array->extent.width && position.y + extent.height <= array->rows() &&
          position.z + extent.depth <= array->slices());
}

bool known(Runtime& runtime, const Array* array) { return array == nullptr || runtime.array(array) != nullptr; }

}  // namespace

Error to_copy(Runtime& runtime, const Copy3D& asked, CopyWork& copy) {
  if (!known(runtime, asked.src_array) || !known(runtime, asked.dst_array)) {
    return Error::invalid_resource_handle;
  }
  const bool one_source = (asked.src_array != nullptr) != (asked.src.pointer != nullptr);
  const bool one_target = (asked.dst_array != nullptr) != (asked.dst.pointer != nullptr);
  if (!one_source || !one_target || !inside(asked.src_array, asked.src_position, asked.extent) ||
      !inside(asked.dst_array, asked.dst_position, asked.extent)) {
    return Error::invalid_value;
  }
  const Array* array = asked.src_array != nullptr ? asked.src_array : asked.dst_array;
  if (asked.src_array != nullptr && asked.dst_array != nullptr &&
      asked.src_array->format.bytes() != asked.dst_array->format.bytes()) {
    return Error::invalid_value;
  }
  copy.src = side_of(asked.src_array, asked.src_position, asked.src);
  copy.dst = side_of(asked.dst_array, asked.dst_position, asked.dst);
  copy.width = asked.extent.width * (array != nullptr ? array->format.bytes() : 1);
  copy.height = asked.extent.height;
  copy.depth = asked.extent.depth;
  copy.kind = asked.kind;
  copy.asked = asked;
  return Error::success;
}

namespace {

int copy_3d(const char* name, const Copy3D* asked, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    CopyWork work;
    const Error error = asked != nullptr ? to_copy(runtime, *asked, work) : Error::invalid_value;
    return error == Error::success ? copy(runtime, work, stream, waiting, record) : error;
  });
}

struct PeerCopy3D {  // cudaMemcpy3DPeerParms
  const Array* src_array;
  Position src_position;
  PitchedPointer src;
  int src_device;
  const Array* dst_array;
  Position dst_position;
  PitchedPointer dst;
  int dst_device;
  Extent extent;
};
static_assert(sizeof(PeerCopy3D) == 168);

int copy_3d_peer(const char* name, const PeerCopy3D* asked, void* stream, Waiting waiting) {
  if (asked == nullptr) {
    return copy_3d(name, nullptr, stream, waiting);
  }
  constexpr int kDefault = 4;
  const Copy3D plain{.src_array = asked->src_array,
                     .src_position = asked->src_position,
                     .src = asked->src,
                     .dst_array = asked->dst_array,
                     .dst_position = asked->dst_position,
                     .dst = asked->dst,
                     .extent = asked->extent,
                     .kind = kDefault};
  return copy_3d(name, &plain, stream, waiting);
}

// A box of an array of one or two dimensions, in bytes from the start of a row and in rows.
struct ArrayBox {
  const Array* array;
  size_t x, y;
};

bool box_inside(const ArrayBox& box, size_t width, size_t height) {
  return box.x + width <= box.array->pitch() && box.y + height <= box.array->rows();
}

CopySide side_of(const ArrayBox& box) {
  const uint64_t address = box.array->address + box.y * box.array->pitch() + box.x;
  return {.pointer = reinterpret_cast<void*>(address), .pitch = box.array->pitch(), .slice = 0, .array = true};
}

struct Rectangle {
  size_t width, height;  // bytes, rows
  int kind;
};

// Either side is an array or rows of memory.
struct Side {
  const Array* array = nullptr;
  size_t x = 0, y = 0;
  void* pointer = nullptr;
  size_t pitch = 0;
};

Error side_of(Runtime& runtime, const Side& side, const Rectangle& what, CopySide& out) {
  if (side.array == nullptr) {
    out = {.pointer = side.pointer, .pitch = side.pitch};
    return side.pointer != nullptr ? Error::success : Error::invalid_value;
  }
  if (runtime.array(side.array) == nullptr) {
    return Error::invalid_resource_handle;
  }
  const ArrayBox box{side.array, side.x, side.y};
  out = side_of(box);
  return box_inside(box, what.width, what.height) ? Error::success : Error::invalid_value;
}

int copy_2d(const char* name, const Side& dst, const Side& src, const Rectangle& what, void* stream, Waiting waiting) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    CopyWork work;
    work.width = what.width;
    work.height = what.height;
    work.kind = what.kind;
    Error error = side_of(runtime, dst, what, work.dst);
    error = error == Error::success ? side_of(runtime, src, what, work.src) : error;
    return error == Error::success ? copy(runtime, work, stream, waiting, record) : error;
  });
}

// The old linear copies run on from row to row.
Rectangle rows_of(const Array* handle, size_t bytes, int kind) {
  Runtime& runtime = Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  const Array* array = runtime.array(handle);
  const size_t row = array != nullptr ? array->pitch() : bytes;
  return bytes > row ? Rectangle{row, bytes / row, kind} : Rectangle{bytes, 1, kind};
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaMemcpy3D(const Copy3D* what) {
  return copy_3d("cudaMemcpy3D", what, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy3D_ptds(const Copy3D* what) {
  return copy_3d("cudaMemcpy3D", what, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy3DAsync(const Copy3D* what, void* stream) {
  return copy_3d("cudaMemcpy3DAsync", what, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy3DAsync_ptsz(const Copy3D* what, void* stream) {
  return copy_3d("cudaMemcpy3DAsync", what, per_thread(stream), Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy3DPeer(const void* what) {
  return copy_3d_peer("cudaMemcpy3DPeer", static_cast<const PeerCopy3D*>(what), nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy3DPeer_ptds(const void* what) {
  return copy_3d_peer("cudaMemcpy3DPeer", static_cast<const PeerCopy3D*>(what), per_thread(nullptr),
                      Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy3DPeerAsync(const void* what, void* stream) {
  return copy_3d_peer("cudaMemcpy3DPeerAsync", static_cast<const PeerCopy3D*>(what), stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy3DPeerAsync_ptsz(const void* what, void* stream) {
  return copy_3d_peer("cudaMemcpy3DPeerAsync", static_cast<const PeerCopy3D*>(what), per_thread(stream),
                      Waiting::asynchronous);
}

HPML_CUDA_API int cudaMemcpy2DToArray(const Array* dst, size_t x, size_t y, const void* src, size_t pitch, size_t width,
                                      size_t height, int kind) {
  return copy_2d("cudaMemcpy2DToArray", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = pitch}, {width, height, kind}, nullptr,
                 Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DToArray_ptds(const Array* dst, size_t x, size_t y, const void* src, size_t pitch,
                                           size_t width, size_t height, int kind) {
  return copy_2d("cudaMemcpy2DToArray", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = pitch}, {width, height, kind}, per_thread(nullptr),
                 Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DToArrayAsync(const Array* dst, size_t x, size_t y, const void* src, size_t pitch,
                                           size_t width, size_t height, int kind, void* stream) {
  return copy_2d("cudaMemcpy2DToArrayAsync", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = pitch}, {width, height, kind}, stream,
                 Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2DToArrayAsync_ptsz(const Array* dst, size_t x, size_t y, const void* src, size_t pitch,
                                                size_t width, size_t height, int kind, void* stream) {
  return cudaMemcpy2DToArrayAsync(dst, x, y, src, pitch, width, height, kind, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpy2DFromArray(void* dst, size_t pitch, const Array* src, size_t x, size_t y, size_t width,
                                        size_t height, int kind) {
  return copy_2d("cudaMemcpy2DFromArray", {.pointer = dst, .pitch = pitch}, {.array = src, .x = x, .y = y},
                 {width, height, kind}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DFromArray_ptds(void* dst, size_t pitch, const Array* src, size_t x, size_t y,
                                             size_t width, size_t height, int kind) {
  return copy_2d("cudaMemcpy2DFromArray", {.pointer = dst, .pitch = pitch}, {.array = src, .x = x, .y = y},
                 {width, height, kind}, per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DFromArrayAsync(void* dst, size_t pitch, const Array* src, size_t x, size_t y,
                                             size_t width, size_t height, int kind, void* stream) {
  return copy_2d("cudaMemcpy2DFromArrayAsync", {.pointer = dst, .pitch = pitch}, {.array = src, .x = x, .y = y},
                 {width, height, kind}, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpy2DFromArrayAsync_ptsz(void* dst, size_t pitch, const Array* src, size_t x, size_t y,
                                                  size_t width, size_t height, int kind, void* stream) {
  return cudaMemcpy2DFromArrayAsync(dst, pitch, src, x, y, width, height, kind, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpy2DArrayToArray(const Array* dst, size_t dst_x, size_t dst_y, const Array* src, size_t src_x,
                                           size_t src_y, size_t width, size_t height, int kind) {
  return copy_2d("cudaMemcpy2DArrayToArray", {.array = dst, .x = dst_x, .y = dst_y},
                 {.array = src, .x = src_x, .y = src_y}, {width, height, kind}, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpy2DArrayToArray_ptds(const Array* dst, size_t dst_x, size_t dst_y, const Array* src,
                                                size_t src_x, size_t src_y, size_t width, size_t height, int kind) {
  return copy_2d("cudaMemcpy2DArrayToArray", {.array = dst, .x = dst_x, .y = dst_y},
                 {.array = src, .x = src_x, .y = src_y}, {width, height, kind}, per_thread(nullptr),
                 Waiting::host_waits);
}

HPML_CUDA_API int cudaMemcpyToArray(const Array* dst, size_t x, size_t y, const void* src, size_t bytes, int kind) {
  const Rectangle what = rows_of(dst, bytes, kind);
  return copy_2d("cudaMemcpyToArray", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = what.width}, what, nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyToArrayAsync(const Array* dst, size_t x, size_t y, const void* src, size_t bytes, int kind,
                                         void* stream) {
  const Rectangle what = rows_of(dst, bytes, kind);
  return copy_2d("cudaMemcpyToArrayAsync", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = what.width}, what, stream, Waiting::asynchronous);
}
HPML_CUDA_API int cudaMemcpyFromArray(void* dst, const Array* src, size_t x, size_t y, size_t bytes, int kind) {
  const Rectangle what = rows_of(src, bytes, kind);
  return copy_2d("cudaMemcpyFromArray", {.pointer = dst, .pitch = what.width}, {.array = src, .x = x, .y = y}, what,
                 nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyFromArrayAsync(void* dst, const Array* src, size_t x, size_t y, size_t bytes, int kind,
                                           void* stream) {
  const Rectangle what = rows_of(src, bytes, kind);
  return copy_2d("cudaMemcpyFromArrayAsync", {.pointer = dst, .pitch = what.width}, {.array = src, .x = x, .y = y},
                 what, stream, Waiting::asynchronous);
}

// The same for per-thread default streams.
HPML_CUDA_API int cudaMemcpyToArray_ptds(const Array* dst, size_t x, size_t y, const void* src, size_t bytes,
                                         int kind) {
  const Rectangle what = rows_of(dst, bytes, kind);
  return copy_2d("cudaMemcpyToArray", {.array = dst, .x = x, .y = y},
                 {.pointer = const_cast<void*>(src), .pitch = what.width}, what, per_thread(nullptr),
                 Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyToArrayAsync_ptsz(const Array* dst, size_t x, size_t y, const void* src, size_t bytes,
                                              int kind, void* stream) {
  return cudaMemcpyToArrayAsync(dst, x, y, src, bytes, kind, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpyFromArray_ptds(void* dst, const Array* src, size_t x, size_t y, size_t bytes, int kind) {
  const Rectangle what = rows_of(src, bytes, kind);
  return copy_2d("cudaMemcpyFromArray", {.pointer = dst, .pitch = what.width}, {.array = src, .x = x, .y = y}, what,
                 per_thread(nullptr), Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyFromArrayAsync_ptsz(void* dst, const Array* src, size_t x, size_t y, size_t bytes, int kind,
                                                void* stream) {
  return cudaMemcpyFromArrayAsync(dst, src, x, y, bytes, kind, per_thread(stream));
}
HPML_CUDA_API int cudaMemcpyArrayToArray(const Array* dst, size_t dst_x, size_t dst_y, const Array* src, size_t src_x,
                                         size_t src_y, size_t bytes, int kind) {
  return copy_2d("cudaMemcpyArrayToArray", {.array = dst, .x = dst_x, .y = dst_y},
                 {.array = src, .x = src_x, .y = src_y}, rows_of(src, bytes, kind), nullptr, Waiting::host_waits);
}
HPML_CUDA_API int cudaMemcpyArrayToArray_ptds(const Array* dst, size_t dst_x, size_t dst_y, const Array* src,
                                              size_t src_x, size_t src_y, size_t bytes, int kind) {
  return copy_2d("cudaMemcpyArrayToArray", {.array = dst, .x = dst_x, .y = dst_y},
                 {.array = src, .x = src_x, .y = src_y}, rows_of(src, bytes, kind), per_thread(nullptr),
                 Waiting::host_waits);
}
