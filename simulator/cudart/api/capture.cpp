// Stream capture.
#include "simulator/cudart/api/capture.hpp"

#include <algorithm>
#include <utility>

namespace hpml::sim::cudart {
namespace {

constexpr int kNone = 0, kActive = 1, kInvalidated = 2;  // cudaStreamCaptureStatus

int status_of(const Stream& stream) {
  if (stream.capture == nullptr) {
    return kNone;
  }
  return stream.capture->invalidated ? kInvalidated : kActive;
}

bool known_mode(int mode) { return mode >= 0 && mode <= static_cast<int>(CaptureMode::relaxed); }

// The legacy stream can be neither captured nor asked while others are.
Error legacy_is_free(Runtime& runtime, StreamRef at) {
  return at.stream->id == 0 ? implicit_during_capture(runtime, *at.context) : Error::success;
}

}  // namespace

int stream_begin_capture(void* handle, int mode) {
  return stream_call("cudaStreamBeginCapture", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    return known_mode(mode)
               ? begin_capture(runtime, *at.context, *at.stream, static_cast<CaptureMode>(mode), nullptr, {})
               : Error::invalid_value;
  });
}

int stream_begin_capture_to_graph(void* handle, void* graph_handle, void* const* dependencies, size_t count, int mode) {
  return stream_call("cudaStreamBeginCaptureToGraph", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    Graph* graph = runtime.graphs.graph(graph_handle);
    std::vector<Node*> tips;
    if (graph == nullptr || !known_mode(mode) || !nodes_of(*graph, dependencies, count, tips)) {
      return Error::invalid_value;
    }
    return begin_capture(runtime, *at.context, *at.stream, static_cast<CaptureMode>(mode), graph, std::move(tips));
  });
}

int stream_end_capture(void* handle, void** graph) {
  return stream_call("cudaStreamEndCapture", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    const Capture* capture = at.stream->capture.get();
    const bool known = capture != nullptr && capture->given_graph;  // the program has its handle already
    if (graph == nullptr && !known) {
      return Error::invalid_value;
    }
    Graph* made = nullptr;
    const Error error = end_capture(runtime, *at.stream, made);
    if (graph != nullptr) {
      *graph = made;
    }
    return error;
  });
}

int stream_is_capturing(void* handle, int* status) {
  return stream_call("cudaStreamIsCapturing", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (status == nullptr) {
      return Error::invalid_value;
    }
    *status = status_of(*at.stream);
    return legacy_is_free(runtime, at);
  });
}

int stream_capture_info(void* handle, const CaptureInfo& out) {
  return stream_call("cudaStreamGetCaptureInfo", handle, [&](Runtime& runtime, StreamRef at, ApiRecord&) {
    if (out.status == nullptr) {
      return Error::invalid_value;
    }
    *out.status = status_of(*at.stream);
    if (const Error error = legacy_is_free(runtime, at); error != Error::success || *out.status != kActive) {
      return error;
    }
    Capture& capture = *at.stream->capture;
    const std::vector<Node*>& tips = capture.tips[at.stream];
    if (out.id != nullptr) {
      *out.id = capture.id;
    }
    if (out.graph != nullptr) {
      *out.graph = capture.graph;
    }
    if (out.dependencies != nullptr) {
      *out.dependencies = reinterpret_cast<void* const*>(tips.data());  // valid until the stream's next call
    }
    if (out.count != nullptr) {
      *out.count = tips.size();
    }
    return Error::success;
  });
}

int stream_update_dependencies(void* handle, void* const* dependencies, size_t count, unsigned flags) {
  constexpr unsigned kAdd = 0, kSet = 1;  // cudaStreamUpdateCaptureDependenciesFlags
  return stream_call("cudaStreamUpdateCaptureDependencies", handle, [&](Runtime&, StreamRef at, ApiRecord&) {
    if (at.stream->capture == nullptr) {
      return Error::illegal_state;
    }
    Capture& capture = *at.stream->capture;
    std::vector<Node*> given;
    if ((flags != kAdd && flags != kSet) || !nodes_of(*capture.graph, dependencies, count, given)) {
      return Error::invalid_value;
    }
    std::vector<Node*>& tips = capture.tips[at.stream];
    if (flags == kSet) {
      tips.clear();
    }
    for (Node* node : given) {
      if (std::ranges::count(tips, node) == 0) {
        tips.push_back(node);
      }
    }
    return Error::success;
  });
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaStreamBeginCapture(void* stream, int mode) { return stream_begin_capture(stream, mode); }
HPML_CUDA_API int cudaStreamBeginCapture_ptsz(void* stream, int mode) {
  return stream_begin_capture(per_thread(stream), mode);
}
HPML_CUDA_API int cudaStreamBeginCaptureToGraph(void* stream, void* graph, void* const* dependencies, const void*,
                                                size_t count, int mode) {
  return stream_begin_capture_to_graph(stream, graph, dependencies, count, mode);
}
HPML_CUDA_API int cudaStreamBeginCaptureToGraph_ptsz(void* stream, void* graph, void* const* dependencies, const void*,
                                                     size_t count, int mode) {
  return stream_begin_capture_to_graph(per_thread(stream), graph, dependencies, count, mode);
}
HPML_CUDA_API int cudaStreamEndCapture(void* stream, void** graph) { return stream_end_capture(stream, graph); }
HPML_CUDA_API int cudaStreamEndCapture_ptsz(void* stream, void** graph) {
  return stream_end_capture(per_thread(stream), graph);
}
HPML_CUDA_API int cudaStreamIsCapturing(void* stream, int* status) { return stream_is_capturing(stream, status); }
HPML_CUDA_API int cudaStreamIsCapturing_ptsz(void* stream, int* status) {
  return stream_is_capturing(per_thread(stream), status);
}

HPML_CUDA_API int cudaThreadExchangeStreamCaptureMode(int* mode) {
  return api_call("cudaThreadExchangeStreamCaptureMode", [&](Runtime&, ApiRecord&) {
    if (mode == nullptr || *mode < 0 || *mode > static_cast<int>(CaptureMode::relaxed)) {
      return Error::invalid_value;
    }
    *mode = std::exchange(this_thread().capture_mode, *mode);
    return Error::success;
  });
}
