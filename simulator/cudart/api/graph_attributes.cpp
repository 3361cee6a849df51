// Attributes of kernel nodes and of streams; nodes that an executable graph leaves out; objects that graphs keep alive.
#include <bit>

#include "simulator/cudart/api/graph.hpp"
#include "simulator/cudart/api/launch_attribute.hpp"

namespace hpml::sim::cudart {
namespace {

template <class Body>
int kernel_node_call(const char* name, void* handle, Body body) {
  return node_call(name, handle, [&](Runtime&, Node& node) {
    auto* kernel = std::get_if<KernelWork>(&node.work);
    return kernel != nullptr ? body(*kernel) : Error::invalid_value;
  });
}

// Which attributes mean something to this model; the others of CUDA are hints, kept, or refused by name.
Error set_attribute(const char* name, int id, const LaunchAttributeValue* value, KernelWork* kernel,
                    KeptAttributes& kept) {
  if (value == nullptr || (id == kAttributeClusterDimension && kernel == nullptr)) {
    return Error::invalid_value;
  }
  if (id == kAttributeCooperative && kernel != nullptr) {
    kernel->cooperative = value->flag != 0;
    return Error::success;
  }
  if (id == kAttributeClusterDimension) {
    kernel->cluster = cluster_of(*value);
    return Error::success;
  }
  const Error error = check_attribute(name, id);
  if (error == Error::success) {
    kept[id] = std::bit_cast<KeptAttributes::mapped_type>(*value);
  }
  return error;
}

LaunchAttributeValue kept_value(const KeptAttributes& kept, int id) {
  const auto found = kept.find(id);
  return std::bit_cast<LaunchAttributeValue>(found != kept.end() ? found->second : KeptAttributes::mapped_type{});
}

bool can_be_disabled(const Work& work) {
  return std::holds_alternative<KernelWork>(work) || std::holds_alternative<CopyWork>(work) ||
         std::holds_alternative<FillWork>(work);
}

template <class Body>
int object_call(const char* name, void* handle, unsigned count, Body body) {
  return api_call(name, [&](Runtime& runtime, ApiRecord&) {
    UserObject* object = runtime.graphs.object(handle);
    return object != nullptr && count > 0 ? body(runtime, *object) : Error::invalid_value;
  });
}

Error drop_references(Runtime& runtime, Graph& graph, UserObject& object, unsigned count) {
  const auto held = static_cast<unsigned>(std::ranges::count(graph.objects, &object));
  if (held < count) {
    return Error::invalid_value;
  }
  for (unsigned i = 0; i < count; ++i) {
    graph.objects.erase(std::ranges::find(graph.objects, &object));
  }
  runtime.graphs.release(object, count);
  return Error::success;
}

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaGraphKernelNodeSetAttribute(void* node, int id, const LaunchAttributeValue* value) {
  return kernel_node_call("cudaGraphKernelNodeSetAttribute", node, [&](KernelWork& kernel) {
    return set_attribute("cudaGraphKernelNodeSetAttribute", id, value, &kernel, kernel.kept);
  });
}
HPML_CUDA_API int cudaGraphKernelNodeGetAttribute(void* node, int id, LaunchAttributeValue* value) {
  return kernel_node_call("cudaGraphKernelNodeGetAttribute", node, [&](KernelWork& kernel) {
    if (value == nullptr) {
      return Error::invalid_value;
    }
    *value = kept_value(kernel.kept, id);
    if (id == kAttributeCooperative) {
      value->flag = kernel.cooperative ? 1 : 0;
    }
    if (id == kAttributeClusterDimension && kernel.cluster) {
      *value = {.cluster = {kernel.cluster->x, kernel.cluster->y, kernel.cluster->z}};
    }
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphKernelNodeCopyAttributes(void* dst, void* src) {
  return kernel_node_call("cudaGraphKernelNodeCopyAttributes", dst, [&](KernelWork& to) {
    Node* node = Runtime::get().graphs.node(src);
    const auto* from = node != nullptr ? std::get_if<KernelWork>(&node->work) : nullptr;
    if (from == nullptr) {
      return Error::invalid_value;
    }
    to.cooperative = from->cooperative;
    to.cluster = from->cluster;
    to.kept = from->kept;
    return Error::success;
  });
}

HPML_CUDA_API int cudaGraphNodeSetEnabled(void* exec, void* node, unsigned enabled) {
  return exec_node_call("cudaGraphNodeSetEnabled", exec, node, [&](Runtime&, Node& copy) {
    if (!can_be_disabled(copy.work)) {
      return Error::invalid_value;
    }
    copy.enabled = enabled != 0;
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphNodeGetEnabled(void* exec, void* node, unsigned* enabled) {
  return exec_node_call("cudaGraphNodeGetEnabled", exec, node, [&](Runtime&, Node& copy) {
    if (!can_be_disabled(copy.work) || enabled == nullptr) {
      return Error::invalid_value;
    }
    *enabled = copy.enabled ? 1 : 0;
    return Error::success;
  });
}

HPML_CUDA_API int cudaUserObjectCreate(void** out, void* pointer, void (*destroy)(void*), unsigned count,
                                       unsigned flags) {
  return api_call("cudaUserObjectCreate", [&](Runtime& runtime, ApiRecord&) {
    constexpr unsigned kNoDestructorSync = 1;  // cudaUserObjectNoDestructorSync: the only flag, and required
    if (out == nullptr || destroy == nullptr || count == 0 || flags != kNoDestructorSync) {
      return Error::invalid_value;
    }
    *out = runtime.graphs.add_object({pointer, destroy, count});
    return Error::success;
  });
}
HPML_CUDA_API int cudaUserObjectRetain(void* object, unsigned count) {
  return object_call("cudaUserObjectRetain", object, count, [&](Runtime&, UserObject& found) {
    found.references += count;
    return Error::success;
  });
}
HPML_CUDA_API int cudaUserObjectRelease(void* object, unsigned count) {
  return object_call("cudaUserObjectRelease", object, count, [&](Runtime& runtime, UserObject& found) {
    runtime.graphs.release(found, count);
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphRetainUserObject(void* graph, void* object, unsigned count, unsigned flags) {
  return object_call("cudaGraphRetainUserObject", object, count, [&](Runtime& runtime, UserObject& found) {
    constexpr unsigned kMove = 1;  // cudaGraphUserObjectMove: the graph takes over the caller's references
    Graph* to = runtime.graphs.graph(graph);
    if (to == nullptr || flags > kMove) {
      return Error::invalid_value;
    }
    to->objects.insert(to->objects.end(), count, &found);
    found.references += flags == kMove ? 0 : count;
    return Error::success;
  });
}
HPML_CUDA_API int cudaGraphReleaseUserObject(void* graph, void* object, unsigned count) {
  return object_call("cudaGraphReleaseUserObject", object, count, [&](Runtime& runtime, UserObject& found) {
    Graph* from = runtime.graphs.graph(graph);
    return from != nullptr ? drop_references(runtime, *from, found, count) : Error::invalid_value;
  });
}

HPML_CUDA_API int cudaStreamSetAttribute(void* stream, int id, const LaunchAttributeValue* value) {
  return stream_call("cudaStreamSetAttribute", stream, [&](Runtime&, StreamRef at, ApiRecord&) {
    return set_attribute("cudaStreamSetAttribute", id, value, nullptr, at.stream->kept);
  });
}
HPML_CUDA_API int cudaStreamSetAttribute_ptsz(void* stream, int id, const LaunchAttributeValue* value) {
  return cudaStreamSetAttribute(per_thread(stream), id, value);
}
HPML_CUDA_API int cudaStreamGetAttribute(void* stream, int id, LaunchAttributeValue* value) {
  return stream_call("cudaStreamGetAttribute", stream, [&](Runtime&, StreamRef at, ApiRecord&) {
    if (value == nullptr) {
      return Error::invalid_value;
    }
    *value = kept_value(at.stream->kept, id);
    if (id == kAttributePriority) {
      value->flag = at.stream->priority;
    }
    return Error::success;
  });
}
HPML_CUDA_API int cudaStreamGetAttribute_ptsz(void* stream, int id, LaunchAttributeValue* value) {
  return cudaStreamGetAttribute(per_thread(stream), id, value);
}
HPML_CUDA_API int cudaStreamCopyAttributes(void* dst, void* src) {
  return stream_call("cudaStreamCopyAttributes", dst, [&](Runtime& runtime, StreamRef to, ApiRecord&) {
    const Stream* const from = runtime.stream(src).stream;
    if (from == nullptr) {
      return Error::invalid_resource_handle;
    }
    to.stream->kept = from->kept;
    return Error::success;
  });
}
HPML_CUDA_API int cudaStreamCopyAttributes_ptsz(void* dst, void* src) {
  return cudaStreamCopyAttributes(per_thread(dst), per_thread(src));
}
