#include "simulator/timing/gpu/memory_system.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hpml::sim::timing {

namespace {
constexpr uint8_t kLastEpoch = 127;  // of seven bits
// A write is held up for so many turns of every SM at its slice, at most. More than writes alone ever wait for each
// other (an assumption: an SM has one at a time).
constexpr uint64_t kTurnsOfAll = 8;
}  // namespace

MemorySystem::MemorySystem(const GpuSpec& spec)
    : spec_(spec),
      request_delay_((spec.l2.near_latency_cycles - spec.core.lsu_front_cycles) / 2),
      reply_delay_(spec.l2.near_latency_cycles - spec.core.lsu_front_cycles - request_delay_),
      far_extra_(spec.l2.far_latency_cycles - spec.l2.near_latency_cycles),
      link_(spec),
      channels_(spec.dram.channels, DramChannel(spec)),
      ports_(spec.topology.sms, SmPort(std::max<size_t>(spec.l2.sm_queue, quantum()))),
      request_free_((spec.topology.sms + spec.topology.sms_per_tpc - 1) / spec.topology.sms_per_tpc, 0),
      reply_free_(spec.topology.sms, 0),
      sent_last_(request_free_.size(), 0),
      slice_wake_(spec.l2.slices, kNever),
      sender_wake_(spec.topology.sms),
      held_since_(spec.topology.sms, kNever),
      taken_(spec.l2.slices),
      senders_(spec.topology.sms),
      receivers_(spec.topology.sms),
      relieved_(spec.topology.sms),
      busy_slices_(spec.l2.slices),
      waiting_(spec.l2.slices, ActiveSet(spec.topology.sms)),
      waits_for_(spec.topology.sms, kNoSlice),
      translation_(spec),
      packet_cost_(to_fine(kSectorBytes / spec.l2.sm_port_bytes_per_cycle)),
      request_packet_cost_(to_fine(kSectorBytes / spec.l2.tpc_port_bytes_per_cycle)) {
  for (uint32_t i = 0; i < spec.l2.slices; ++i) {
    DramChannel& channel = channels_[uint64_t{i} * spec.dram.channels / spec.l2.slices];
    slices_.push_back(std::make_unique<L2Slice>(spec, static_cast<int>(i), channel, link_, request_delay_));
  }
  for (size_t i = 0; spec.l2.partitions > 1 && i < slices_.size(); ++i) {
    slices_[i]->set_mirror(*slices_[(i + slices_.size() / 2) % slices_.size()]);
  }
}

MemorySystem::~MemorySystem() = default;

// Any `slices` lines in a row go to different slices, and the order changes from group to group, so that neither a
// stream nor a power-of-two stride camps on one slice.
int MemorySystem::slice_of(uint64_t line) const {
  const uint64_t slices = slices_.size();
  return static_cast<int>((line + mix(line / slices)) % slices);
}

void MemorySystem::tick(Cycle now) {
  serve(now, now + 1);
  move(now, now + 1);
}

void MemorySystem::serve(Cycle begin, Cycle end) {
  for (Cycle now = later(next_served(), begin); now < end; now = later(next_served(), now + 1)) {
    serve_slices(now);
    last_ = later(last_, now);
  }
}

void MemorySystem::move(Cycle begin, Cycle end) {
  for (Cycle now = later(next_sent(), begin); now < end; now = later(next_sent(), now + 1)) {
    move_requests(now);
    last_ = later(last_, now);
  }
  for (std::vector<Cycle>& taken : taken_) {
    taken.clear();
  }
  for (const Answer& answer : answers_) {
    ports_[answer.sm].in.push(answer.ready, answer.reply);
    receivers_.insert(answer.sm);
  }
  answers_.clear();
}

// Who is first changes every cycle: no SM starves.
void MemorySystem::move_requests(Cycle now) {
  senders_.for_each_from((now - start_) % ports_.size(), [&](size_t sm) {
    if (sender_wake_[sm] <= now) {
      drain(sm, now);
    }
  });
}

// What the slice takes later in the quantum is still there.
bool MemorySystem::has_room(size_t slice, Cycle now) const {
  const std::vector<Cycle>& taken = taken_[slice];
  const auto later = taken.end() - std::upper_bound(taken.begin(), taken.end(), now);
  return slices_[slice]->input().room() > static_cast<size_t>(later);
}

