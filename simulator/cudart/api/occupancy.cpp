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

// A launch of the configuration, as far as clusters ask for it.
Error request_of(Context& context, device::KernelId kernel, const LaunchConfig& config,
                 device::LaunchRequest& request) {
  MeaningfulAttributes meant;
  if (const Error error = read_attributes("cudaOccupancyMaxActiveClusters", config, meant); error != Error::success) {
    return error;
  }
  KernelWork work{.kernel = kernel,
                  .grid = config.grid,
                  .block = config.block,
                  .cluster = meant.cluster,
                  .dynamic_shared = static_cast<uint32_t>(config.shared),
                  .params = {}};
  take_cluster_settings(context.function_settings[kernel], work);
  request = cudart::request_of(work);
  return Error::success;
}

Error active_clusters(Context& context, device::KernelId kernel, const LaunchConfig& config, int& clusters) {
  device::LaunchRequest request;
  if (const Error error = request_of(context, kernel, config, request); error != Error::success) {
    return error;
  }
  const int threads = static_cast<int>(config.block.count());
  const bool fits = context.device().occupancy(kernel, threads, config.shared).blocks_per_multiprocessor > 0;
  const device::LaunchError wrong = context.device().check_launch(request);
  if (wrong == device::LaunchError::invalid_cluster_size || wrong == device::LaunchError::no_clusters) {
    return error_of(wrong);
  }
  clusters = fits ? static_cast<int>(context.device().active_clusters(request)) : 0;
  return Error::success;
}

// The largest cluster, along x, of which one at least is resident.
Error largest_cluster(Context& context, device::KernelId kernel, const LaunchConfig& config, int& size) {
  device::LaunchRequest request;
  if (const Error error = request_of(context, kernel, config, request); error != Error::success) {
    return error;
  }
  const device::Properties& chip = context.device().properties();
  size = request.non_portable_cluster ? chip.max_cluster_blocks : chip.portable_cluster_blocks;
  for (; size > 1; --size) {
    request.cluster = Dim3{.x = static_cast<uint32_t>(size), .y = 1, .z = 1};
    if (context.device().active_clusters(request) > 0) {
      return Error::success;
    }
  }
  size = 1;
  return Error::success;
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

HPML_CUDA_API int cudaOccupancyMaxActiveClusters(int* clusters, const void* stub, const void* config) {
  return kernel_call("cudaOccupancyMaxActiveClusters", stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    const auto* launch = static_cast<const LaunchConfig*>(config);
    return clusters != nullptr && launch != nullptr ? active_clusters(context, kernel, *launch, *clusters)
                                                    : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaOccupancyMaxPotentialClusterSize(int* size, const void* stub, const void* config) {
  constexpr const char* kName = "cudaOccupancyMaxPotentialClusterSize";
  return kernel_call(kName, stub, [&](Runtime&, Context& context, device::KernelId kernel) {
    const auto* launch = static_cast<const LaunchConfig*>(config);
    return size != nullptr && launch != nullptr ? largest_cluster(context, kernel, *launch, *size)
                                                : Error::invalid_value;
  });
}
