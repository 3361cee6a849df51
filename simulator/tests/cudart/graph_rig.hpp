#pragma once
// What the tests of capture and graphs share.
#include <algorithm>

#include "simulator/cudart/api/graph.hpp"
#include "simulator/tests/cudart/runtime_fixture.hpp"

extern "C" {
int cudaStreamBeginCapture(void*, int);
int cudaStreamEndCapture(void*, void**);
int cudaStreamIsCapturing(void*, int*);
int cudaThreadExchangeStreamCaptureMode(int*);
int cudaGraphCreate(void**, unsigned);
int cudaGraphDestroy(void*);
int cudaGraphClone(void**, void*);
int cudaGraphGetNodes(void*, void**, size_t*);
int cudaGraphGetRootNodes(void*, void**, size_t*);
int cudaGraphNodeGetType(void*, int*);
int cudaGraphNodeFindInClone(void**, void*, void*);
int cudaGraphDestroyNode(void*);
int cudaGraphInstantiateWithFlags(void**, void*, unsigned long long);
int cudaGraphLaunch(void*, void*);
int cudaGraphExecDestroy(void*);
int cudaGraphAddKernelNode(void**, void*, void* const*, size_t, const hpml::sim::cudart::KernelNodeParams*);
int cudaGraphKernelNodeGetParams(void*, hpml::sim::cudart::KernelNodeParams*);
int cudaGraphKernelNodeSetParams(void*, const hpml::sim::cudart::KernelNodeParams*);
int cudaGraphExecKernelNodeSetParams(void*, void*, const hpml::sim::cudart::KernelNodeParams*);
int cudaGraphAddMemcpyNode1D(void**, void*, void* const*, size_t, void*, const void*, size_t, int);
int cudaGraphAddMemsetNode(void**, void*, void* const*, size_t, const hpml::sim::cudart::MemsetParams*);
int cudaGraphAddHostNode(void**, void*, void* const*, size_t, const hpml::sim::cudart::HostNodeParams*);
int cudaGraphAddEmptyNode(void**, void*, void* const*, size_t);
int cudaGraphConditionalHandleCreate(unsigned long long*, void*, unsigned, unsigned);
int cudaGraphAddChildGraphNode(void**, void*, void* const*, size_t, void*);
int cudaGraphChildGraphNodeGetGraph(void*, void**);
int cudaGraphNodeSetEnabled(void*, void*, unsigned);
int cudaGraphDebugDotPrint(void*, const char*, unsigned);
int cudaLaunchHostFunc(void*, void (*)(void*), void*);
int cudaStreamAddCallback(void*, void (*)(void*, int, void*), void*, unsigned);
int cudaMemsetAsync(void*, int, size_t, void*);
int cudaMallocAsync(void**, size_t, void*);
int cudaFreeAsync(void*, void*);
int cudaUserObjectCreate(void**, void*, void (*)(void*), unsigned, unsigned);
int cudaGraphRetainUserObject(void*, void*, unsigned, unsigned);
}

namespace hpml::sim::cudart {

class GraphTest : public RuntimeTest {
 protected:
  explicit GraphTest(size_t devices = 1) : RuntimeTest(devices) {}
  void* stream(unsigned flags = 0) {
    void* made = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&made, flags), 0);
    return made;
  }
  void* event() {
    void* made = nullptr;
    EXPECT_EQ(cudaEventCreateWithFlags(&made, 2), 0);
    return made;
  }
  void* graph() {
    void* made = nullptr;
    EXPECT_EQ(cudaGraphCreate(&made, 0), 0);
    return made;
  }
  void* instantiate(void* graph) {
    void* exec = nullptr;
    EXPECT_EQ(cudaGraphInstantiateWithFlags(&exec, graph, 0), 0);
    return exec;
  }
  std::vector<void*> nodes(void* graph) {
    size_t count = 0;
    EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &count), 0);
    std::vector<void*> all(count);
    EXPECT_EQ(cudaGraphGetNodes(graph, all.data(), &count), 0);
    return all;
  }
  int type(void* node) {
    int found = -1;
    EXPECT_EQ(cudaGraphNodeGetType(node, &found), 0);
    return found;
  }
  KernelNodeParams kernel_params(const char* stub, void** arguments = nullptr) {
    return {stub, {1, 1, 1}, {32, 1, 1}, 0, arguments, nullptr};
  }
};

inline constexpr int kKernelNode = 0, kMemcpyNode = 1, kMemsetNode = 2, kHostNode = 3;
inline constexpr int kGlobal = 0, kThreadLocal = 1, kRelaxed = 2;

}  // namespace hpml::sim::cudart
