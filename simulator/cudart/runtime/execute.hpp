#pragma once
// Executes work and says when it happened. What the program may ask for has been checked before.
#include "simulator/cudart/runtime/place.hpp"
#include "simulator/cudart/runtime/work.hpp"

namespace hpml::sim::cudart {

// The error that keeps the work from being issued.
Error check(Runtime& runtime, Context& context, const CopyWork& copy);
Error check(Runtime& runtime, Context& context, const FillWork& fill);
Error check(Context& context, const KernelWork& kernel);

// What the attributes of its function say about the clusters of a launch.
void take_cluster_settings(const FunctionSettings& settings, KernelWork& kernel);
device::LaunchRequest request_of(const KernelWork& kernel);

// The parameter block of a kernel, laid out as its PTX declares it.
std::vector<std::byte> parameter_block(const device::KernelInfo& info, void* const* arguments);

// Runs it now; it may not start before `earliest`. `stream`: for the records.
Span execute(Runtime& runtime, Context& context, const Work& work, Picoseconds earliest, uint64_t stream);
Span execute_graph(Runtime& runtime, const Graph& graph, Picoseconds earliest, uint64_t stream);

// Gives the work to the stream: at once, or to the graph that captures it. `earliest`: when the device may start it.
// span: when it happens; unchanged when it was captured.
Error issue(Runtime& runtime, StreamRef at, Work work, Picoseconds earliest, Span& span);

// What a copy moves, by the kinds of memory of its two sides.
device::CopyKind kind_of(Runtime& runtime, const CopyWork& copy);
// Whether the host waits for a copy issued by the synchronous call, or by the asynchronous one.
bool host_waits(Runtime& runtime, const CopyWork& copy, bool synchronous);

}  // namespace hpml::sim::cudart