void MemorySystem::wait_for(size_t slice, size_t sm, Cycle now) {
  const std::vector<Cycle>& taken = taken_[slice];
  const auto next = std::upper_bound(taken.begin(), taken.end(), now);
  if (next != taken.end()) {
    sender_wake_[sm] = *next;
    return;
  }
  waits_for_[sm] = static_cast<int>(slice);
  waiting_[slice].insert(sm);
  senders_.erase(sm);
}

// A header, and for what writes the sectors behind it.
uint64_t MemorySystem::request_cost(const MemRequest& request) const {
  const uint64_t payload = request.op == MemOp::read ? 0 : static_cast<uint64_t>(sector_count(request.sectors));
  return (1 + payload) * request_packet_cost_;
}

// The SMs of a TPC take turns on their link: one that sent last lets another go first.
bool MemorySystem::yields(size_t sm, Cycle now) const {
  const size_t tpc = tpc_of(sm);
  if (sent_last_[tpc] != sm) {
    return false;
  }
  const size_t first = tpc * spec_.topology.sms_per_tpc;
  for (size_t other = first; other < std::min<size_t>(first + spec_.topology.sms_per_tpc, ports_.size()); ++other) {
    if (other != sm && waits_for_[other] == kNoSlice && sender_wake_[other] <= now &&
        ports_[other].out.peek(now) != nullptr) {
      return true;
    }
  }
  return false;
}

void MemorySystem::drain(size_t sm, Cycle now) {
  Port<MemRequest>& out = ports_[sm].out;
  uint64_t& link_free = request_free_[tpc_of(sm)];
  while (link_free < fine(now + 1) && !yields(sm, now)) {
    const MemRequest* request = out.peek(now);
    if (request == nullptr) {
      break;
    }
    const size_t slice = static_cast<size_t>(slice_of(request->line));
    if (!has_room(slice, now)) {
      wait_for(slice, sm, now);
      return;
    }
    if (const Cycle departs = slices_[slice]->departs(*request, now); departs > now) {
      held_since_[sm] = earlier(held_since_[sm], now);
      // Atomics are not held up, so warps that ask for a lock would keep the slice busy, and its owner's write away
      // from it.
      const Cycle latest = held_since_[sm] + kTurnsOfAll * ports_.size() * slices_[slice]->stage_cycles(*request);
      if (latest > now) {
        sender_wake_[sm] = earlier(departs, latest);
        return;
      }
    }
    held_since_[sm] = kNever;
    slices_[slice]->send(addressed(*request, slice), now);
    busy_slices_.insert(slice);
    slice_wake_[slice] = earlier(slice_wake_[slice], slices_[slice]->next_event());
    link_free = std::max(link_free, fine(now)) + request_cost(*request);
    sent_last_[tpc_of(sm)] = sm;
    if (!out.can_send()) {
      relieved_.insert(sm);
    }
    out.pop();
  }
  if (out.empty()) {
    senders_.erase(sm);
  }
}

// With the memory that the address leads to, and where it is cached.
MemRequest MemorySystem::addressed(MemRequest request, size_t slice) const {
  const size_t parts = spec_.l2.partitions;
  request.far = request.sm * parts / ports_.size() != slice * parts / slices_.size();
  const bool local = (request.line & kLocalLineBit) != 0;
  if (apertures_ != nullptr && !local && apertures_->over_link(request.line)) {
    request.link_epoch = link_epoch_;
  }
  return request;
}

void MemorySystem::sent(int sm) {
  if (waits_for_[static_cast<size_t>(sm)] == kNoSlice) {
    senders_.insert(static_cast<size_t>(sm));
  }
}

// There is room in the slice's queue.
void MemorySystem::go_on(size_t slice, Cycle now) {
  waiting_[slice].for_each([&](size_t sm) {
    waits_for_[sm] = kNoSlice;
    sender_wake_[sm] = now;
    senders_.insert(sm);
  });
  waiting_[slice].clear();
}

void MemorySystem::serve_slices(Cycle now) {
  MemRequest request;
  busy_slices_.for_each([&](size_t i) {
    if (slice_wake_[i] > now) {
      return;
    }
    uint64_t extra = 0;
    if (slices_[i]->tick(now, request, extra, counters_)) {
      taken_[i].push_back(now);
      go_on(i, now);
      reply(now, request, extra);
    }
    const Cycle next = slices_[i]->next_event();
    slice_wake_[i] = next == kNever ? kNever : later(next, now + 1);
    if (next == kNever) {
      busy_slices_.erase(i);
    }
  });
}

