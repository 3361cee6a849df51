// Two- and three-dimensional copies, between memory and arrays of any kind.
#include "simulator/cuda_driver/copy_box.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::Array;
using cudart::CopySide;
using cudart::Waiting;

struct Copy2D {  // CUDA_MEMCPY2D
  size_t src_x, src_y;
  MemoryType src_type;
  const void* src_host;
  DevicePtr src_device;
  void* src_array;
  size_t src_pitch, dst_x, dst_y;
  MemoryType dst_type;
  void* dst_host;
  DevicePtr dst_device;
  void* dst_array;
  size_t dst_pitch, width, height;
};
static_assert(sizeof(Copy2D) == 128);

// One side as both structures describe it.
struct Corner {
  MemoryType type;
  const void* host;
  DevicePtr device;
  void* array;
  size_t pitch, rows;  // rows of a slice
  size_t x, y, z;      // x in bytes
};

struct Box {
  size_t width, height, depth;  // bytes, rows, slices
};

Error side_in_array(Runtime& runtime, const Corner& corner, const Box& box, CopySide& side) {
  const Array* array = runtime.array(corner.array);
  if (array == nullptr) {
    return kInvalidHandle;
  }
  if (corner.x + box.width > array->pitch() || corner.y + box.height > array->rows() ||
      corner.z + box.depth > array->slices()) {
    return Error::invalid_value;
  }
  side.array = true;
  side.pitch = array->pitch();
  side.slice = array->pitch() * array->rows();
  side.pointer = pointer_of(array->address + corner.z * side.slice + corner.y * side.pitch + corner.x);
  return Error::success;
}

Error side_of(Runtime& runtime, const Corner& corner, const Box& box, CopySide& side) {
  if (corner.type == MemoryType::array) {
    return side_in_array(runtime, corner, box, side);
  }
  if (corner.type != MemoryType::host && corner.type != MemoryType::device && corner.type != MemoryType::unified) {
    return Error::invalid_value;
  }
  // A pitch of zero stands for rows that follow each other.
  side.pitch = corner.pitch != 0 ? corner.pitch : corner.x + box.width;
  side.slice = side.pitch * (corner.rows != 0 ? corner.rows : corner.y + box.height);
  if (side.pitch < corner.x + box.width) {
    return Error::invalid_value;
  }
  const uint64_t base = corner.type == MemoryType::host ? reinterpret_cast<uint64_t>(corner.host) : corner.device;
  side.pointer = pointer_of(base + corner.z * side.slice + corner.y * side.pitch + corner.x);
  return Error::success;
}

int kind_of(MemoryType dst, MemoryType src) {
  constexpr int kByAddress = 4;
  if (dst == MemoryType::unified || src == MemoryType::unified) {
    return kByAddress;
  }
  const int to_device = dst != MemoryType::host ? 1 : 0, from_device = src != MemoryType::host ? 2 : 0;
  return to_device + from_device;  // cudaMemcpyKind counts so
}

Error to_work(Runtime& runtime, const Corner& dst, const Corner& src, const Box& box, CopyWork& work) {
  work.width = box.width;
  work.height = box.height;
  work.depth = box.depth;
  work.kind = kind_of(dst.type, src.type);
  if (work.bytes() == 0) {
    return Error::success;
  }
  const Error error = side_of(runtime, dst, box, work.dst);
  return error == Error::success ? side_of(runtime, src, box, work.src) : error;
}

int copy(const char* name, const Corner& dst, const Corner& src, const Box& box, void* stream, Waiting waiting) {
  return context_call(name, [&](Runtime& runtime, Context&, ApiRecord& record) {
    CopyWork work;
    const Error error = to_work(runtime, dst, src, box, work);
    return error == Error::success && work.bytes() > 0 ? cudart::copy(runtime, work, stream, waiting, record) : error;
  });
}

int refuse_null(const char* name) {
  return context_call(name, [](Runtime&, Context&, ApiRecord&) { return Error::invalid_value; });
}

int copy_2d(const char* name, const Copy2D* c, void* stream, Waiting waiting) {
  if (c == nullptr) {
    return refuse_null(name);
  }
  return copy(name, {c->dst_type, c->dst_host, c->dst_device, c->dst_array, c->dst_pitch, 0, c->dst_x, c->dst_y, 0},
              {c->src_type, c->src_host, c->src_device, c->src_array, c->src_pitch, 0, c->src_x, c->src_y, 0},
              {c->width, c->height, 1}, stream, waiting);
}

Corner target_of(const Copy3D& c) {
  return {c.dst_type, c.dst_host, c.dst_device, c.dst_array, c.dst_pitch, c.dst_height, c.dst_x, c.dst_y, c.dst_z};
}
Corner source_of(const Copy3D& c) {
  return {c.src_type, c.src_host, c.src_device, c.src_array, c.src_pitch, c.src_height, c.src_x, c.src_y, c.src_z};
}

int copy_3d(const char* name, const Copy3D* c, void* stream, Waiting waiting) {
  return c == nullptr ? refuse_null(name)
                      : copy(name, target_of(*c), source_of(*c), {c->width, c->height, c->depth}, stream, waiting);
}

// Bytes of an array of one dimension.
Corner in_array(void* array, size_t offset) { return {MemoryType::array, nullptr, 0, array, 0, 0, offset, 0, 0}; }
Corner in_device(DevicePtr address) { return {MemoryType::device, nullptr, address, nullptr, 0, 0, 0, 0, 0}; }
Corner in_host(const void* address) { return {MemoryType::host, address, 0, nullptr, 0, 0, 0, 0, 0}; }

