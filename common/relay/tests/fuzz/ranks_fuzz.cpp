#include "common/relay/tests/fuzz/ranks_fuzz.hpp"

#include <cstdint>
#include <vector>

#include "common/base/check.hpp"
#include "common/relay/router/engine.hpp"

namespace hpml::relay {
namespace {

constexpr std::uint32_t kRanks = 3;

// Like the server, without sockets.
struct Ranks {
  Limits limits;
  Budget budget;
  Engine engine;
  std::vector<Decoder> decoders;

  Ranks(const Limits& most, const Platform& platform)
      : limits(most), budget(most.held_bytes), engine({.ranks = kRanks, .timeline = true}, platform, most) {
    for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
      decoders.emplace_back(limits, budget);
    }
  }
  void feed(std::uint32_t rank, std::span<const std::byte> bytes) {
    const std::string problem =
        decoders[rank].feed(bytes, [&](RankCall&& call) { engine.take(rank, std::move(call)); });
    if (!problem.empty()) {
      engine.stop({"protocol", static_cast<std::int32_t>(rank), problem});
    }
    go_on();
  }
  void go_on() {
    while (!engine.over() && engine.running() == 0) {
      for (const Reply& reply : engine.go_on()) {
        decoders[reply.rank].answered();
      }
    }
  }
};

}  // namespace

std::string fuzz_one(std::span<const std::byte> input) {
  Limits limits;
  limits.message_bytes = 4096;
  limits.held_bytes = 1 << 16;
  limits.requests = 64;
  limits.calls = 64;
  limits.idle_polls = 100;
  const auto platform = Platform::make(kRanks, {1e-5, 1e9}, Groups{2, {1e-5, 1e9}}, {});
  Ranks ranks(limits, *platform);
  while (input.size() >= 2 && !ranks.engine.over()) {
    const std::uint32_t rank = static_cast<std::uint32_t>(input[0]) % kRanks;
    const std::size_t length = std::min<std::size_t>(static_cast<std::size_t>(input[1]), input.size() - 2);
    ranks.feed(rank, input.subspan(2, length));
    input = input.subspan(2 + length);
  }
  for (std::uint32_t rank = 0; rank < kRanks && !ranks.engine.over(); ++rank) {
    ranks.engine.ended(rank);
    ranks.go_on();
  }
  HPML_CHECK(ranks.engine.over(), "every rank has ended, but the run has not");
  return ranks.engine.run().verdict.state;
}

}  // namespace hpml::relay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hpml::relay::fuzz_one(std::as_bytes(std::span(data, size)));
  return 0;
}
