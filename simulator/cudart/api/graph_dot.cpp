// cudaGraphDebugDotPrint: a graph as Graphviz text.
#include <fmt/format.h>
#include <stdio.h>

#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {
namespace {

std::string dims(const Dim3& d) { return fmt::format("({},{},{})", d.x, d.y, d.z); }

std::string label_of(const Node& node) {
  constexpr const char* kNames[] = {"kernel",     "memcpy",       "memset", "host", "child graph", "empty",
                                    "event wait", "event record", "alloc",  "free", "kernel",      "conditional"};
  std::string label = kNames[node.work.index()];
  if (const auto* kernel = std::get_if<KernelWork>(&node.work); kernel != nullptr) {
    label += fmt::format("\\n{}\\n{} x {}", node.context->device().kernel(kernel->kernel).name, dims(kernel->grid),
                         dims(kernel->block));
  } else if (const auto* copy = std::get_if<CopyWork>(&node.work); copy != nullptr) {
    label += fmt::format("\\n{} bytes", copy->bytes());
  } else if (const auto* fill = std::get_if<FillWork>(&node.work); fill != nullptr) {
    label += fmt::format("\\n{} bytes of {}", fill->bytes(), fill->value);
  } else if (const auto* library = std::get_if<LibraryWork>(&node.work); library != nullptr) {
    label += "\\n" + library->kernel.name;
  }
  return label;
}

// Nodes are numbered in the order of creation, so that the text is the same in every run.
void print(const Graph& graph, const std::string& prefix, std::string& out) {
  std::map<const Node*, std::string> names;
  for (const auto& node : graph.nodes()) {
    const std::string name = fmt::format("{}n{}", prefix, names.size());
    names[node.get()] = name;
    out += fmt::format("  \"{}\" [shape=\"record\" label=\"{}\"];\n", name, label_of(*node));
    const std::vector<Graph*> inner = graphs_of(node->work);
    for (size_t i = 0; i < inner.size(); ++i) {
      const std::string inside = i == 0 ? name : fmt::format("{}b{}", name, i);
      out += fmt::format("  subgraph \"cluster_{}\" {{\n", inside);
      print(*inner[i], inside + "_", out);
      out += "  }\n";
    }
  }
  for (const auto& node : graph.nodes()) {
    for (const Node* dependency : node->dependencies) {
      out += fmt::format("  \"{}\" -> \"{}\";\n", names[dependency], names[node.get()]);
    }
  }
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphDebugDotPrint(void* handle, const char* path, unsigned) {
  return api_call("cudaGraphDebugDotPrint", [&](Runtime& runtime, ApiRecord&) {
    const Graph* graph = runtime.graphs.graph(handle);
    if (graph == nullptr || path == nullptr) {
      return Error::invalid_value;
    }
    std::string text = "digraph dot {\n";
    print(*graph, "", text);
    text += "}\n";
    FILE* file = fopen(path, "w");
    const bool written = file != nullptr && fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file != nullptr && fclose(file) == 0;
    return written && closed ? Error::success : Error::operating_system;
  });
}