int copy_bytes(const char* name, const Corner& dst, const Corner& src, size_t bytes, void* stream,
               Waiting waiting = Waiting::host_waits) {
  return copy(name, dst, src, {bytes, 1, 1}, stream, waiting);
}

}  // namespace

Error to_work(Runtime& runtime, const Copy3D& asked, CopyWork& work) {
  return to_work(runtime, target_of(asked), source_of(asked), {asked.width, asked.height, asked.depth}, work);
}

}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
using hpml::sim::cudart::Waiting;

// The per-thread forms differ in the default stream only.
#define HPML_COPY(function, type, copier)                                                                      \
  HPML_CU_API int function(const type* what) { return copier(#function, what, nullptr, Waiting::host_waits); } \
  HPML_CU_API int function##_ptds(const type* what) {                                                          \
    return copier(#function, what, per_thread(nullptr), Waiting::host_waits);                                  \
  }
#define HPML_COPY_ASYNC(function, type, copier)                                \
  HPML_CU_API int function(const type* what, void* stream) {                   \
    return copier(#function, what, stream, Waiting::asynchronous);             \
  }                                                                            \
  HPML_CU_API int function##_ptsz(const type* what, void* stream) {            \
    return copier(#function, what, per_thread(stream), Waiting::asynchronous); \
  }

HPML_COPY(cuMemcpy2D_v2, Copy2D, copy_2d)
HPML_COPY(cuMemcpy2DUnaligned_v2, Copy2D, copy_2d)
HPML_COPY_ASYNC(cuMemcpy2DAsync_v2, Copy2D, copy_2d)
HPML_COPY(cuMemcpy3D_v2, Copy3D, copy_3d)
HPML_COPY_ASYNC(cuMemcpy3DAsync_v2, Copy3D, copy_3d)
HPML_COPY(cuMemcpy3DPeer, Copy3D, copy_3d)
HPML_COPY_ASYNC(cuMemcpy3DPeerAsync, Copy3D, copy_3d)

HPML_CU_API int cuMemcpyHtoA_v2(void* dst, size_t offset, const void* src, size_t bytes) {
  return copy_bytes("cuMemcpyHtoA", in_array(dst, offset), in_host(src), bytes, nullptr);
}
HPML_CU_API int cuMemcpyHtoA_v2_ptds(void* dst, size_t offset, const void* src, size_t bytes) {
  return copy_bytes("cuMemcpyHtoA", in_array(dst, offset), in_host(src), bytes, per_thread(nullptr));
}
HPML_CU_API int cuMemcpyAtoH_v2(void* dst, void* src, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoH", in_host(dst), in_array(src, offset), bytes, nullptr);
}
HPML_CU_API int cuMemcpyAtoH_v2_ptds(void* dst, void* src, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoH", in_host(dst), in_array(src, offset), bytes, per_thread(nullptr));
}
HPML_CU_API int cuMemcpyDtoA_v2(void* dst, size_t offset, DevicePtr src, size_t bytes) {
  return copy_bytes("cuMemcpyDtoA", in_array(dst, offset), in_device(src), bytes, nullptr);
}
HPML_CU_API int cuMemcpyDtoA_v2_ptds(void* dst, size_t offset, DevicePtr src, size_t bytes) {
  return copy_bytes("cuMemcpyDtoA", in_array(dst, offset), in_device(src), bytes, per_thread(nullptr));
}
HPML_CU_API int cuMemcpyAtoD_v2(DevicePtr dst, void* src, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoD", in_device(dst), in_array(src, offset), bytes, nullptr);
}
HPML_CU_API int cuMemcpyAtoD_v2_ptds(DevicePtr dst, void* src, size_t offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoD", in_device(dst), in_array(src, offset), bytes, per_thread(nullptr));
}
HPML_CU_API int cuMemcpyAtoA_v2(void* dst, size_t dst_offset, void* src, size_t src_offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoA", in_array(dst, dst_offset), in_array(src, src_offset), bytes, nullptr);
}
HPML_CU_API int cuMemcpyAtoA_v2_ptds(void* dst, size_t dst_offset, void* src, size_t src_offset, size_t bytes) {
  return copy_bytes("cuMemcpyAtoA", in_array(dst, dst_offset), in_array(src, src_offset), bytes, per_thread(nullptr));
}
HPML_CU_API int cuMemcpyHtoAAsync_v2(void* dst, size_t offset, const void* src, size_t bytes, void* stream) {
  return copy_bytes("cuMemcpyHtoAAsync", in_array(dst, offset), in_host(src), bytes, stream, Waiting::asynchronous);
}
HPML_CU_API int cuMemcpyHtoAAsync_v2_ptsz(void* dst, size_t offset, const void* src, size_t bytes, void* stream) {
  return cuMemcpyHtoAAsync_v2(dst, offset, src, bytes, per_thread(stream));
}
HPML_CU_API int cuMemcpyAtoHAsync_v2(void* dst, void* src, size_t offset, size_t bytes, void* stream) {
  return copy_bytes("cuMemcpyAtoHAsync", in_host(dst), in_array(src, offset), bytes, stream, Waiting::asynchronous);
}
HPML_CU_API int cuMemcpyAtoHAsync_v2_ptsz(void* dst, void* src, size_t offset, size_t bytes, void* stream) {
  return cuMemcpyAtoHAsync_v2(dst, src, offset, bytes, per_thread(stream));
}
