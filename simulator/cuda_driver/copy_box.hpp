#pragma once
// Copies of boxes as the driver API describes them.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {

using cudart::CopyWork;

enum class MemoryType : unsigned { host = 1, device = 2, array = 3, unified = 4 };  // CUmemorytype

struct Copy3D {  // CUDA_MEMCPY3D; CUDA_MEMCPY3D_PEER has contexts in the reserved places
  size_t src_x, src_y, src_z, src_lod;
  MemoryType src_type;
  const void* src_host;
  DevicePtr src_device;
  void* src_array;
  void* src_context;
  size_t src_pitch, src_height, dst_x, dst_y, dst_z, dst_lod;
  MemoryType dst_type;
  void* dst_host;
  DevicePtr dst_device;
  void* dst_array;
  void* dst_context;
  size_t dst_pitch, dst_height, width, height, depth;
};
static_assert(sizeof(Copy3D) == 200);

// Errors as cuMemcpy3D.
Error to_work(Runtime& runtime, const Copy3D& asked, CopyWork& work);

}  // namespace hpml::sim::cuda_driver
