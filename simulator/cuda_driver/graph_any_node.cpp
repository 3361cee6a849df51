// Nodes of any kind by one structure, CUgraphNodeParams. It differs from the runtime's in kernels, which a CUkernel may
// name, and in copies, which are described as for cuMemcpy3D.
#include "simulator/cuda_driver/copy_box.hpp"
#include "simulator/cuda_driver/graph_calls.hpp"

namespace hpml::sim::cuda_driver {
namespace {

using cudart::Node;
using cudart::NodeParams;
using cudart::Work;

enum NodeType : int { kKernel = 0, kMemcpy = 1, kBatchOperation = 12 };  // CUgraphNodeType

struct CopyNode {  // CUDA_MEMCPY_NODE_PARAMS
  int flags, reserved;
  void* context;
  Copy3D copy;
};

struct AnyNode {  // CUgraphNodeParams
  int type, reserved[3];
  union {
    long long bytes[29];
    KernelNode kernel;
    CopyNode copy;
  };
  long long reserved2;
};
static_assert(sizeof(AnyNode) == sizeof(NodeParams));

Error any_work(Runtime& runtime, Context& context, AnyNode& asked, Work& work) {
  if (asked.type == kBatchOperation) {
    return cudart::refuse("cuGraphAddNode: nodes of memory operations");
  }
  if (asked.type == kMemcpy) {
    CopyWork copy;
    const Error error = cuda_driver::to_work(runtime, asked.copy.copy, copy);
    return error == Error::success ? cudart::to_work(runtime, context, copy, work) : error;
  }
  auto& same = reinterpret_cast<NodeParams&>(asked);
  if (asked.type == kKernel && same.kernel.function == nullptr) {
    NodeParams named = same;
    named.kernel.function = asked.kernel.kernel;
    return cudart::to_work(runtime, context, named, work);
  }
  return cudart::to_work(runtime, context, same, work);
}

int add_any(void** node, void* graph, void* const* dependencies, const void* edge_data, size_t count, AnyNode* what) {
  return forward("cuGraphAddNode", [&] {
    return cudart::add_node("cuGraphAddNode", node, graph, dependencies, count,
                            [&](Runtime& runtime, Context& context, Work& work) {
                              if (edge_data != nullptr && !cudart::full_edges(edge_data, count)) {
                                return cudart::refuse("cuGraphAddNode: programmatic dependencies");
                              }
                              return what != nullptr ? any_work(runtime, context, *what, work) : Error::invalid_value;
                            });
  });
}

Error change_any(Runtime& runtime, Node& node, AnyNode* what) {
  return cudart::change(runtime, node, [&](Runtime& r, Context& context, Work& work) {
    return what != nullptr ? any_work(r, context, *what, work) : Error::invalid_value;
  });
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;

HPML_CU_API int cuGraphAddNode(void** node, void* graph, void* const* dependencies, size_t count, AnyNode* what) {
  return add_any(node, graph, dependencies, nullptr, count, what);
}
HPML_CU_API int cuGraphAddNode_v2(void** node, void* graph, void* const* dependencies, const void* edge_data,
                                  size_t count, AnyNode* what) {
  return add_any(node, graph, dependencies, edge_data, count, what);
}
HPML_CU_API int cuGraphNodeSetParams(void* node, AnyNode* what) {
  return forward("cuGraphNodeSetParams", [&] {
    return cudart::node_call("cuGraphNodeSetParams", node,
                             [&](Runtime& runtime, cudart::Node& found) { return change_any(runtime, found, what); });
  });
}
HPML_CU_API int cuGraphExecNodeSetParams(void* exec, void* node, AnyNode* what) {
  return forward("cuGraphExecNodeSetParams", [&] {
    return cudart::exec_node_call("cuGraphExecNodeSetParams", exec, node, [&](Runtime& runtime, cudart::Node& copy) {
      return change_any(runtime, copy, what);
    });
  });
}
