// Question: is our occupancy NVIDIA's? Compared with the calculator of the CUDA toolkit where one is installed, on
// every GPU, for block sizes, registers and shared memory all over their ranges.
#include <gtest/gtest.h>

#include "simulator/tests/timing/gpus.hpp"
#include "simulator/timing/occupancy.hpp"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>

namespace hpml::sim::timing {
namespace {

cudaOccDeviceProp properties_of(const GpuSpec& spec) {
  cudaOccDeviceProp p;
  p.computeMajor = spec.identity.cc_major;
  p.computeMinor = spec.identity.cc_minor;
  p.maxThreadsPerBlock = static_cast<int>(spec.limits.max_threads_per_block);
  p.maxThreadsPerMultiprocessor = static_cast<int>(spec.limits.max_threads_per_sm);
  p.regsPerBlock = static_cast<int>(spec.limits.registers_per_block);
  p.regsPerMultiprocessor = static_cast<int>(spec.limits.registers_per_sm);
  p.warpSize = 32;
  p.sharedMemPerBlock = spec.limits.shared_per_block_bytes;
  p.sharedMemPerMultiprocessor = spec.limits.shared_per_sm_bytes;
  p.numSms = static_cast<int>(spec.topology.sms);
  p.sharedMemPerBlockOptin = spec.limits.shared_per_block_optin_bytes;
  p.reservedSharedMemPerBlock = spec.limits.shared_reserved_bytes;
  return p;
}

// -1: the toolkit's calculator does not know the GPU.
int theirs(const GpuSpec& spec, const BlockNeeds& needs) {
  const cudaOccDeviceProp properties = properties_of(spec);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = properties.maxThreadsPerBlock;
  attributes.numRegs = static_cast<int>(needs.registers_per_thread);
  attributes.sharedSizeBytes = 0;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = spec.limits.shared_per_block_optin_bytes;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result;
  const auto error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                             static_cast<int>(needs.threads), needs.shared_bytes);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

TEST(OccupancyCalculator, AgreesWithTheToolkits) {
  int compared = 0;
  for (const std::string& key : all_gpus()) {
    const GpuSpec spec = gpu(key);
    for (uint32_t threads = 1; threads <= 1024; threads += threads < 64 ? 7 : 31) {
      for (uint32_t registers = 1; registers <= 255; registers += 9) {
        for (uint32_t shared = 0; shared <= spec.limits.shared_per_block_optin_bytes; shared += 1777) {
          const BlockNeeds needs{threads, registers, shared};
          const int expected = theirs(spec, needs);
          if (expected >= 0) {
            ++compared;
            ASSERT_EQ(static_cast<int>(occupancy(spec, needs).blocks_per_sm), expected)
                << key << ": " << threads << " threads, " << registers << " registers, " << shared << " B";
          }
        }
      }
    }
  }
  EXPECT_GT(compared, 100000);
}

}  // namespace
}  // namespace hpml::sim::timing
#else
TEST(OccupancyCalculator, AgreesWithTheToolkits) { GTEST_SKIP() << "no CUDA toolkit is installed"; }
#endif
