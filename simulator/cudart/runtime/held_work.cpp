#include "simulator/cudart/runtime/held_work.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace hpml::sim::cudart {
namespace {

constexpr std::chrono::microseconds kHeldNap{50};

// Work that the stream has to let pass first, if it was issued before `number`.
bool waits_for(const Stream& stream, const Stream& other, uint64_t number) {
  const bool legacy_rule =
      &stream != &other && (stream.id == 0 || other.id == 0) && !stream.non_blocking && !other.non_blocking;
  return legacy_rule && !other.held.empty() && other.held.front().number < number;
}

bool waits_for_others(Context& context, const Stream& stream, uint64_t number) {
  for (const Stream* other : context.timeline().streams()) {
    if (waits_for(stream, *other, number)) {
      return true;
    }
  }
  return false;
}

// True: something of the stream was carried out; `now` is then the end of it, or later.
bool release(Runtime& runtime, Context& context, Stream& stream, Picoseconds& now) {
  bool moved = false;
  while (!stream.held.empty() && !waits_for_others(context, stream, stream.held.front().number)) {
    const std::optional<Picoseconds> end = stream.held.front().step(now);
    if (!end) {
      break;
    }
    stream.held.pop_front();
    --runtime.held_count;
    now = std::max(now, *end);
    moved = true;
  }
  return moved;
}

}  // namespace

bool must_hold(StreamRef at) {
  return !at.stream->held.empty() || waits_for_others(*at.context, *at.stream, std::numeric_limits<uint64_t>::max());
}

void hold(Runtime& runtime, StreamRef at, std::function<std::optional<Picoseconds>(Picoseconds)> step) {
  at.stream->held.push_back({.number = ++runtime.held_number, .step = std::move(step)});
  ++runtime.held_count;
}

void release_held(Runtime& runtime, Picoseconds now) {
  if (runtime.held_count == 0 || std::exchange(runtime.releasing, true)) {
    return;
  }
  for (bool moved = true; moved && runtime.held_count > 0;) {
    moved = false;
    for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
      Context* const context = runtime.started(ordinal);
      for (Stream* stream : context != nullptr ? context->timeline().streams() : std::vector<Stream*>{}) {
        moved = release(runtime, *context, *stream, now) || moved;
      }
    }
  }
  runtime.releasing = false;
}

void await_held(Runtime& runtime, const std::function<bool()>& released) {
  for (;;) {
    release_held(runtime, runtime.clock.now());
    if (released()) {
      return;
    }
    runtime.mutex.unlocked([] { std::this_thread::sleep_for(kHeldNap); });
  }
}

void await_held(Runtime& runtime, StreamRef at) {
  if (runtime.held_count > 0) {
    await_held(runtime, [&] { return !at.context->timeline().owns(at.stream) || !must_hold(at); });
  }
}

}  // namespace hpml::sim::cudart
