#include "simulator/cudart/runtime/execute.hpp"

#include <algorithm>
#include <cstring>

#include "simulator/cudart/runtime/capture.hpp"
#include "simulator/cudart/runtime/check.hpp"
#include "simulator/cudart/runtime/execute_parts.hpp"
#include "simulator/cudart/runtime/held_work.hpp"
#include "simulator/cudart/runtime/host_function_thread.hpp"

namespace hpml::sim::cudart {
namespace {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

// Registers the fault of a finished kernel: the host meets it when its clock passes the kernel's end.
void record_fault(Runtime& runtime, Context& context, const device::Trap& trap, Picoseconds end) {
  say(trap.message);
  runtime.log.faults.push_back(trap.message);
  context.set_fault({error_of(trap.kind), end});
}

Span at(Picoseconds time) { return {time, time}; }

}  // namespace

device::LaunchRequest request_of(const KernelWork& kernel) {
  device::LaunchRequest request;
  request.kernel = kernel.kernel;
  request.grid = kernel.grid;
  request.block = kernel.block;
  request.cluster = kernel.cluster;
  request.non_portable_cluster = kernel.non_portable_cluster;
  request.dynamic_shared = kernel.dynamic_shared;
  request.cooperative = kernel.cooperative;
  request.params = kernel.params;
  return request;
}

void take_cluster_settings(const FunctionSettings& settings, KernelWork& kernel) {
  const auto& c = settings.cluster;
  if (!kernel.cluster && c[0] != 0) {
    kernel.cluster = {
        .x = static_cast<uint32_t>(c[0]), .y = static_cast<uint32_t>(c[1]), .z = static_cast<uint32_t>(c[2])};
  }
  kernel.non_portable_cluster = settings.non_portable_cluster;
}

Error check(Context& context, const KernelWork& kernel) {
  return error_of(context.device().check_launch(request_of(kernel)));
}

// Sizes are the declaration's, not the host's, and nothing beyond the declared parameters is read (the stub of a kernel
// without any passes an uninitialised array).
std::vector<std::byte> parameter_block(const device::KernelInfo& info, void* const* arguments) {
  std::vector<std::byte> block(info.param_bytes);
  for (size_t i = 0; i < info.params.size(); ++i) {
    std::memcpy(block.data() + info.params[i].offset, arguments[i], info.params[i].size);
  }
  return block;
}

Span execute_kernel(Runtime& runtime, Context& context, const KernelWork& kernel, Picoseconds earliest,
                    uint64_t stream) {
  device::LaunchRequest request = request_of(kernel);
  request.start = earliest;
  device::LaunchResult result = context.device().launch(request);
  const Span span = context.timeline().place({Engine::compute, result.share}, result.duration, earliest);
  runtime.log.add(KernelRecord{std::move(result.record), span, stream, context.ordinal()});
  say_findings(context);
  for (const auto& [handle, value] : result.conditionals) {
    if (Condition* condition = runtime.graphs.condition(handle); condition != nullptr) {
      condition->value = value;
    }
  }
  if (!result.stray_access.empty()) {
    context.warn_of_stray_access(result.stray_access);
  }
  if (!result.output.empty()) {
    context.add_output(span.end, std::move(result.output));
  }
  if (!result.assertions.empty()) {
    context.output.push_back({.time = span.end, .text = std::move(result.assertions), .to_stderr = true});
  }
  if (result.trap) {
    record_fault(runtime, context, *result.trap, span.end);
  }
  return span;
}

Span execute_library(Runtime& runtime, Context& context, const LibraryWork& work, Picoseconds earliest,
                     uint64_t stream) {
  context.device().before_library(work.operation, earliest);
  if (work.body) {
    work.body();
  }
  const auto written = [&](const void* output, uint64_t bytes) {
    if (output != nullptr && bytes > 0) {
      const auto address = reinterpret_cast<uint64_t>(output);
      check_host_writes(runtime, Rows{.address = address, .pitch = bytes, .width = bytes});
      context.device().memory_written(address, bytes);
    }
  };
  written(work.output, work.output_bytes);
  for (const Written& one : work.more) {
    written(one.address, one.bytes);
  }
  context.device().after_library();
  device::LaunchResult result = context.device().library_launch(work.kernel, earliest);
  const Span span = context.timeline().place({Engine::compute, result.share}, result.duration, earliest);
  runtime.log.add(KernelRecord{std::move(result.record), span, stream, context.ordinal()});
  return span;
}

// The function runs when the host's clock passes it, or before further work is executed, whichever comes first.
Span execute_host(Runtime&, Context& context, std::function<void()> function, Picoseconds earliest) {
  const auto run = [function = std::move(function)] {
    ThreadState& thread = this_thread();
    const int inside = std::exchange(thread.inside, 0);
    const bool before = std::exchange(thread.in_host_function, true);
    function();
    thread.in_host_function = before;
    thread.inside = inside;
  };
  context.output.push_back({.time = earliest, .text = {}, .host_function = run});
  HostFunctionThread::get().wake();
  return at(earliest);
}

// CUDA runtime API, cudaConditionalNodeParams: which body runs, and how often.
Span execute_conditional(Runtime& runtime, Context& context, const ConditionalWork& work, Picoseconds earliest,
                         uint64_t stream) {
  const Condition& condition = *runtime.graphs.condition(work.handle);
  const auto run = [&](const Graph& body, Picoseconds start) {
    return execute_graph(runtime, body, start, stream).end;
  };
  Span whole = at(earliest);
  switch (work.type) {
    case ConditionalType::if_else:
      if (condition.value != 0) {
        whole.end = run(*work.bodies[0], earliest);
      } else if (work.bodies.size() > 1) {
        whole.end = run(*work.bodies[1], earliest);
      }
      break;
    case ConditionalType::loop:
      while (condition.value != 0 && !context.faulted()) {
        whole.end = run(*work.bodies[0], whole.end);
      }
      break;
    case ConditionalType::choice:
      if (condition.value < work.bodies.size()) {
        whole.end = run(*work.bodies[condition.value], earliest);
      }
      break;
  }
  return whole;
}

Span execute(Runtime& runtime, Context& context, const Work& work, Picoseconds earliest, uint64_t stream) {
  if (context.faulted()) {  // work queued behind a fault is never started
    return at(earliest);
  }
  if (!std::holds_alternative<HostWork>(work)) {
    runtime.run_host_functions();
  }
  return std::visit(
      Overload{
          [&](const KernelWork& kernel) { return execute_kernel(runtime, context, kernel, earliest, stream); },
          [&](const CopyWork& copy) {
            return copy.bytes() > 0 ? execute_copy(runtime, context, copy, earliest, stream) : at(earliest);
          },
          [&](const FillWork& fill) {
            return fill.bytes() > 0 ? execute_fill(runtime, context, fill, earliest, stream) : at(earliest);
          },
          [&](const LibraryWork& library) { return execute_library(runtime, context, library, earliest, stream); },
          [&](const HostWork& host) {
            return execute_host(
                runtime, context, [host] { host.function(host.data); }, earliest);
          },
          [&](const ChildWork& child) { return execute_graph(runtime, *child.graph, earliest, stream); },
          [&](const ConditionalWork& conditional) {
            return execute_conditional(runtime, context, conditional, earliest, stream);
          },
          [&](const EmptyWork&) { return at(earliest); },
          [&](const WaitWork& wait) {
            const Event* event = runtime.event(wait.event);
            return at(event != nullptr && event->recorded ? std::max(earliest, event->time) : earliest);
          },
          [&](const RecordWork& record) {
            if (Event* event = runtime.event(record.event); event != nullptr) {
              event->stamp(earliest);
            }
            return at(earliest);
          },
          [&](const AllocWork& alloc) {
            alloc.memory->live = true;
            return at(earliest);
          },
          [&](const FreeWork& free) {
            if (const auto memory = context.graph_memory(free.pointer); memory != nullptr) {
              memory->live = false;
            }
            return at(earliest);
          },
      },
      work);
}

Span execute_graph(Runtime& runtime, const Graph& graph, Picoseconds earliest, uint64_t stream) {
  std::map<const Node*, Picoseconds> ends;
  Span whole = at(earliest);
  for (const Node* node : graph.in_order()) {
    Picoseconds start = earliest;
    for (const Node* dependency : node->dependencies) {
      start = std::max(start, ends[dependency]);
    }
    ends[node] = node->enabled ? execute(runtime, *node->context, node->work, start, stream).end : start;
    whole.end = std::max(whole.end, ends[node]);
  }
  return whole;
}

namespace {

// The same later, when the stream need not wait any more.
void hold_work(Runtime& runtime, StreamRef to, Work work, Picoseconds earliest) {
  if (const auto* record = std::get_if<RecordWork>(&work); record != nullptr) {
    record->event->stamp(kNotYet);
  }
  hold(runtime, to, [&runtime, to, work = std::move(work), earliest](Picoseconds) -> std::optional<Picoseconds> {
    const Picoseconds start = std::max(earliest, to.context->timeline().ready(*to.stream));
    const Span span = execute(runtime, *to.context, work, start, to.stream->id);
    to.context->timeline().wait_until(*to.stream, span.end);
    return span.end;
  });
}

}  // namespace

Error issue(Runtime& runtime, StreamRef to, Work work, Picoseconds earliest, Span& span) {
  if (to.stream->capture != nullptr) {
    return capture_work(*to.stream, *to.context, std::move(work)) != nullptr ? Error::success
                                                                             : Error::stream_capture_invalidated;
  }
  if (to.stream->id == 0) {
    if (const Error error = implicit_during_capture(runtime, *to.context); error != Error::success) {
      return error;
    }
  }
  if (runtime.held_count > 0 && std::holds_alternative<LibraryWork>(work)) {
    await_held(runtime, to);  // its result may go to the host
  }
  if (runtime.held_count > 0 && must_hold(to)) {
    hold_work(runtime, to, std::move(work), earliest);
    return Error::success;
  }
  const Picoseconds start = std::max(earliest, to.context->timeline().ready(*to.stream));
  span = execute(runtime, *to.context, work, start, to.stream->id);
  to.context->timeline().wait_until(*to.stream, span.end);
  release_held(runtime, span.end);
  return Error::success;
}

}  // namespace hpml::sim::cudart
