// The occupancy calculator.
#include <algorithm>

#include "simulator/cuda_driver/frame.hpp"
#include "simulator/cuda_driver/launch_config.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using SharedOfBlock = size_t (*)(int threads);  // CUoccupancyB2DSize

int max_blocks(const char* name, int* blocks, void* function, int threads, size_t shared, unsigned flags) {
  return forward(name, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags);
  });
}

// `call` of the runtime, with the runtime's form of the configuration.
int with_clusters(const char* name, int (*call)(int*, const void*, const void*), int* out, void* function,
                  const LaunchConfig* config) {
  return forward(name, [&] {
    if (config == nullptr) {
      return static_cast<int>(Error::invalid_value);
    }
    const RuntimeLaunchConfig same = as_runtime(*config);
    return call(out, function, &same);
  });
}

struct Best {
  int threads = 0, blocks = 0;
};

// Tries every block size of whole warps, the largest first, and keeps the one with the most threads resident.
int find_best(void* function, SharedOfBlock shared_of, size_t shared, int largest, int warp, Best& best) {
  const int start = (largest + warp - 1) / warp * warp;
  for (int rounded = start; rounded > 0; rounded -= warp) {
    const int threads = std::min(rounded, largest);
    const size_t bytes = shared_of != nullptr ? shared_of(threads) : shared;
    int blocks = 0;
    const int error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, threads, bytes, 0);
    if (error != 0) {
      return error;
    }
    if (blocks * threads > best.blocks * best.threads) {
      best = {threads, blocks};
    }
  }
  return 0;
}

int best_block_size(const char* name, int* grid, int* block, void* function, SharedOfBlock shared_of, size_t shared,
                    int limit) {
  return forward(name, [&] {
    cudart::FunctionAttributes known;
    Error start = Error::success;
    Context* context = Runtime::get().context(start);
    if (grid == nullptr || block == nullptr || context == nullptr) {
      return static_cast<int>(context == nullptr ? start : Error::invalid_value);
    }
    if (const int error = cudart::function_attributes(function, known); error != 0) {
      return error;
    }
    const auto& properties = context->device().properties();
    const int most = std::min(known.max_threads, properties.max_threads_per_block);
    Best best;
    const int error =
        find_best(function, shared_of, shared, limit > 0 ? std::min(limit, most) : most, properties.warp_size, best);
    *block = best.threads;
    *grid = best.blocks * properties.multiprocessors;
    return error;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CU_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) {
  return max_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessor", blocks, function, threads, shared, 0);
}
HPML_CU_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function, int threads,
                                                                     size_t shared, unsigned flags) {
  return max_blocks("cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", blocks, function, threads, shared, flags);
}
HPML_CU_API int cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function, SharedOfBlock shared_of,
                                                 size_t shared, int limit) {
  return best_block_size("cuOccupancyMaxPotentialBlockSize", grid, block, function, shared_of, shared, limit);
}
HPML_CU_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function,
                                                          SharedOfBlock shared_of, size_t shared, int limit, unsigned) {
  return best_block_size("cuOccupancyMaxPotentialBlockSizeWithFlags", grid, block, function, shared_of, shared, limit);
}
HPML_CU_API int cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void* function, int blocks, int threads) {
  return forward("cuOccupancyAvailableDynamicSMemPerBlock",
                 [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}
HPML_CU_API int cuOccupancyMaxActiveClusters(int* clusters, void* function, const LaunchConfig* config) {
  return with_clusters("cuOccupancyMaxActiveClusters", cudaOccupancyMaxActiveClusters, clusters, function, config);
}
HPML_CU_API int cuOccupancyMaxPotentialClusterSize(int* size, void* function, const LaunchConfig* config) {
  return with_clusters("cuOccupancyMaxPotentialClusterSize", cudaOccupancyMaxPotentialClusterSize, size, function,
                       config);
}
