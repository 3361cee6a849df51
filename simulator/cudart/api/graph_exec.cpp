// Executable graphs: instantiation, launch, update.
#include <algorithm>

#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {
namespace {

constexpr unsigned long long kAutoFree = 1, kUpload = 2, kDeviceLaunch = 4, kUsePriority = 8;
constexpr int kInvalidStructure = 2;  // cudaGraphInstantiateResult

enum class Update : int {  // cudaGraphExecUpdateResult
  success = 0,
  error = 1,
  topology_changed = 2,
  type_changed = 3,
  parameters_changed = 5,
};

Error instantiate(Runtime& runtime, const Graph& graph, unsigned long long flags, void** exec, int* result) {
  constexpr unsigned long long kKnown = kAutoFree | kUpload | kDeviceLaunch | kUsePriority;
  if ((flags & ~kKnown) != 0) {
    return Error::invalid_value;
  }
  if ((flags & kDeviceLaunch) != 0) {
    return refuse("cudaGraphInstantiate: graphs launched from device code");
  }
  if (!graph.nodes().empty() && graph.in_order().empty()) {  // a cycle
    *result = kInvalidStructure;
    return Error::invalid_value;
  }
  *exec = runtime.graphs.add_exec({.graph = graph.clone(), .source = graph.id(), .flags = flags});
  return Error::success;
}

// Memory of its allocation nodes that the last launch left allocated: launching again would allocate it twice.
Error free_or_refuse(const GraphExec& exec) {
  for (const auto& node : exec.graph->nodes()) {
    const auto* alloc = std::get_if<AllocWork>(&node->work);
    if (alloc == nullptr || !alloc->memory->live) {
      continue;
    }
    if ((exec.flags & kAutoFree) == 0) {
      return Error::invalid_value;
    }
    alloc->memory->live = false;
  }
  return Error::success;
}

Error launch_graph(Runtime& runtime, StreamRef at, GraphExec& exec) {
  if (at.stream->capture != nullptr) {
    Span unused{};
    return issue(runtime, at, ChildWork{exec.graph->clone()}, runtime.clock.now(), unused);
  }
  if (const Error error = free_or_refuse(exec); error != Error::success) {
    return error;
  }
  device::Device& device = at.context->device();
  const Picoseconds called = runtime.clock.now();
  runtime.clock.advance(device.api_cost(device::ApiCost::launch, 0));
  const Picoseconds earliest = std::max(exec.busy_until, called + device.api_cost(device::ApiCost::launch_to_start, 0));
  runtime.graphs.begin_launch(*exec.graph);
  Span span{};
  const Error error = issue(runtime, at, ChildWork{exec.graph}, earliest, span);
  exec.busy_until = span.end;
  return error;
}

int launch_exec(void* exec_handle, void* stream) {
  return stream_call("cudaGraphLaunch", stream, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    GraphExec* exec = runtime.graphs.exec(exec_handle);
    return exec != nullptr ? launch_graph(runtime, at, *exec) : Error::invalid_value;
  });
}

int upload(void* exec_handle, void* stream) {
  return stream_call("cudaGraphUpload", stream, [&](Runtime& runtime, StreamRef, ApiRecord&) {
    return runtime.graphs.exec(exec_handle) != nullptr ? Error::success : Error::invalid_value;
  });
}

size_t place_of(const Graph& graph, const Node* node) {
  return static_cast<size_t>(std::ranges::find(graph.nodes(), node, [](const auto& owned) { return owned.get(); }) -
                             graph.nodes().begin());
}

std::vector<size_t> dependencies_of(const Graph& graph, const Node& node) {
  std::vector<size_t> places;
  for (const Node* dependency : node.dependencies) {
    places.push_back(place_of(graph, dependency));
  }
  std::ranges::sort(places);
  return places;
}

// What of a node may not change: the memory of an allocation, and for a copy the kinds of memory it connects.
bool same_kind_of_work(Runtime& runtime, const Work& before, const Work& after) {
  if (const auto* a = std::get_if<AllocWork>(&before); a != nullptr) {
    return a->memory->bytes() == std::get<AllocWork>(after).memory->bytes();
  }
  if (const auto* a = std::get_if<CopyWork>(&before); a != nullptr) {
    return kind_of(runtime, *a) == kind_of(runtime, std::get<CopyWork>(after));
  }
  return true;
}

