// From the parameters of graph nodes to work.
#include <cstring>

#include "simulator/cudart/api/graph.hpp"

namespace hpml::sim::cudart {

namespace {

// The "extra" form: the whole parameter block as bytes (cudaKernelNodeParams; CU_LAUNCH_PARAM_* of the driver API).
Error packed_arguments(void** extra, std::vector<std::byte>& block) {
  constexpr uintptr_t kEnd = 0, kBuffer = 1, kSize = 2;
  const void* buffer = nullptr;
  size_t bytes = 0;
  for (void** at = extra; reinterpret_cast<uintptr_t>(*at) != kEnd; at += 2) {
    const auto key = reinterpret_cast<uintptr_t>(at[0]);
    if (key == kBuffer) {
      buffer = at[1];
    } else if (key == kSize) {
      bytes = *static_cast<const size_t*>(at[1]);
    } else {
      return Error::invalid_value;
    }
  }
  if (buffer == nullptr || bytes < block.size()) {
    return Error::invalid_value;
  }
  std::memcpy(block.data(), buffer, block.size());
  return Error::success;
}

}  // namespace

Error to_work(Runtime& runtime, Context& context, const KernelNodeParams& asked, Work& work) {
  const FoundKernel found = find_kernel(runtime, context, asked.function);
  if (found.error != Error::success) {
    return found.error;
  }
  const device::KernelInfo& info = context.device().kernel(found.id);
  KernelWork kernel{.function = asked.function,
                    .kernel = found.id,
                    .grid = asked.grid,
                    .block = asked.block,
                    .dynamic_shared = asked.shared,
                    .cooperative = false,
                    .params = std::vector<std::byte>(info.param_bytes)};
  take_cluster_settings(context.function_settings[found.id], kernel);
  if (const Error error = check(context, kernel); error != Error::success) {
    return error;
  }
  if (asked.arguments != nullptr) {
    kernel.params = parameter_block(info, asked.arguments);
  } else if (asked.extra != nullptr) {
    if (const Error error = packed_arguments(asked.extra, kernel.params); error != Error::success) {
      return error;
    }
  } else if (!info.params.empty()) {
    return Error::invalid_value;
  }
  work = std::move(kernel);
  return Error::success;
}

Error to_work(Runtime& runtime, Context& context, const CopyWork& copy, Work& work) {
  const Error error = check(runtime, context, copy);
  if (error == Error::success) {
    work = copy;
  }
  return error;
}

Error to_work(Runtime& runtime, Context& context, const Copy3D& asked, Work& work) {
  CopyWork copy;
  const Error error = to_copy(runtime, asked, copy);
  return error == Error::success ? to_work(runtime, context, copy, work) : error;
}

Error to_work(Runtime& runtime, Context& context, const MemsetParams& asked, Work& work) {
  if (asked.element != 1 && asked.element != 2 && asked.element != 4) {
    return Error::invalid_value;
  }
  FillWork fill;
  fill.dst = asked.dst;
  fill.pitch = asked.pitch;
  fill.value = asked.value;
  fill.element = asked.element;
  fill.width = asked.width;
  fill.height = asked.height;
  const bool empty = fill.bytes() == 0;
  const Error error = empty || check(runtime, context, fill) != Error::success ? Error::invalid_value : Error::success;
  if (error == Error::success) {
    work = fill;
  }
  return error;
}

Error to_work(Runtime&, Context&, const HostNodeParams& asked, Work& work) {
  work = HostWork{asked.function, asked.data};
  return asked.function != nullptr ? Error::success : Error::invalid_value;
}

Error to_work(Runtime&, Context& context, AllocNodeParams& asked, Work& work) {
  constexpr int kPinned = 1, kDevice = 1;  // cudaMemAllocationTypePinned, cudaMemLocationTypeDevice
  const MemPoolProps& pool = asked.pool;
  if (pool.allocation_type != kPinned || pool.handle_types != 0 || pool.location_type != kDevice ||
      pool.location_id != context.ordinal() || asked.bytes == 0) {
    return Error::invalid_value;
  }
  auto memory = context.new_graph_memory(asked.bytes);
  if (memory == nullptr) {
    return Error::memory_allocation;
  }
  asked.pointer = reinterpret_cast<void*>(memory->address());
  work = AllocWork{std::move(memory)};
  return Error::success;
}

namespace {

Error child_work(Runtime& runtime, const void* handle, Work& work) {
  const Graph* graph = runtime.graphs.graph(handle);
  if (graph == nullptr) {
    return Error::invalid_value;
  }
  work = ChildWork{graph->clone()};
  return Error::success;
}

template <class Kind>
Error event_work(Runtime& runtime, const void* handle, Work& work) {
  Event* event = runtime.event(handle);
  work = Kind{event};
  return event != nullptr ? Error::success : Error::invalid_value;
}

// The bodies are empty graphs; the program fills them through the handles that it finds in `bodies`.
Error conditional_work(Runtime& runtime, ConditionalNodeParams& asked, Work& work) {
  const auto type = static_cast<ConditionalType>(asked.type);
  const bool size_fits = asked.size == 1 || (asked.size == 2 && type == ConditionalType::if_else) ||
                         (asked.size > 0 && type == ConditionalType::choice);
  if (asked.type < 0 || type > ConditionalType::choice || !size_fits ||
      runtime.graphs.condition(asked.handle) == nullptr) {
    return Error::invalid_value;
  }
  ConditionalWork conditional{.handle = asked.handle, .type = type, .bodies = {}, .shown = {}};
  conditional.shown = std::make_shared<std::vector<Graph*>>();
  for (unsigned i = 0; i < asked.size; ++i) {
    conditional.bodies.push_back(std::make_shared<Graph>());
    conditional.shown->push_back(conditional.bodies.back().get());
  }
  asked.bodies = conditional.shown->data();
  work = std::move(conditional);
  return Error::success;
}

Error free_work(Context& context, void* pointer, Work& work) {
  work = FreeWork{pointer};
  return context.graph_memory(pointer) != nullptr ? Error::success : Error::invalid_value;
}

}  // namespace

Error to_work(Runtime& runtime, Context& context, NodeParams& asked, Work& work) {
  switch (asked.type) {  // cudaGraphNodeType
    case 0: return to_work(runtime, context, asked.kernel, work);
    case 1: return to_work(runtime, context, asked.memcpy.copy, work);
    case 2: return to_work(runtime, context, asked.memset, work);
    case 3: return to_work(runtime, context, asked.host, work);
    case 4: return child_work(runtime, asked.handle, work);
    case 5: work = EmptyWork{}; return Error::success;
    case 6: return event_work<WaitWork>(runtime, asked.handle, work);
    case 7: return event_work<RecordWork>(runtime, asked.handle, work);
    case 8:
    case 9: return refuse("cudaGraphAddNode: external semaphore nodes");
    case 10: return to_work(runtime, context, asked.alloc, work);
    case 11: return free_work(context, asked.pointer, work);
    case 13: return conditional_work(runtime, asked.conditional, work);
    default: return Error::invalid_value;
  }
}

int node_type(const Work& work) {
  constexpr int kAlloc = 8, kGap = 2;  // two kinds of semaphore nodes lie between: see work.hpp for the order
  if (std::holds_alternative<LibraryWork>(work)) {
    return 0;  // a kernel node
  }
  if (std::holds_alternative<ConditionalWork>(work)) {
    return 13;
  }
  const auto index = static_cast<int>(work.index());
  return index < kAlloc ? index : index + kGap;
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphAddKernelNode(void** node, void* graph, void* const* dependencies, size_t count,
                                         const KernelNodeParams* asked) {
  return add_node("cudaGraphAddKernelNode", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddMemcpyNode(void** node, void* graph, void* const* dependencies, size_t count,
                                         const Copy3D* asked) {
  return add_node("cudaGraphAddMemcpyNode", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddMemcpyNode1D(void** node, void* graph, void* const* dependencies, size_t count, void* dst,
                                           const void* src, size_t bytes, int kind) {
  return add_node("cudaGraphAddMemcpyNode1D", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return to_work(runtime, context, copy_bytes(dst, src, bytes, kind), work);
                  });
}
HPML_CUDA_API int cudaGraphAddMemcpyNodeToSymbol(void** node, void* graph, void* const* dependencies, size_t count,
                                                 const void* symbol, const void* src, size_t bytes, size_t offset,
                                                 int kind) {
  return add_node("cudaGraphAddMemcpyNodeToSymbol", node, graph, dependencies, count,
                  [&](Runtime& runtime, Context& context, Work& work) {
                    CopyWork copy = copy_bytes(nullptr, src, bytes, kind);
                    const Error error = symbol_copy_work(runtime, context, symbol, offset, copy, true);
                    return error == Error::success ? to_work(runtime, context, copy, work) : error;
                  });
}
HPML_CUDA_API int cudaGraphAddMemcpyNodeFromSymbol(void** node, void* graph, void* const* dependencies, size_t count,
                                                   void* dst, const void* symbol, size_t bytes, size_t offset,
                                                   int kind) {
  return add_node("cudaGraphAddMemcpyNodeFromSymbol", node, graph, dependencies, count,
                  [&](Runtime& runtime, Context& context, Work& work) {
                    CopyWork copy = copy_bytes(dst, nullptr, bytes, kind);
                    const Error error = symbol_copy_work(runtime, context, symbol, offset, copy, false);
                    return error == Error::success ? to_work(runtime, context, copy, work) : error;
                  });
}
HPML_CUDA_API int cudaGraphAddMemsetNode(void** node, void* graph, void* const* dependencies, size_t count,
                                         const MemsetParams* asked) {
  return add_node("cudaGraphAddMemsetNode", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddHostNode(void** node, void* graph, void* const* dependencies, size_t count,
                                       const HostNodeParams* asked) {
  return add_node("cudaGraphAddHostNode", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddChildGraphNode(void** node, void* graph, void* const* dependencies, size_t count,
                                             void* child) {
  return add_node("cudaGraphAddChildGraphNode", node, graph, dependencies, count,
                  [&](Runtime& runtime, Context&, Work& work) {
                    return child != graph ? child_work(runtime, child, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddEmptyNode(void** node, void* graph, void* const* dependencies, size_t count) {
  return add_node("cudaGraphAddEmptyNode", node, graph, dependencies, count, [](Runtime&, Context&, Work& work) {
    work = EmptyWork{};
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphAddEventRecordNode(void** node, void* graph, void* const* dependencies, size_t count,
                                              void* event) {
  return add_node("cudaGraphAddEventRecordNode", node, graph, dependencies, count,
                  [&](Runtime& runtime, Context&, Work& work) { return event_work<RecordWork>(runtime, event, work); });
}
HPML_CUDA_API int cudaGraphAddEventWaitNode(void** node, void* graph, void* const* dependencies, size_t count,
                                            void* event) {
  return add_node("cudaGraphAddEventWaitNode", node, graph, dependencies, count,
                  [&](Runtime& runtime, Context&, Work& work) { return event_work<WaitWork>(runtime, event, work); });
}
HPML_CUDA_API int cudaGraphAddMemAllocNode(void** node, void* graph, void* const* dependencies, size_t count,
                                           AllocNodeParams* asked) {
  return add_node("cudaGraphAddMemAllocNode", node, graph, dependencies, count,
                  [&](auto& runtime, auto& context, Work& work) {
                    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
                  });
}
HPML_CUDA_API int cudaGraphAddMemFreeNode(void** node, void* graph, void* const* dependencies, size_t count,
                                          void* pointer) {
  return add_node("cudaGraphAddMemFreeNode", node, graph, dependencies, count,
                  [&](Runtime&, Context& context, Work& work) { return free_work(context, pointer, work); });
}
HPML_CUDA_API int cudaGraphConditionalHandleCreate(unsigned long long* handle, void* graph, unsigned initial,
                                                   unsigned flags) {
  constexpr unsigned kAssignDefault = 1;  // cudaGraphCondAssignDefault
  return api_call("cudaGraphConditionalHandleCreate", [&](Runtime& runtime, ApiRecord&) {
    if (handle == nullptr || runtime.graphs.graph(graph) == nullptr || (flags & ~kAssignDefault) != 0) {
      return Error::invalid_value;
    }
    *handle =
        runtime.graphs.add_condition({.initial = initial, .value = 0, .assign_initial = (flags & kAssignDefault) != 0});
    return Error::success;
  });
}

namespace hpml::sim::cudart {

int graph_add_any_node(void** node, void* graph, void* const* dependencies, const void* edge_data, size_t count,
                       NodeParams* asked) {
  return add_node("cudaGraphAddNode", node, graph, dependencies, count, [&](auto& runtime, auto& context, Work& work) {
    if (edge_data != nullptr && !full_edges(edge_data, count)) {
      return refuse("cudaGraphAddNode: programmatic dependencies");
    }
    return asked != nullptr ? to_work(runtime, context, *asked, work) : Error::invalid_value;
  });
}

}  // namespace hpml::sim::cudart
