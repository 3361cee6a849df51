#include "simulator/cudart/runtime/capture.hpp"

#include <algorithm>
#include <set>

#include "simulator/cudart/runtime/graph.hpp"

namespace hpml::sim::cudart {
namespace {

// Whether every node of `tips` is behind `ends`, or one of them.
bool joined(const std::vector<Node*>& tips, const std::vector<Node*>& ends) {
  std::set<const Node*> behind;
  std::vector<const Node*> rest(ends.begin(), ends.end());
  while (!rest.empty()) {
    const Node* node = rest.back();
    rest.pop_back();
    if (behind.insert(node).second) {
      rest.insert(rest.end(), node->dependencies.begin(), node->dependencies.end());
    }
  }
  return std::ranges::all_of(tips, [&](const Node* node) { return behind.contains(node); });
}

bool all_joined(Capture& capture) {
  return joined(capture.left, capture.tips[capture.origin]) &&
         std::ranges::all_of(capture.tips,
                             [&](const auto& entry) { return joined(entry.second, capture.tips[capture.origin]); });
}

bool forbids_unsafe(const Capture& capture, const ThreadState& thread) {
  const auto allowed = static_cast<CaptureMode>(thread.capture_mode);
  if (allowed == CaptureMode::relaxed || capture.mode == CaptureMode::relaxed) {
    return false;
  }
  return capture.thread == &thread || (allowed == CaptureMode::global && capture.mode == CaptureMode::global);
}

// Invalidates the captures that `concerned` names; `error` when there was one.
template <class Predicate>
Error invalidate_those(Runtime& runtime, Error error, Predicate concerned) {
  bool any = false;
  for (const auto& capture : runtime.captures) {
    if (concerned(*capture)) {
      invalidate(*capture);
      any = true;
    }
  }
  return any ? error : Error::success;
}

// The capture is over: its streams are ordinary streams again.
void detach(Runtime& runtime, const std::shared_ptr<Capture>& capture) {
  for (const auto& [stream, tips] : capture->tips) {
    stream->capture.reset();
  }
  capture->tips.clear();
  std::erase(runtime.captures, capture);
}

void add_unique(std::vector<Node*>& all, const std::vector<Node*>& more) {
  for (Node* node : more) {
    if (std::ranges::count(all, node) == 0) {
      all.push_back(node);
    }
  }
}

}  // namespace

void invalidate(Capture& capture) { capture.invalidated = true; }

void leave_capture(Stream& stream) {
  Capture& capture = *stream.capture;
  if (capture.origin == &stream) {
    invalidate(capture);
  }
  add_unique(capture.left, capture.tips[&stream]);
  capture.tips.erase(&stream);
}

Error begin_capture(Runtime& runtime, Context& context, Stream& stream, CaptureMode mode, Graph* graph,
                    std::vector<Node*> tips) {
  if (stream.id == 0) {
    return Error::stream_capture_unsupported;
  }
  if (stream.capture != nullptr) {
    return Error::illegal_state;
  }
  auto capture = std::make_shared<Capture>();
  capture->id = ++runtime.capture_count;
  capture->mode = mode;
  capture->thread = &this_thread();
  capture->origin = &stream;
  capture->context = &context;
  capture->given_graph = graph != nullptr;
  capture->graph = graph != nullptr ? graph : runtime.graphs.create();
  capture->tips[&stream] = std::move(tips);
  stream.capture = capture;
  runtime.captures.push_back(std::move(capture));
  return Error::success;
}

Error end_capture(Runtime& runtime, Stream& stream, Graph*& graph) {
  graph = nullptr;
  const std::shared_ptr<Capture> capture = stream.capture;
  if (capture == nullptr) {
    return Error::illegal_state;
  }
  if (capture->mode != CaptureMode::relaxed && capture->thread != &this_thread()) {
    return Error::stream_capture_wrong_thread;
  }
  Error error = Error::success;
  if (capture->origin != &stream) {
    invalidate(*capture);
    return Error::stream_capture_unmatched;
  }
  if (capture->invalidated) {
    error = Error::stream_capture_invalidated;
  } else if (!all_joined(*capture)) {
    error = Error::stream_capture_unjoined;
  }
  detach(runtime, capture);
  if (error == Error::success) {
    graph = capture->graph;
  } else if (!capture->given_graph) {
    runtime.graphs.destroy(capture->graph);
  }
  return error;
}

Node* capture_work(Stream& stream, Context& context, Work work) {
  Capture& capture = *stream.capture;
  if (capture.invalidated) {
    return nullptr;
  }
  std::vector<Node*>& tips = capture.tips[&stream];
  Node& node = capture.graph->add(context, std::move(work), tips);
  tips = {&node};
  return &node;
}

Error capture_wait(Stream& stream, Event& event, bool external, Context& context) {
  if (external && stream.capture != nullptr) {
    return capture_work(stream, context, WaitWork{&event}) != nullptr ? Error::success
                                                                      : Error::stream_capture_invalidated;
  }
  const std::shared_ptr<Capture> theirs = event.captured.capture;
  if (theirs == nullptr) {  // an event of ordinary work: a graph cannot wait for it
    invalidate(*stream.capture);
    return Error::stream_capture_isolation;
  }
  if (stream.capture != nullptr && stream.capture != theirs) {
    invalidate(*stream.capture);
    invalidate(*theirs);
    return Error::stream_capture_merge;
  }
  if (theirs->tips.empty()) {  // that capture has ended
    return Error::captured_event;
  }
  if (theirs->invalidated) {
    return Error::stream_capture_invalidated;
  }
  if (stream.id == 0) {
    invalidate(*theirs);
    return Error::stream_capture_implicit;
  }
  stream.capture = theirs;
  add_unique(theirs->tips[&stream], event.captured.tips);
  return Error::success;
}

Error unsafe_during_capture(Runtime& runtime) {
  const ThreadState& thread = this_thread();
  return invalidate_those(runtime, Error::stream_capture_unsupported,
                          [&](const Capture& capture) { return forbids_unsafe(capture, thread); });
}

Error implicit_during_capture(Runtime& runtime, const Context& context) {
  return invalidate_those(runtime, Error::stream_capture_implicit, [&](const Capture& capture) {
    return capture.context == &context &&
           std::ranges::any_of(capture.tips, [](const auto& entry) { return !entry.first->non_blocking; });
  });
}

Error synchronize_during_capture(Runtime& runtime, const Context& context) {
  return invalidate_those(runtime, Error::stream_capture_unsupported,
                          [&](const Capture& capture) { return capture.context == &context; });
}

Error touch_capturing_stream(Stream& stream) {
  if (stream.capture == nullptr) {
    return Error::success;
  }
  const bool before = stream.capture->invalidated;
  invalidate(*stream.capture);
  return before ? Error::stream_capture_invalidated : Error::stream_capture_unsupported;
}

}  // namespace hpml::sim::cudart
