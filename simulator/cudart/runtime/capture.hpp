#pragma once
// Stream capture: work issued to a capturing stream becomes nodes of a graph instead of being executed.
// Rules: CUDA programming guide, "Creating a Graph Using Stream Capture"; runtime API, cudaStreamBeginCapture and
// cudaThreadExchangeStreamCaptureMode.
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

enum class CaptureMode : int { global = 0, thread_local_mode = 1, relaxed = 2 };  // cudaStreamCaptureMode

struct Capture {
  uint64_t id = 0;
  CaptureMode mode = CaptureMode::global;
  const ThreadState* thread = nullptr;  // where it began
  Stream* origin = nullptr;
  Context* context = nullptr;
  Graph* graph = nullptr;
  bool given_graph = false;  // cudaStreamBeginCaptureToGraph: the graph was there before
  bool invalidated = false;
  // What the next node of each stream that takes part will depend on.
  std::map<Stream*, std::vector<Node*>> tips;
  std::vector<Node*> left;  // the same of streams that were destroyed meanwhile
};

// Begins capturing `stream`. Error when it must not: the legacy stream, or one that is captured already.
Error begin_capture(Runtime& runtime, Context& context, Stream& stream, CaptureMode mode, Graph* graph,
                    std::vector<Node*> tips);
// Ends it and gives the graph; null with every error.
Error end_capture(Runtime& runtime, Stream& stream, Graph*& graph);
// Adds `work` behind what the capturing stream holds. Null: the capture was invalidated before.
Node* capture_work(Stream& stream, Context& context, Work work);

// cudaStreamWaitEvent when the stream or the event takes part in a capture.
Error capture_wait(Stream& stream, Event& event, bool external, Context& context);

// Calls that could disturb a capture of the calling thread's mode: the error they must return, and the captures they
// invalidate by having been tried.
Error unsafe_during_capture(Runtime& runtime);
// Work for the legacy stream while a blocking stream of this device is captured.
Error implicit_during_capture(Runtime& runtime, const Context& context);
// A wait for the whole device while any of its streams is captured.
Error synchronize_during_capture(Runtime& runtime, const Context& context);
// A question or a wait about this very stream.
Error touch_capturing_stream(Stream& stream);
void invalidate(Capture& capture);
// The stream is destroyed: legal for all but the one the capture began with, if its work is joined in the end.
void leave_capture(Stream& stream);

}  // namespace hpml::sim::cudart
