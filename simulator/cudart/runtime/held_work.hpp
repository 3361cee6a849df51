#pragma once
// Streams that wait for a value in memory (cuStreamWaitValue32). Work is carried out where it is issued, but not behind
// such a wait: the stream holds it until the value is there. That is looked for whenever work of another stream has
// been carried out, when the program calls, and while it waits for the stream.
#include <functional>
#include <limits>
#include <optional>

#include "simulator/cudart/runtime/runtime.hpp"

namespace hpml::sim::cudart {

// The time of an event that stands behind held work.
constexpr Picoseconds kNotYet = std::numeric_limits<Picoseconds>::max() / 2;

// Does the stream hold work, or have to wait for a stream that does (the rules of the legacy default stream)?
bool must_hold(StreamRef at);
// `step(now)` is asked again until it gives the time of its end. What it has waited for happened by `now`, at the
// latest.
void hold(Runtime& runtime, StreamRef at, std::function<std::optional<Picoseconds>(Picoseconds)> step);
// Carries out what need not be held any more. `now`: nothing starts before.
void release_held(Runtime& runtime, Picoseconds now);
// The host waits: other threads of the program may call meanwhile, and write to memory.
void await_held(Runtime& runtime, const std::function<bool()>& released);
void await_held(Runtime& runtime, StreamRef at);

}  // namespace hpml::sim::cudart
