// Our structures of CUDA 13 against the installed header, where there is one.
#include <gtest/gtest.h>

#include "simulator/cudart/abi/layout.hpp"
#include "simulator/cudart/api/graph.hpp"
#include "simulator/cudart/api/launch_attribute.hpp"

#ifdef HPML_HAVE_CUDA_13_HEADERS
#include <cuda_runtime_api.h>

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

// What programs pass by pointer to graph and launch calls: the same in every major.
TEST(Cuda13Header, GraphAndLaunchStructuresAreTheSame) {
  using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): a dozen names of it
  EXPECT_EQ(sizeof(Copy3D), sizeof(cudaMemcpy3DParms));
  EXPECT_EQ(offsetof(Copy3D, dst_array), offsetof(cudaMemcpy3DParms, dstArray));
  EXPECT_EQ(offsetof(Copy3D, extent), offsetof(cudaMemcpy3DParms, extent));
  EXPECT_EQ(offsetof(Copy3D, kind), offsetof(cudaMemcpy3DParms, kind));
  EXPECT_EQ(sizeof(KernelNodeParams), sizeof(cudaKernelNodeParams));
  EXPECT_EQ(offsetof(KernelNodeParams, shared), offsetof(cudaKernelNodeParams, sharedMemBytes));
  EXPECT_EQ(offsetof(KernelNodeParams, extra), offsetof(cudaKernelNodeParams, extra));
  EXPECT_EQ(sizeof(MemsetParams), sizeof(cudaMemsetParams));
  EXPECT_EQ(offsetof(MemsetParams, width), offsetof(cudaMemsetParams, width));
  EXPECT_EQ(sizeof(MemPoolProps), sizeof(cudaMemPoolProps));
  EXPECT_EQ(offsetof(MemPoolProps, max_size), offsetof(cudaMemPoolProps, maxSize));
  EXPECT_EQ(sizeof(AllocNodeParams), sizeof(cudaMemAllocNodeParams));
  EXPECT_EQ(offsetof(AllocNodeParams, pointer), offsetof(cudaMemAllocNodeParams, dptr));
  EXPECT_EQ(sizeof(NodeParams), sizeof(cudaGraphNodeParams));
  EXPECT_EQ(offsetof(NodeParams, memcpy), offsetof(cudaGraphNodeParams, memcpy));
  EXPECT_EQ(sizeof(MemcpyNodeParams), sizeof(cudaMemcpyNodeParams));
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(cudaLaunchAttribute));
  EXPECT_EQ(sizeof(LaunchConfig), sizeof(cudaLaunchConfig_t));
  EXPECT_EQ(offsetof(LaunchConfig, count), offsetof(cudaLaunchConfig_t, numAttrs));
}

TEST(Cuda13Header, NodeTypesHaveTheirNumbers) {
  using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): a dozen names of it
  EXPECT_EQ(node_type(KernelWork{}), cudaGraphNodeTypeKernel);
  EXPECT_EQ(node_type(CopyWork{}), cudaGraphNodeTypeMemcpy);
  EXPECT_EQ(node_type(FillWork{}), cudaGraphNodeTypeMemset);
  EXPECT_EQ(node_type(HostWork{}), cudaGraphNodeTypeHost);
  EXPECT_EQ(node_type(ChildWork{}), cudaGraphNodeTypeGraph);
  EXPECT_EQ(node_type(EmptyWork{}), cudaGraphNodeTypeEmpty);
  EXPECT_EQ(node_type(WaitWork{}), cudaGraphNodeTypeWaitEvent);
  EXPECT_EQ(node_type(RecordWork{}), cudaGraphNodeTypeEventRecord);
  EXPECT_EQ(node_type(AllocWork{}), cudaGraphNodeTypeMemAlloc);
  EXPECT_EQ(node_type(FreeWork{}), cudaGraphNodeTypeMemFree);
}

}  // namespace
#else
TEST(Cuda13Header, StructuresAreTheSame) { GTEST_SKIP() << "no CUDA 13 headers are installed"; }
#endif
