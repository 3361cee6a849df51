// Executable graphs and how they are changed: the runtime's, under the driver's names.
#include "simulator/cuda_driver/copy_box.hpp"
#include "simulator/cuda_driver/graph_calls.hpp"

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuGraphInstantiate(void** exec, void* graph, void** error_node, char*, size_t) {
  return forward("cuGraphInstantiate",
                 [&] { return cudart::graph_instantiate("cuGraphInstantiate", exec, graph, 0, error_node, nullptr); });
}
HPML_CU_API int cuGraphInstantiate_v2(void** exec, void* graph, void** error_node, char*, size_t) {
  return forward("cuGraphInstantiate",
                 [&] { return cudart::graph_instantiate("cuGraphInstantiate", exec, graph, 0, error_node, nullptr); });
}
HPML_CU_API int cuGraphInstantiateWithParams(void** exec, void* graph, void* params) {
  return forward("cuGraphInstantiateWithParams", [&] { return cudaGraphInstantiateWithParams(exec, graph, params); });
}
HPML_CU_API int cuGraphInstantiateWithParams_ptsz(void** exec, void* graph, void* params) {
  return forward("cuGraphInstantiateWithParams",
                 [&] { return cudaGraphInstantiateWithParams_ptsz(exec, graph, params); });
}
HPML_CU_API int cuGraphExecGetFlags(void* exec, unsigned long long* flags) {
  return forward("cuGraphExecGetFlags", [&] { return cudaGraphExecGetFlags(exec, flags); });
}
HPML_CU_API int cuGraphExecUpdate(void* exec, void* graph, void** error_node, int* result) {
  return forward("cuGraphExecUpdate", [&] {
    cudart::UpdateResult found;
    const int error = cudart::graph_exec_update(exec, graph, found);
    if (error_node != nullptr) {
      *error_node = found.node;
    }
    if (result != nullptr) {
      *result = found.result;
    }
    return error;
  });
}

struct UpdateResultInfo {  // CUgraphExecUpdateResultInfo
  int result;
  void *error_node, *error_from_node;
};
HPML_CU_API int cuGraphExecUpdate_v2(void* exec, void* graph, UpdateResultInfo* info) {
  return forward("cuGraphExecUpdate", [&] {
    cudart::UpdateResult found;
    const int error = cudart::graph_exec_update(exec, graph, found);
    if (info != nullptr) {
      *info = {found.result, found.node, nullptr};
    }
    return error;
  });
}
