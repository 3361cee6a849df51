// Graphs themselves: creation, copies, nodes and edges.
#include <algorithm>
#include <cstring>

#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {

bool nodes_of(const Graph& graph, void* const* handles, size_t count, std::vector<Node*>& nodes) {
  if (handles == nullptr) {
    return count == 0;
  }
  for (size_t i = 0; i < count; ++i) {
    const auto found = std::ranges::find(graph.nodes(), handles[i], [](const auto& node) { return node.get(); });
    if (found == graph.nodes().end() || std::ranges::count(nodes, found->get()) > 0) {
      return false;
    }
    nodes.push_back(found->get());
  }
  return true;
}

namespace {

struct EdgeData {  // cudaGraphEdgeData; all zero: a full dependency
  unsigned char from_port, to_port, type, reserved[5];
};

// `body(Runtime&, Graph&) -> Error`
template <class Body>
int graph_call(const char* name, void* handle, Body body) {
  return api_call(name, [&](Runtime& runtime, ApiRecord&) {
    Graph* graph = runtime.graphs.graph(handle);
    return graph != nullptr ? body(runtime, *graph) : Error::invalid_value;
  });
}

std::vector<void*> handles_of(const std::vector<Node*>& nodes) { return {nodes.begin(), nodes.end()}; }

void zero_edges(void* edge_data, const size_t* count) {
  if (edge_data != nullptr && count != nullptr) {
    std::memset(edge_data, 0, *count * sizeof(EdgeData));
  }
}

Error list_edges(const Graph& graph, void** from, void** to, size_t* count) {
  std::vector<void*> tails, heads;
  for (const auto& node : graph.nodes()) {
    for (Node* dependency : node->dependencies) {
      tails.push_back(dependency);
      heads.push_back(node.get());
    }
  }
  if ((from == nullptr) != (to == nullptr) || count == nullptr) {
    return Error::invalid_value;
  }
  size_t room = *count;
  const Error error = write_list(tails, from, count);
  return error == Error::success && to != nullptr ? write_list(heads, to, &room) : error;
}

// All edges or none: the first that cannot be changed leaves the graph as it was.
template <class Change, class Undo>
Error change_edges(Graph& graph, void* const* from, void* const* to, size_t count, Change change, Undo undo) {
  if (count > 0 && (from == nullptr || to == nullptr)) {
    return Error::invalid_value;
  }
  std::vector<std::pair<Node*, Node*>> done;
  for (size_t i = 0; i < count; ++i) {
    std::vector<Node*> ends;
    void* const handles[] = {from[i], to[i]};
    if (!nodes_of(graph, handles, 2, ends) || !change(*ends[0], *ends[1])) {
      for (const auto& [tail, head] : done) {
        undo(*tail, *head);
      }
      return Error::invalid_value;
    }
    done.emplace_back(ends[0], ends[1]);
  }
  return Error::success;
}

}  // namespace

bool full_edges(const void* edge_data, size_t count) {
  const auto* edges = static_cast<const EdgeData*>(edge_data);
  return std::all_of(edges, edges + count,
                     [](const EdgeData& e) { return e.from_port == 0 && e.to_port == 0 && e.type == 0; });
}

int graph_edges(void* handle, void** from, void** to, void* edge_data, size_t* count) {
  return graph_call("cudaGraphGetEdges", handle, [&](Runtime&, Graph& graph) {
    const Error error = list_edges(graph, from, to, count);
    zero_edges(edge_data, count);
    return error;
  });
}

int graph_add_dependencies(void* handle, void* const* from, void* const* to, const void* edge_data, size_t count) {
  return graph_call("cudaGraphAddDependencies", handle, [&](Runtime&, Graph& graph) {
    if (edge_data != nullptr && !full_edges(edge_data, count)) {
      return refuse("cudaGraphAddDependencies: programmatic dependencies");
    }
    return change_edges(
        graph, from, to, count, [&](Node& a, Node& b) { return graph.connect(a, b); },
        [&](Node& a, Node& b) { graph.disconnect(a, b); });
  });
}

int graph_remove_dependencies(void* handle, void* const* from, void* const* to, size_t count) {
  return graph_call("cudaGraphRemoveDependencies", handle, [&](Runtime&, Graph& graph) {
    return change_edges(
        graph, from, to, count, [&](Node& a, Node& b) { return graph.disconnect(a, b); },
        [&](Node& a, Node& b) { graph.connect(a, b); });
  });
}

int graph_node_dependencies(void* handle, void** out, void* edge_data, size_t* count) {
  return node_call("cudaGraphNodeGetDependencies", handle, [&](Runtime&, Node& node) {
    const Error error = write_list(handles_of(node.dependencies), out, count);
    zero_edges(edge_data, count);
    return error;
  });
}

int graph_node_dependents(void* handle, void** out, void* edge_data, size_t* count) {
  return node_call("cudaGraphNodeGetDependentNodes", handle, [&](Runtime&, Node& node) {
    const Error error = write_list(handles_of(node.dependents), out, count);
    zero_edges(edge_data, count);
    return error;
  });
}

namespace {

int list_nodes(const char* name, void* handle, void** out, size_t* count, bool roots_only) {
  return graph_call(name, handle, [&](Runtime&, Graph& graph) {
    std::vector<void*> nodes;
    for (const auto& node : graph.nodes()) {
      if (!roots_only || node->dependencies.empty()) {
        nodes.push_back(node.get());
      }
    }
    return write_list(nodes, out, count);
  });
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphCreate(void** graph, unsigned flags) {
  return device_call("cudaGraphCreate", [&](Runtime& runtime, Context&, ApiRecord&) {
    if (graph == nullptr || flags != 0) {
      return Error::invalid_value;
    }
    *graph = runtime.graphs.create();
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphDestroy(void* handle) {
  return graph_call("cudaGraphDestroy", handle, [&](Runtime& runtime, Graph& graph) {
    const bool owned = runtime.graphs.owns(&graph);  // a child graph is destroyed with its parent
    if (owned) {
      runtime.graphs.destroy(&graph);
    }
    return owned ? Error::success : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaGraphClone(void** clone, void* handle) {
  return graph_call("cudaGraphClone", handle, [&](Runtime& runtime, Graph& graph) {
    if (clone == nullptr) {
      return Error::invalid_value;
    }
    *clone = runtime.graphs.adopt(graph.clone());
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphNodeFindInClone(void** found, void* original, void* clone) {
  return node_call("cudaGraphNodeFindInClone", original, [&](Runtime& runtime, Node& node) {
    const Graph* graph = runtime.graphs.graph(clone);
    Node* copy = graph != nullptr ? graph->find_copy_of(node.id) : nullptr;
    if (found == nullptr || copy == nullptr) {
      return Error::invalid_value;
    }
    *found = copy;
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphNodeGetType(void* handle, int* type) {
  return node_call("cudaGraphNodeGetType", handle, [&](Runtime&, Node& node) {
    return type != nullptr ? (*type = node_type(node.work), Error::success) : Error::invalid_value;
  });
}
HPML_CUDA_API int cudaGraphGetNodes(void* graph, void** nodes, size_t* count) {
  return list_nodes("cudaGraphGetNodes", graph, nodes, count, false);
}
HPML_CUDA_API int cudaGraphGetRootNodes(void* graph, void** nodes, size_t* count) {
  return list_nodes("cudaGraphGetRootNodes", graph, nodes, count, true);
}
HPML_CUDA_API int cudaGraphDestroyNode(void* handle) {
  return node_call("cudaGraphDestroyNode", handle, [&](Runtime&, Node& node) {
    node.graph->remove(node);
    return Error::success;
  });
}
