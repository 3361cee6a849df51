// Our structures of CUDA 13 against the installed header, where there is one.
#include <gtest/gtest.h>

#include "simulator/cudart/abi/layout.hpp"

#ifdef HPML_HAVE_CUDA_13_HEADERS
#include <driver_types.h>

namespace {

using hpml::sim::cudart::DeviceProp13;
using hpml::sim::cudart::FuncAttributes12;
using hpml::sim::cudart::PointerAttributes13;

#define SAME_FIELD(ours, theirs, field)                            \
  static_assert(offsetof(ours, field) == offsetof(theirs, field)); \
  static_assert(sizeof(ours::field) == sizeof(theirs::field))

TEST(Cuda13Header, StructuresAreTheSame) {
  EXPECT_EQ(sizeof(DeviceProp13), sizeof(cudaDeviceProp));
  SAME_FIELD(DeviceProp13, cudaDeviceProp, totalGlobalMem);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, maxGridSize);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, major);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, multiProcessorCount);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, surfaceAlignment);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, l2CacheSize);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, maxThreadsPerMultiProcessor);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, concurrentManagedAccess);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, sharedMemPerBlockOptin);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, reservedSharedMemPerBlock);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, memoryPoolsSupported);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, hostNumaId);
  SAME_FIELD(DeviceProp13, cudaDeviceProp, reserved);
  EXPECT_EQ(sizeof(FuncAttributes12), sizeof(cudaFuncAttributes));
  SAME_FIELD(FuncAttributes12, cudaFuncAttributes, numRegs);
  SAME_FIELD(FuncAttributes12, cudaFuncAttributes, preferredShmemCarveout);
  SAME_FIELD(FuncAttributes12, cudaFuncAttributes, reserved);
  EXPECT_EQ(sizeof(PointerAttributes13), sizeof(cudaPointerAttributes));
  SAME_FIELD(PointerAttributes13, cudaPointerAttributes, hostPointer);
}

}  // namespace
#else
TEST(Cuda13Header, StructuresAreTheSame) { GTEST_SKIP() << "no CUDA 13 headers are installed"; }
#endif
