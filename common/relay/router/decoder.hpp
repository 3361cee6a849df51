#pragma once
// From the bytes of one rank to its calls. Every byte is hostile: a frame is refused with the reason as soon as one of
// its fields cannot be right, and nothing is allocated before that.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/relay/router/limits.hpp"
#include "common/relay/router/payload.hpp"
#include "common/relay/wire.hpp"

namespace hpml::relay {

// A frame and what followed it.
struct RankCall {
  Frame frame;
  std::vector<std::uint32_t> slots;  // of wait_all, wait_any, test_all
  Payload payload;                   // of send
};

const char* name_of(Call call);

class Decoder {
 public:
  Decoder(const Limits& limits, Budget& budget) : limits_(&limits), budget_(&budget) {}

  // Passes complete calls to `take`. Returns the reason when the rank has broken the protocol: it must not be fed
  // again.
  std::string feed(std::span<const std::byte> bytes, const std::function<void(RankCall&&)>& take);
  // The question has been answered: the rank may send again.
  void answered();
  // Whether the bytes so far end in the middle of a call.
  bool in_call() const { return filled_ > 0; }

 private:
  std::string check() const;
  std::string begin_body();
  std::span<std::byte> target();  // where the next bytes go

  const Limits* limits_;
  Budget* budget_;
  RankCall call_;
  bool in_body_ = false;
  std::size_t filled_ = 0;   // of the frame or the body
  std::uint32_t calls_ = 0;  // since the last question
  bool asked_ = false;
  bool greeted_ = false;
  bool finalized_ = false;
};

}  // namespace hpml::relay
