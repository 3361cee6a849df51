// Parameters of graph nodes: read, and changed in a graph or in an executable one.
#include <algorithm>

#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {
namespace {

// `body(T&) -> Error` with the node's work, when it is of that kind.
template <class T, class Body>
int work_call(const char* name, void* handle, Body body) {
  return node_call(name, handle, [&](Runtime&, Node& node) {
    T* work = std::get_if<T>(&node.work);
    return work != nullptr ? body(node, *work) : Error::invalid_value;
  });
}

template <class T>
Error put(T* out, const T& value) {
  return out != nullptr ? (*out = value, Error::success) : Error::invalid_value;
}

// Parameters as the program would have to give them to make the node again.
KernelNodeParams params_of(Node& node, const KernelWork& kernel) {
  node.arguments.clear();
  for (const device::KernelParam& param : node.context->device().kernel(kernel.kernel).params) {
    node.arguments.push_back(const_cast<std::byte*>(kernel.params.data()) + param.offset);
  }
  return {kernel.function, kernel.grid, kernel.block, kernel.dynamic_shared, node.arguments.data(), nullptr};
}

PitchedPointer pitched(const CopySide& side, const CopyWork& copy) {
  const uint64_t rows = side.slice > 0 && side.pitch > 0 ? side.slice / side.pitch : copy.height;
  return {.pointer = side.pointer, .pitch = side.pitch, .width = copy.width, .height = rows};
}

Copy3D params_of(const CopyWork& copy) {
  const bool was_asked_for = copy.asked.extent.width > 0;
  if (was_asked_for) {
    return copy.asked;
  }
  Copy3D plain;
  plain.src = pitched(copy.src, copy);
  plain.dst = pitched(copy.dst, copy);
  plain.extent = {copy.width, copy.height, copy.depth};
  plain.kind = copy.kind;
  return plain;
}

MemsetParams params_of(const FillWork& fill) {
  return {fill.dst, fill.pitch, fill.value, fill.element, fill.width, fill.height * fill.depth};
}

AllocNodeParams params_of(const Node& node, const AllocWork& alloc) {
  AllocNodeParams params{};
  params.pool.allocation_type = 1;  // cudaMemAllocationTypePinned
  params.pool.location_type = 1;    // cudaMemLocationTypeDevice
  params.pool.location_id = node.context->ordinal();
  params.bytes = alloc.memory->bytes();
  params.pointer = reinterpret_cast<void*>(alloc.memory->address());
  return params;
}

// New parameters for a node of a graph, or for its copy in an executable graph.
template <class T>
int set_params(const char* name, void* node_handle, T* asked) {
  return node_call(name, node_handle, [&](Runtime& runtime, Node& node) {
    return asked == nullptr ? Error::invalid_value : change(runtime, node, [&](auto& r, auto& context, Work& work) {
      return to_work(r, context, *asked, work);
    });
  });
}
template <class T>
int set_exec_params(const char* name, void* exec, void* node_handle, T* asked) {
  return exec_node_call(name, exec, node_handle, [&](Runtime& runtime, Node& node) {
    return asked == nullptr ? Error::invalid_value : change(runtime, node, [&](auto& r, auto& context, Work& work) {
      return to_work(r, context, *asked, work);
    });
  });
}

struct SymbolCopy {
  CopyWork copy;
  const void* symbol;
  size_t offset;
  bool to_symbol;
};

Error change_symbol_copy(Runtime& runtime, Node& node, SymbolCopy asked) {
  return change(runtime, node, [&](Runtime& r, Context& context, Work& work) {
    const Error error = symbol_copy_work(r, context, asked.symbol, asked.offset, asked.copy, asked.to_symbol);
    return error == Error::success ? to_work(r, context, asked.copy, work) : error;
  });
}

int set_symbol_copy(const char* name, void* node_handle, const SymbolCopy& asked) {
  return node_call(name, node_handle,
                   [&](Runtime& runtime, Node& node) { return change_symbol_copy(runtime, node, asked); });
}
int set_exec_symbol_copy(const char* name, void* exec, void* node_handle, const SymbolCopy& asked) {
  return exec_node_call(name, exec, node_handle,
                        [&](Runtime& runtime, Node& node) { return change_symbol_copy(runtime, node, asked); });
}

// A child node of an executable graph takes over the work of a graph of the same shape.
Error replace_child(Runtime& runtime, Node& node, const void* graph_handle) {
  const Graph* graph = runtime.graphs.graph(graph_handle);
  auto* child = std::get_if<ChildWork>(&node.work);
  if (graph == nullptr || child == nullptr || graph->nodes().size() != child->graph->nodes().size()) {
    return Error::invalid_value;
  }
  child->graph = graph->clone();
  return Error::success;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphKernelNodeGetParams(void* node, KernelNodeParams* out) {
  return work_call<KernelWork>("cudaGraphKernelNodeGetParams", node, [&](Node& n, KernelWork& kernel) {
    return out != nullptr ? (*out = params_of(n, kernel), Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaGraphKernelNodeSetParams(void* node, const KernelNodeParams* asked) {
  return set_params("cudaGraphKernelNodeSetParams", node, asked);
}
HPML_CUDA_API int cudaGraphMemcpyNodeGetParams(void* node, Copy3D* out) {
  return work_call<CopyWork>("cudaGraphMemcpyNodeGetParams", node,
                             [&](Node&, CopyWork& copy) { return put(out, params_of(copy)); });
}
HPML_CUDA_API int cudaGraphMemcpyNodeSetParams(void* node, const Copy3D* asked) {
  return set_params("cudaGraphMemcpyNodeSetParams", node, asked);
}
HPML_CUDA_API int cudaGraphMemcpyNodeSetParams1D(void* node, void* dst, const void* src, size_t bytes, int kind) {
  const CopyWork copy = copy_bytes(dst, src, bytes, kind);
  return set_params("cudaGraphMemcpyNodeSetParams1D", node, &copy);
}
HPML_CUDA_API int cudaGraphMemcpyNodeSetParamsToSymbol(void* node, const void* symbol, const void* src, size_t bytes,
                                                       size_t offset, int kind) {
  return set_symbol_copy("cudaGraphMemcpyNodeSetParamsToSymbol", node,
                         {copy_bytes(nullptr, src, bytes, kind), symbol, offset, true});
}
HPML_CUDA_API int cudaGraphMemcpyNodeSetParamsFromSymbol(void* node, void* dst, const void* symbol, size_t bytes,
                                                         size_t offset, int kind) {
  return set_symbol_copy("cudaGraphMemcpyNodeSetParamsFromSymbol", node,
                         {copy_bytes(dst, nullptr, bytes, kind), symbol, offset, false});
}
HPML_CUDA_API int cudaGraphMemsetNodeGetParams(void* node, MemsetParams* out) {
  return work_call<FillWork>("cudaGraphMemsetNodeGetParams", node,
                             [&](Node&, FillWork& fill) { return put(out, params_of(fill)); });
}
HPML_CUDA_API int cudaGraphMemsetNodeSetParams(void* node, const MemsetParams* asked) {
  return set_params("cudaGraphMemsetNodeSetParams", node, asked);
}
HPML_CUDA_API int cudaGraphHostNodeGetParams(void* node, HostNodeParams* out) {
  return work_call<HostWork>("cudaGraphHostNodeGetParams", node, [&](Node&, HostWork& host) {
    return put(out, HostNodeParams{host.function, host.data});
  });
}
HPML_CUDA_API int cudaGraphHostNodeSetParams(void* node, const HostNodeParams* asked) {
  return set_params("cudaGraphHostNodeSetParams", node, asked);
}
HPML_CUDA_API int cudaGraphChildGraphNodeGetGraph(void* node, void** out) {
  return work_call<ChildWork>("cudaGraphChildGraphNodeGetGraph", node,
                              [&](Node&, ChildWork& child) { return put<void*>(out, child.graph.get()); });
}
HPML_CUDA_API int cudaGraphEventRecordNodeGetEvent(void* node, void** out) {
  return work_call<RecordWork>("cudaGraphEventRecordNodeGetEvent", node,
                               [&](Node&, RecordWork& record) { return put<void*>(out, record.event); });
}
HPML_CUDA_API int cudaGraphEventRecordNodeSetEvent(void* node, void* event) {
  NodeParams asked{.type = 7, .reserved = {}, .handle = event, .reserved2 = 0};
  return set_params("cudaGraphEventRecordNodeSetEvent", node, &asked);
}
HPML_CUDA_API int cudaGraphEventWaitNodeGetEvent(void* node, void** out) {
  return work_call<WaitWork>("cudaGraphEventWaitNodeGetEvent", node,
                             [&](Node&, WaitWork& wait) { return put<void*>(out, wait.event); });
}
HPML_CUDA_API int cudaGraphEventWaitNodeSetEvent(void* node, void* event) {
  NodeParams asked{.type = 6, .reserved = {}, .handle = event, .reserved2 = 0};
  return set_params("cudaGraphEventWaitNodeSetEvent", node, &asked);
}
HPML_CUDA_API int cudaGraphMemAllocNodeGetParams(void* node, AllocNodeParams* out) {
  return work_call<AllocWork>("cudaGraphMemAllocNodeGetParams", node,
                              [&](Node& n, AllocWork& alloc) { return put(out, params_of(n, alloc)); });
}
HPML_CUDA_API int cudaGraphMemFreeNodeGetParams(void* node, void* out) {
  return work_call<FreeWork>("cudaGraphMemFreeNodeGetParams", node,
                             [&](Node&, FreeWork& free) { return put(static_cast<void**>(out), free.pointer); });
}
HPML_CUDA_API int cudaGraphNodeSetParams(void* node, NodeParams* asked) {
  return set_params("cudaGraphNodeSetParams", node, asked);
}

HPML_CUDA_API int cudaGraphExecKernelNodeSetParams(void* exec, void* node, const KernelNodeParams* asked) {
  return set_exec_params("cudaGraphExecKernelNodeSetParams", exec, node, asked);
}
HPML_CUDA_API int cudaGraphExecMemcpyNodeSetParams(void* exec, void* node, const Copy3D* asked) {
  return set_exec_params("cudaGraphExecMemcpyNodeSetParams", exec, node, asked);
}
HPML_CUDA_API int cudaGraphExecMemcpyNodeSetParams1D(void* exec, void* node, void* dst, const void* src, size_t bytes,
                                                     int kind) {
  const CopyWork copy = copy_bytes(dst, src, bytes, kind);
  return set_exec_params("cudaGraphExecMemcpyNodeSetParams1D", exec, node, &copy);
}
HPML_CUDA_API int cudaGraphExecMemcpyNodeSetParamsToSymbol(void* exec, void* node, const void* symbol, const void* src,
                                                           size_t bytes, size_t offset, int kind) {
  return set_exec_symbol_copy("cudaGraphExecMemcpyNodeSetParamsToSymbol", exec, node,
                              {copy_bytes(nullptr, src, bytes, kind), symbol, offset, true});
}
HPML_CUDA_API int cudaGraphExecMemcpyNodeSetParamsFromSymbol(void* exec, void* node, void* dst, const void* symbol,
                                                             size_t bytes, size_t offset, int kind) {
  return set_exec_symbol_copy("cudaGraphExecMemcpyNodeSetParamsFromSymbol", exec, node,
                              {copy_bytes(dst, nullptr, bytes, kind), symbol, offset, false});
}
HPML_CUDA_API int cudaGraphExecMemsetNodeSetParams(void* exec, void* node, const MemsetParams* asked) {
  return set_exec_params("cudaGraphExecMemsetNodeSetParams", exec, node, asked);
}
HPML_CUDA_API int cudaGraphExecHostNodeSetParams(void* exec, void* node, const HostNodeParams* asked) {
  return set_exec_params("cudaGraphExecHostNodeSetParams", exec, node, asked);
}
HPML_CUDA_API int cudaGraphExecEventRecordNodeSetEvent(void* exec, void* node, void* event) {
  NodeParams asked{.type = 7, .reserved = {}, .handle = event, .reserved2 = 0};
  return set_exec_params("cudaGraphExecEventRecordNodeSetEvent", exec, node, &asked);
}
HPML_CUDA_API int cudaGraphExecEventWaitNodeSetEvent(void* exec, void* node, void* event) {
  NodeParams asked{.type = 6, .reserved = {}, .handle = event, .reserved2 = 0};
  return set_exec_params("cudaGraphExecEventWaitNodeSetEvent", exec, node, &asked);
}
HPML_CUDA_API int cudaGraphExecNodeSetParams(void* exec, void* node, NodeParams* asked) {
  return set_exec_params("cudaGraphExecNodeSetParams", exec, node, asked);
}
HPML_CUDA_API int cudaGraphExecChildGraphNodeSetParams(void* exec, void* node, void* graph) {
  return exec_node_call("cudaGraphExecChildGraphNodeSetParams", exec, node,
                        [&](Runtime& runtime, Node& copy) { return replace_child(runtime, copy, graph); });
}