// Compares node by node, in the order of creation; `differs` is the first node of `with` that does not match.
Update compare(Runtime& runtime, const Graph& graph, const Graph& with, void*& differs) {
  if (graph.nodes().size() != with.nodes().size()) {
    return Update::topology_changed;
  }
  for (size_t i = 0; i < with.nodes().size(); ++i) {
    const Node& before = *graph.nodes()[i];
    const Node& after = *with.nodes()[i];
    differs = with.nodes()[i].get();
    if (before.work.index() != after.work.index()) {
      return Update::type_changed;
    }
    if (dependencies_of(graph, before) != dependencies_of(with, after)) {
      return Update::topology_changed;
    }
    if (before.context != after.context || !same_kind_of_work(runtime, before.work, after.work)) {
      return Update::parameters_changed;
    }
    const std::vector<Graph*> inner = graphs_of(before.work), inner_with = graphs_of(after.work);
    if (inner.size() != inner_with.size()) {
      return Update::topology_changed;
    }
    for (size_t k = 0; k < inner.size(); ++k) {
      if (const Update found = compare(runtime, *inner[k], *inner_with[k], differs); found != Update::success) {
        return found;
      }
    }
  }
  differs = nullptr;
  return Update::success;
}

void take_over(Graph& graph, const Graph& from) {
  for (size_t i = 0; i < from.nodes().size(); ++i) {
    Node& node = *graph.nodes()[i];
    const Work& work = from.nodes()[i]->work;
    const std::vector<Graph*> inner = graphs_of(node.work), inner_from = graphs_of(work);
    for (size_t k = 0; k < inner.size(); ++k) {
      take_over(*inner[k], *inner_from[k]);
    }
    if (inner.empty() && !std::holds_alternative<AllocWork>(work)) {  // an allocation keeps its address
      node.work = work;
    }
  }
}

}  // namespace

int graph_instantiate(const char* name, void** exec, void* handle, unsigned long long flags, void** error_node,
                      int* result) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    const Graph* graph = runtime.graphs.graph(handle);
    int unused = 0;
    int& outcome = result != nullptr ? *result : unused;
    outcome = 0;
    if (error_node != nullptr) {
      *error_node = nullptr;
    }
    if (graph == nullptr || exec == nullptr) {
      outcome = 1;  // cudaGraphInstantiateError: the code returned says why
      return Error::invalid_value;
    }
    return instantiate(runtime, *graph, flags, exec, &outcome);
  });
}

int graph_exec_update(void* exec_handle, void* graph_handle, UpdateResult& result) {
  return device_call("cudaGraphExecUpdate", [&](Runtime& runtime, Context&, ApiRecord&) {
    GraphExec* exec = runtime.graphs.exec(exec_handle);
    const Graph* graph = runtime.graphs.graph(graph_handle);
    if (exec == nullptr || graph == nullptr) {
      result.result = static_cast<int>(Update::error);
      return Error::invalid_value;
    }
    const Update found = compare(runtime, *exec->graph, *graph, result.node);
    result.result = static_cast<int>(found);
    if (found != Update::success) {
      return Error::graph_exec_update_failure;
    }
    take_over(*exec->graph, *graph);
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long flags) {
  return graph_instantiate("cudaGraphInstantiateWithFlags", exec, graph, flags, nullptr, nullptr);
}

struct InstantiateParams {  // cudaGraphInstantiateParams
  unsigned long long flags;
  void* upload_stream;
  void* error_node;
  int result;
};

HPML_CUDA_API int cudaGraphInstantiateWithParams(void** exec, void* graph, InstantiateParams* params) {
  if (params == nullptr) {
    return graph_instantiate("cudaGraphInstantiateWithParams", nullptr, graph, 0, nullptr, nullptr);
  }
  return graph_instantiate("cudaGraphInstantiateWithParams", exec, graph, params->flags, &params->error_node,
                           &params->result);
}
HPML_CUDA_API int cudaGraphInstantiateWithParams_ptsz(void** exec, void* graph, InstantiateParams* params) {
  return cudaGraphInstantiateWithParams(exec, graph, params);
}
HPML_CUDA_API int cudaGraphExecGetFlags(void* handle, unsigned long long* flags) {
  return api_call("cudaGraphExecGetFlags", [&](Runtime& runtime, ApiRecord&) {
    const GraphExec* exec = runtime.graphs.exec(handle);
    return exec != nullptr && flags != nullptr ? (*flags = exec->flags, Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaGraphLaunch(void* exec, void* stream) { return launch_exec(exec, stream); }
HPML_CUDA_API int cudaGraphLaunch_ptsz(void* exec, void* stream) { return launch_exec(exec, per_thread(stream)); }
HPML_CUDA_API int cudaGraphUpload(void* exec, void* stream) { return upload(exec, stream); }
HPML_CUDA_API int cudaGraphUpload_ptsz(void* exec, void* stream) { return upload(exec, per_thread(stream)); }
HPML_CUDA_API int cudaGraphExecDestroy(void* handle) {
  return api_call("cudaGraphExecDestroy", [&](Runtime& runtime, ApiRecord&) {
    const GraphExec* exec = runtime.graphs.exec(handle);
    if (exec == nullptr) {
      return Error::invalid_value;
    }
    runtime.graphs.destroy_exec(exec);
    return Error::success;
  });
}
