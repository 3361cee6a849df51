#include "simulator/cudart/abi/layout.hpp"

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace hpml::sim::cudart {
namespace {

constexpr int kPciBusOfFirst = 1;

// The largest textures and surfaces, from the attributes that say the same.
template <class Prop>
void fill_image_limits(Prop& out, const device::Properties& p) {
  const auto put = [&p](int* field, std::initializer_list<int> attributes) {
    for (const int attribute : attributes) {
      *field++ = device_attribute(p, attribute).value_or(0);
    }
  };
  put(&out.maxTexture1D, {21});
  put(&out.maxTexture1DMipmap, {77});
  put(out.maxTexture2D, {22, 23});
  put(out.maxTexture2DMipmap, {73, 74});
  put(out.maxTexture2DLinear, {70, 71, 72});
  put(out.maxTexture2DGather, {45, 46});
  put(out.maxTexture3D, {24, 25, 26});
  put(out.maxTexture3DAlt, {47, 48, 49});
  put(&out.maxTextureCubemap, {52});
  put(out.maxTexture1DLayered, {42, 43});
  put(out.maxTexture2DLayered, {27, 28, 29});
  put(out.maxTextureCubemapLayered, {53, 54});
  put(&out.maxSurface1D, {55});
  put(out.maxSurface2D, {56, 57});
  put(out.maxSurface3D, {58, 59, 60});
  put(out.maxSurface1DLayered, {61, 62});
  put(out.maxSurface2DLayered, {63, 64, 65});
  put(&out.maxSurfaceCubemap, {66});
  put(out.maxSurfaceCubemapLayered, {67, 68});
}

// The fields that every major has.
template <class Prop>
void fill_common(Prop& out, const device::Properties& p, int ordinal) {
  std::memset(static_cast<void*>(&out), 0, sizeof(out));
  std::memcpy(out.name, p.name.c_str(), std::min(p.name.size(), sizeof(out.name) - 1));
  std::memcpy(out.uuid, "gpusim-device-", 14);
  out.uuid[15] = static_cast<char>(ordinal);
  out.totalGlobalMem = p.total_memory;
  out.sharedMemPerBlock = p.shared_per_block;
  out.regsPerBlock = p.registers_per_block;
  out.warpSize = p.warp_size;
  out.memPitch = 2147483647;
  out.maxThreadsPerBlock = p.max_threads_per_block;
  constexpr int kThreadsDim[] = {1024, 1024, 64};
  std::ranges::copy(kThreadsDim, out.maxThreadsDim);
  constexpr int kGridSize[] = {2147483647, 65535, 65535};
  std::ranges::copy(kGridSize, out.maxGridSize);
  out.totalConstMem = p.const_bytes;
  out.major = p.cc_major;
  out.minor = p.cc_minor;
  out.textureAlignment = 512;
  out.texturePitchAlignment = 32;
  out.multiProcessorCount = p.multiprocessors;
  out.canMapHostMemory = 1;
  fill_image_limits(out, p);
  out.surfaceAlignment = 512;
  out.concurrentKernels = 1;
  out.pciBusID = ordinal + kPciBusOfFirst;
  out.asyncEngineCount = p.copy_engines;
  out.unifiedAddressing = 1;
  out.memoryBusWidth = p.memory_bus_bits;
  out.l2CacheSize = static_cast<int>(p.l2_bytes);
  out.persistingL2CacheMaxSize = device_attribute(p, 108).value_or(0);
  out.accessPolicyMaxWindowSize = device_attribute(p, 109).value_or(0);
  out.maxThreadsPerMultiProcessor = p.max_threads_per_multiprocessor;
  out.streamPrioritiesSupported = device_attribute(p, 78).value_or(0);
  out.globalL1CacheSupported = 1;
  out.localL1CacheSupported = 1;
  out.sharedMemPerMultiprocessor = p.shared_per_multiprocessor;
  out.regsPerMultiprocessor = p.registers_per_multiprocessor;
  out.managedMemory = 1;
  out.pageableMemoryAccess = p.pageable_memory_access ? 1 : 0;
  out.concurrentManagedAccess = p.concurrent_managed_access ? 1 : 0;
  out.computePreemptionSupported = p.cc_major >= 6 ? 1 : 0;
  out.canUseHostPointerForRegisteredMem = 1;
  out.cooperativeLaunch = p.cc_major >= 6 ? 1 : 0;
  out.sharedMemPerBlockOptin = p.shared_per_block_optin;
  out.maxBlocksPerMultiProcessor = p.max_blocks_per_multiprocessor;
  out.reservedSharedMemPerBlock = p.reserved_shared_per_block;
}

// The fields that CUDA 13 removed.
void fill_old(DeviceProp11& out, const device::Properties& p) {
  out.maxTexture1DLinear = device_attribute(p, 69).value_or(0);
  out.singleToDoublePrecisionPerfRatio = device_attribute(p, 87).value_or(0);
  out.clockRate = p.core_clock_khz;
  out.memoryClockRate = p.memory_clock_khz;
  out.deviceOverlap = p.copy_engines > 0 ? 1 : 0;
}

template <class Prop>
void fill_new(Prop& out, const device::Properties& p) {
  out.hostRegisterSupported = 1;
  out.memoryPoolsSupported = 1;
  out.clusterLaunch = p.max_cluster_blocks > 0 ? 1 : 0;
}

}  // namespace

void fill(DeviceProp11& out, const device::Properties& properties, int ordinal) {
  fill_common(out, properties, ordinal);
  fill_old(out, properties);
}

void fill(DeviceProp12& out, const device::Properties& properties, int ordinal) {
  fill_common(out, properties, ordinal);
  fill_old(out, properties);
  fill_new(out, properties);
}

void fill(DeviceProp13& out, const device::Properties& properties, int ordinal) {
  fill_common(out, properties, ordinal);
  fill_new(out, properties);
  out.deviceNumaId = -1;
  out.hostNumaId = -1;
}

int ordinal_of(MemLocation location) {
  constexpr int kDevice = 1, kHost = 2, kHostNuma = 3, kHostNumaCurrent = 4;  // cudaMemLocationType
  if (location.type == kDevice) {
    return location.id;
  }
  const bool host = location.type == kHost || location.type == kHostNuma || location.type == kHostNumaCurrent;
  return host ? -1 : -2;
}

}  // namespace hpml::sim::cudart
