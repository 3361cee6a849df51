#include "common/relay/router/decoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace hpml::relay {
namespace {

constexpr const char* kNames[] = {"an unknown call", "MPI_Init",     "MPI_Finalize", "MPI_Send",   "MPI_Recv",
                                  "MPI_Isend",       "MPI_Irecv",    "MPI_Sendrecv", "MPI_Wait",   "MPI_Waitall",
                                  "MPI_Waitany",     "MPI_Test",     "MPI_Testall",  "MPI_Iprobe", "MPI_Barrier",
                                  "MPI_Comm_split",  "MPI_Pcontrol", "compute"};
static_assert(std::size(kNames) == static_cast<std::size_t>(Call::last));

bool has_slots(Op op) { return op == Op::wait_all || op == Op::wait_any || op == Op::test_all; }

}  // namespace

const char* name_of(Call call) {
  const auto index = static_cast<std::size_t>(call);
  return kNames[index < std::size(kNames) ? index : 0];
}

std::string Decoder::feed(std::span<const std::byte> bytes, const std::function<void(RankCall&&)>& take) {
  while (!bytes.empty()) {
    if (asked_) {
      return "it sends before it has read the answer to its last call";
    }
    if (finalized_) {
      return "it sends after MPI_Finalize";
    }
    const std::span<std::byte> place = target();
    const std::size_t some = std::min(place.size(), bytes.size());
    memcpy(place.data(), bytes.data(), some);
    bytes = bytes.subspan(some);
    filled_ += some;
    if (some < place.size()) {
      continue;
    }
    if (!in_body_) {
      if (std::string problem = begin_body(); !problem.empty()) {
        return problem;
      }
    }
    if (!in_body_ || filled_ == (has_slots(call_.frame.op) ? call_.slots.size() * 4 : call_.payload.bytes().size())) {
      in_body_ = false;
      filled_ = 0;
      asked_ = is_question(call_.frame.op);
      finalized_ = call_.frame.op == Op::finalize;
      take(std::exchange(call_, {}));
    }
  }
  return "";
}

std::span<std::byte> Decoder::target() {
  if (!in_body_) {
    return std::as_writable_bytes(std::span(&call_.frame, 1)).subspan(filled_);
  }
  if (has_slots(call_.frame.op)) {
    return std::as_writable_bytes(std::span(call_.slots)).subspan(filled_);
  }
  return call_.payload.bytes().subspan(filled_);
}

std::string Decoder::begin_body() {
  if (std::string problem = check(); !problem.empty()) {
    return problem;
  }
  const Frame& frame = call_.frame;
  greeted_ = true;
  ++calls_;
  filled_ = 0;
  if (has_slots(frame.op)) {
    call_.slots.resize(frame.count);
    in_body_ = frame.count > 0;
  } else if (frame.op == Op::send && frame.bytes > 0) {
    if (!budget_->take(frame.bytes)) {
      return fmt::format("a message of {} bytes is more than the relay can still hold for all ranks", frame.bytes);
    }
    call_.payload = Payload(frame.bytes, *budget_);
    in_body_ = true;
  }
  return "";
}

std::string Decoder::check() const {
  const Frame& frame = call_.frame;
  if (frame.op < Op::init || frame.op > Op::finalize) {
    return fmt::format("a frame of unknown kind {}", static_cast<std::uint32_t>(frame.op));
  }
  if ((frame.op == Op::init) == greeted_ && frame.op != Op::forbidden) {
    return greeted_ ? "a second MPI_Init" : "a call before MPI_Init";
  }
  if (calls_ >= limits_->calls) {
    return fmt::format("{} calls without one that waits", calls_);
  }
  if ((frame.op == Op::send || frame.op == Op::receive) && frame.bytes > limits_->message_bytes) {
    return fmt::format("a message of {} bytes; the limit is {}", frame.bytes, limits_->message_bytes);
  }
  if ((frame.op == Op::send || frame.op == Op::receive) && frame.slot >= limits_->requests) {
    return fmt::format("request {}; the limit is {}", frame.slot, limits_->requests);
  }
  if (has_slots(frame.op) && (frame.count == 0 || frame.count > limits_->requests)) {
    return fmt::format("a list of {} requests; the limit is {}", frame.count, limits_->requests);
  }
  if (frame.op == Op::advance && !(std::isfinite(frame.time) && frame.time >= 0 && frame.time <= limits_->time_s)) {
    return fmt::format("a clock of {} s; the limit is {} s", frame.time, limits_->time_s);
  }
  return "";
}

void Decoder::answered() {
  asked_ = false;
  calls_ = 0;
}

}  // namespace hpml::relay
