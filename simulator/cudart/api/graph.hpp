#pragma once
// Shared by the chapters of graph calls: structures of the program, and how they become work.
#include "simulator/cudart/api/capture.hpp"

namespace hpml::sim::cudart {

struct KernelNodeParams {  // cudaKernelNodeParams
  const void* function;
  Dim3 grid, block;
  unsigned shared;
  void** arguments;
  void** extra;
};
static_assert(sizeof(KernelNodeParams) == 56);

struct MemsetParams {  // cudaMemsetParams
  void* dst;
  size_t pitch;
  unsigned value, element;
  size_t width, height;
};
static_assert(sizeof(MemsetParams) == 40);

struct HostNodeParams {  // cudaHostNodeParams
  void (*function)(void*);
  void* data;
};

struct MemPoolProps {  // cudaMemPoolProps
  int allocation_type, handle_types, location_type, location_id;
  void* security;
  size_t max_size;
  char reserved[56];
};
static_assert(sizeof(MemPoolProps) == 88);

struct AllocNodeParams {  // cudaMemAllocNodeParams
  MemPoolProps pool;
  const void* access;
  size_t access_count, bytes;
  void* pointer;
};
static_assert(sizeof(AllocNodeParams) == 120);

struct MemcpyNodeParams {  // cudaMemcpyNodeParams
  int flags, reserved[3];
  Copy3D copy;
};

struct ConditionalNodeParams {  // cudaConditionalNodeParams
  unsigned long long handle;
  int type;
  unsigned size;
  Graph** bodies;
};

struct NodeParams {  // cudaGraphNodeParams
  int type, reserved[3];
  union {
    long long bytes[29];
    KernelNodeParams kernel;
    MemcpyNodeParams memcpy;
    MemsetParams memset;
    HostNodeParams host;
    const void* handle;  // of a child graph or an event
    AllocNodeParams alloc;
    void* pointer;  // to free
    ConditionalNodeParams conditional;
  };
  long long reserved2;
};
static_assert(sizeof(NodeParams) == 256);

// Work of a node from what the program asked for. Errors as the cudaGraphAdd...Node calls.
Error to_work(Runtime& runtime, Context& context, const KernelNodeParams& asked, Work& work);
Error to_work(Runtime& runtime, Context& context, const Copy3D& asked, Work& work);
Error to_work(Runtime& runtime, Context& context, const CopyWork& copy, Work& work);
Error to_work(Runtime& runtime, Context& context, const MemsetParams& asked, Work& work);
Error to_work(Runtime& runtime, Context& context, const HostNodeParams& asked, Work& work);
Error to_work(Runtime& runtime, Context& context, AllocNodeParams& asked, Work& work);
Error to_work(Runtime& runtime, Context& context, NodeParams& asked, Work& work);
int node_type(const Work& work);  // cudaGraphNodeType

// `make(Runtime&, Context&, Work&) -> Error` gives the new node's work.
template <class Make>
int add_node(const char* name, void** node, void* graph_handle, void* const* dependencies, size_t count, Make make) {
  return device_call(name, [&](Runtime& runtime, Context& context, ApiRecord&) {
    Graph* graph = runtime.graphs.graph(graph_handle);
    std::vector<Node*> after;
    if (node == nullptr || graph == nullptr || !nodes_of(*graph, dependencies, count, after)) {
      return Error::invalid_value;
    }
    Work work;
    if (const Error error = make(runtime, context, work); error != Error::success) {
      return error;
    }
    *node = &graph->add(context, std::move(work), after);
    return Error::success;
  });
}

// `body(Runtime&, Node&) -> Error`
template <class Body>
int node_call(const char* name, void* handle, Body body) {
  return api_call(name, [&](Runtime& runtime, ApiRecord&) {
    Node* node = runtime.graphs.node(handle);
    return node != nullptr ? body(runtime, *node) : Error::invalid_value;
  });
}

// The node of an executable graph that stands for `node` of the graph it was made from.
template <class Body>
int exec_node_call(const char* name, void* exec_handle, void* node_handle, Body body) {
  return node_call(name, node_handle, [&](Runtime& runtime, Node& node) {
    GraphExec* exec = runtime.graphs.exec(exec_handle);
    Node* copy = exec != nullptr ? exec->graph->find_copy_of(node.id) : nullptr;
    return copy != nullptr ? body(runtime, *copy) : Error::invalid_value;
  });
}

// New work for a node, of the kind it has.
template <class Make>
Error change(Runtime& runtime, Node& node, Make make) {
  Work work;
  const Error error = make(runtime, *node.context, work);
  if (error != Error::success || work.index() != node.work.index()) {
    return error != Error::success ? error : Error::invalid_value;
  }
  node.work = std::move(work);
  return Error::success;
}

// As every call that lists things: `out` null asks for their number; else up to *count are written, null the rest.
template <class T>
Error write_list(const std::vector<T>& all, T* out, size_t* count) {
  if (count == nullptr) {
    return Error::invalid_value;
  }
  if (out != nullptr) {
    for (size_t i = 0; i < *count; ++i) {
      out[i] = i < all.size() ? all[i] : T{};
    }
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
  return Error::success;
}

// Calls whose signatures differ between majors. Edge data: null, or where zeroes (full dependencies) are written.
int graph_edges(void* graph, void** from, void** to, void* edge_data, size_t* count);
int graph_add_dependencies(void* graph, void* const* from, void* const* to, const void* edge_data, size_t count);
int graph_remove_dependencies(void* graph, void* const* from, void* const* to, size_t count);
int graph_node_dependencies(void* node, void** out, void* edge_data, size_t* count);
int graph_node_dependents(void* node, void** out, void* edge_data, size_t* count);
int graph_add_any_node(void** node, void* graph, void* const* dependencies, const void* edge_data, size_t count,
                       NodeParams* params);
int graph_instantiate(const char* name, void** exec, void* graph, unsigned long long flags, void** error_node,
                      int* result);

struct UpdateResult {
  int result = 0;  // cudaGraphExecUpdateResult
  void* node = nullptr;
};
int graph_exec_update(void* exec, void* graph, UpdateResult& result);

bool full_edges(const void* edge_data, size_t count);  // no programmatic dependency among them

}  // namespace hpml::sim::cudart