void MemorySystem::reply(Cycle now, const MemRequest& request, uint64_t extra) {
  const size_t sm = request.sm;
  // Caches and DRAM have heard of the request at once; what its address takes to translate delays the answer.
  const uint64_t translation = translation_.delay(sm, request.line, now);
  if (request.op == MemOp::write || request.op == MemOp::reduction) {
    return;
  }
  const Cycle data = now + translation + extra + reply_delay_ + (request.far ? far_extra_ : 0);
  // The reply link: a sector per packet; the first one's time is part of the latency.
  const uint64_t start = std::max(reply_free_[sm], fine(data));
  const uint64_t sectors = static_cast<uint64_t>(sector_count(request.sectors));
  reply_free_[sm] = std::max(reply_free_[sm], fine(now)) + sectors * packet_cost_;
  answers_.push_back({sm, whole(start + (sectors - 1) * packet_cost_), MemReply{request.ticket, request.sectors}});
}

Cycle MemorySystem::next_event() const { return earlier(next_served(), next_sent()); }

Cycle MemorySystem::next_served() const {
  Cycle next = kNever;
  busy_slices_.for_each([&](size_t i) { next = earlier(next, slice_wake_[i]); });
  return next;
}

Cycle MemorySystem::next_sent() const {
  Cycle next = kNever;
  senders_.for_each([&](size_t sm) {
    const Cycle ready = later(ports_[sm].out.next_ready(), whole(request_free_[tpc_of(sm)]));
    next = earlier(next, later(ready, sender_wake_[sm]));
  });
  return next;
}

// A kernel's writes over the link are part of it.
Cycle MemorySystem::written() const { return link_.written(); }

void MemorySystem::place(uint64_t address, uint64_t bytes) {
  const uint64_t capacity = uint64_t{spec_.l2.size_kib} * 1024;
  const uint64_t end = address + bytes;
  const uint64_t begin = bytes > capacity ? end - capacity : address;
  if (bytes > capacity) {
    forget();
  }
  for (uint64_t line = begin / 128; line * 128 < end; ++line) {
    slices_[static_cast<size_t>(slice_of(line))]->place(line);
  }
}

void MemorySystem::start_kernel(Cycle now) {
  start_ = last_ = now;
  answers_.clear();
  link_epoch_ = link_epoch_ == kLastEpoch ? 1 : link_epoch_ + 1;
  counters_ = warmed_ = ModelCounters{};
  std::fill(slice_wake_.begin(), slice_wake_.end(), kNever);
  senders_.clear();
  receivers_.clear();
  relieved_.clear();
  busy_slices_.clear();
  std::fill(waits_for_.begin(), waits_for_.end(), kNoSlice);
  std::fill(sender_wake_.begin(), sender_wake_.end(), now);
  std::fill(held_since_.begin(), held_since_.end(), kNever);
  for (ActiveSet& waiting : waiting_) {
    waiting.clear();
  }
  for (auto& slice : slices_) {
    slice->drop_requests();
  }
  for (SmPort& port : ports_) {
    port.out.clear();
    port.in.clear();
  }
}

void MemorySystem::warm(const MemRequest& unaddressed) {
  const auto slice = static_cast<size_t>(slice_of(unaddressed.line));
  const MemRequest request = addressed(unaddressed, slice);
  slices_[slice]->warm(request, warmed_);
  translation_.delay(request.sm, request.line, start_);  // there when the launch is timed again
}

void MemorySystem::unseen(double sectors) {
  if (sectors * kSectorBytes < static_cast<double>(spec_.l2.size_kib) * 1024) {
    return;
  }
  forget();
}

void MemorySystem::forget() {
  for (auto& slice : slices_) {
    slice->forget();
  }
}

void MemorySystem::describe(std::string& out) const {
  for (const auto& slice : slices_) {
    if (slice->next_event() != kNever) {
      slice->describe(out);
    }
  }
  for (size_t sm = 0; sm < ports_.size(); ++sm) {
    if (!ports_[sm].out.empty() || ports_[sm].in.size() > 0) {
      out +=
          fmt::format("crossbar port {}: {} requests, {} replies\n", sm, ports_[sm].out.size(), ports_[sm].in.size());
    }
  }
}

}  // namespace hpml::sim::timing
