#include "simulator/cudart/runtime/timeline.hpp"

#include <algorithm>

#include "common/base/check.hpp"

namespace hpml::sim::cudart {

Timeline::Timeline() {
  streams_.push_back(std::make_unique<Stream>());
  legacy_ = streams_.front().get();
}

Stream& Timeline::create(bool non_blocking, unsigned flags, int priority) {
  streams_.push_back(std::make_unique<Stream>(
      Stream{.id = next_id_++, .non_blocking = non_blocking, .flags = flags, .priority = priority, .end = 0}));
  return *streams_.back();
}

// The work of a destroyed stream still runs: later work that waits for all streams waits for it too.
void Timeline::destroy(Stream& stream) {
  retired_ = std::max(retired_, stream.end);
  if (!stream.non_blocking) {
    retired_blocking_end_ = std::max(retired_blocking_end_, stream.end);
  }
  std::erase_if(streams_, [&](const auto& owned) { return owned.get() == &stream; });
}

bool Timeline::owns(const Stream* stream) const {
  return std::ranges::any_of(streams_, [&](const auto& owned) { return owned.get() == stream; });
}

Picoseconds Timeline::ready(const Stream& stream) const {
  Picoseconds time = stream.end;
  if (&stream == legacy_) {
    time = std::max(time, retired_blocking_end_);
    for (const auto& other : streams_) {
      time = other->non_blocking ? time : std::max(time, other->end);
    }
  } else if (!stream.non_blocking) {
    time = std::max(time, legacy_->end);
  }
  return time;
}

Picoseconds& Timeline::engine_free(Engine engine) {
  switch (engine) {
    case Engine::compute: return compute_free_;
    case Engine::copy_to_device: return to_device_free_;
    case Engine::copy_to_host: return to_host_free_;
    case Engine::none: break;
  }
  HPML_CHECK(false, "this operation runs on no engine");
}

Span Timeline::enqueue(Stream& stream, Engine engine, Picoseconds duration, Picoseconds earliest) {
  Picoseconds start = std::max(earliest, ready(stream));
  if (engine != Engine::none) {
    start = std::max(start, engine_free(engine));
    engine_free(engine) = start + duration;
  }
  stream.end = start + duration;
  return {start, stream.end};
}

void Timeline::wait_until(Stream& stream, Picoseconds time) { stream.end = std::max(stream.end, time); }

Picoseconds Timeline::all_done() const {
  Picoseconds time = retired_;
  for (const auto& stream : streams_) {
    time = std::max(time, stream->end);
  }
  return time;
}

}  // namespace hpml::sim::cudart
