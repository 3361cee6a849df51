// Occupancy: how many blocks of a kernel are resident on a multiprocessor.
#include "simulator/cudart/api/kernel_call.hpp"
#include "simulator/cudart/api/launch_attribute.hpp"

namespace hpml::sim::cudart {
namespace {

int max_blocks(int* blocks, const void* stub, int threads, size_t shared, unsigned flags) {
  constexpr const char* kName = "cudaOccupancyMaxActiveBlocksPerMultiprocessor";
  return kernel_call(kName, stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    constexpr unsigned kDisableCachingOverride = 1;
    if (blocks == nullptr || threads <= 0 || flags > kDisableCachingOverride) {
      return Error::invalid_value;
    }
    *blocks = context.device().occupancy(kernel, threads, shared).blocks_per_multiprocessor;
    return Error::success;
  });
}

// The largest dynamic shared memory with which `blocks` blocks are still resident: occupancy falls as it grows.
size_t available_shared(device::Device& device, device::KernelId kernel, int blocks, int threads) {
  size_t low = 0;
  size_t high = device.properties().shared_per_multiprocessor;
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (device.occupancy(kernel, threads, middle).blocks_per_multiprocessor >= blocks) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// Blocks in one cluster of this launch.
uint64_t cluster_blocks(const LaunchConfig& config) {
  for (unsigned i = 0; i < config.count; ++i) {
    const LaunchAttribute& attribute = config.attributes[i];
    if (attribute.id == kAttributeClusterDimension) {
      return uint64_t{attribute.value.cluster[0]} * attribute.value.cluster[1] * attribute.value.cluster[2];
    }
  }
  return 1;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace device = hpml::sim::device;

HPML_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                                size_t shared) {
  return max_blocks(blocks, stub, threads, shared, 0);
}
HPML_CUDA_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub, int threads,
                                                                         size_t shared, unsigned flags) {
  return max_blocks(blocks, stub, threads, shared, flags);
}

HPML_CUDA_API int cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks, int threads) {
  return kernel_call("cudaOccupancyAvailableDynamicSMemPerBlock", stub,
                     [&](Runtime&, Context& context, device::KernelId kernel) {
                       if (bytes == nullptr || blocks <= 0 || threads <= 0) {
                         return Error::invalid_value;
                       }
                       *bytes = available_shared(context.device(), kernel, blocks, threads);
                       return Error::success;
                     });
}

// Clusters of one block are what every launch has.
HPML_CUDA_API int cudaOccupancyMaxActiveClusters(int* clusters, const void* stub, const void* config) {
  return kernel_call("cudaOccupancyMaxActiveClusters", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    const auto* launch = static_cast<const LaunchConfig*>(config);
    if (clusters == nullptr || launch == nullptr) {
      return Error::invalid_value;
    }
    if (cluster_blocks(*launch) != 1) {
      return refuse("cudaOccupancyMaxActiveClusters: clusters of several blocks");
    }
    const int threads = static_cast<int>(launch->block.count());
    const int per_multiprocessor =
        context.device().occupancy(kernel, threads, launch->shared).blocks_per_multiprocessor;
    *clusters = per_multiprocessor * context.device().properties().multiprocessors;
    return Error::success;
  });
}
HPML_CUDA_API int cudaOccupancyMaxPotentialClusterSize(int* size, const void* stub, const void* config) {
  return kernel_call("cudaOccupancyMaxPotentialClusterSize", stub, [&](Runtime&, Context&, device::KernelId) {
    return size != nullptr && config != nullptr ? (*size = 1, Error::success) : Error::invalid_value;
  });
}
