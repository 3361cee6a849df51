#include "simulator/cudart/runtime/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"

namespace hpml::sim::cudart {

Timeline::Timeline() {
  streams_.push_back(std::make_unique<Stream>());
  legacy_ = streams_.front().get();
}

Stream& Timeline::create(bool non_blocking, unsigned flags, int priority) {
  streams_.push_back(std::make_unique<Stream>(
      Stream{.id = next_id_++, .non_blocking = non_blocking, .flags = flags, .priority = priority}));
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

Span Timeline::place(Use use, Picoseconds duration, Picoseconds earliest) {
  const auto on_copy_engine = [&](Picoseconds& free) {
    const Picoseconds start = std::max(earliest, free);
    free = start + duration;
    return Span{start, free};
  };
  switch (use.engine) {
    case Engine::none: return {earliest, earliest + duration};
    case Engine::compute: return place_on_compute(std::clamp(use.share, 0.0, 1.0), duration, earliest);
    case Engine::copy_to_device: return on_copy_engine(to_device_free_);
    case Engine::copy_to_host: return on_copy_engine(to_host_free_);
  }
  HPML_CHECK(false, fmt::format("engine {}", static_cast<int>(use.engine)));
}

// Whether `share` is free all the time: use changes only where something starts.
bool Timeline::room(double share, Span span) const {
  constexpr double kRounding = 1e-9;
  const auto used_at = [this](Picoseconds time) {
    double used = 0;
    for (const Running& other : running_) {
      used += other.span.start <= time && time < other.span.end ? other.share : 0;
    }
    return used;
  };
  const auto fits_at = [&](Picoseconds time) { return used_at(time) + share <= 1 + kRounding; };
  return fits_at(span.start) && std::ranges::all_of(running_, [&](const Running& other) {
           return other.span.start <= span.start || other.span.start >= span.end || fits_at(other.span.start);
         });
}

Picoseconds Timeline::next_end(Picoseconds after) const {
  Picoseconds next = INT64_MAX;
  for (const Running& other : running_) {
    next = other.span.end > after ? std::min(next, other.span.end) : next;
  }
  return next;
}

Span Timeline::place_on_compute(double share, Picoseconds duration, Picoseconds earliest) {
  Span span{std::max(earliest, compute_from_), 0};
  span.end = span.start + duration;
  while (!room(share, span)) {
    span.start = next_end(span.start);
    span.end = span.start + duration;
  }
  remember({span, share});
  return span;
}

// A device runs at most 128 kernels at a time (CUDA programming guide, "Compute Capabilities": resident grids).
void Timeline::remember(const Running& running) {
  constexpr size_t kResidentGrids = 128;
  running_.push_back(running);
  if (running_.size() > kResidentGrids) {
    const auto first = std::ranges::min_element(running_, {}, [](const Running& r) { return r.span.end; });
    compute_from_ = std::max(compute_from_, first->span.end);
    running_.erase(first);
  }
}

Span Timeline::enqueue(Stream& stream, Use use, Picoseconds duration, Picoseconds earliest) {
  const Span span = place(use, duration, std::max(earliest, ready(stream)));
  stream.end = span.end;
  return span;
}

std::vector<Stream*> Timeline::streams() const {
  std::vector<Stream*> all;
  for (const auto& stream : streams_) {
    all.push_back(stream.get());
  }
  return all;
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
