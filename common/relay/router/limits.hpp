#pragma once
#include <cstddef>
#include <cstdint>

namespace hpml::relay {

// What ranks may take of the router's memory and time. A rank that asks for more ends the run.
struct Limits {
  std::uint64_t message_bytes = 256u << 20;  // one message
  std::uint64_t held_bytes = 1u << 30;       // all messages that are under way
  std::uint32_t requests = 1u << 16;         // started and not complete, of one rank
  std::uint32_t calls = 1u << 17;            // of one rank between two questions
  std::uint32_t regions = 1024;              // of one rank
  std::uint32_t pairs = 1u << 21;            // (region, sender, receiver) with traffic
  std::uint32_t communicators = 1024;
  std::uint32_t events = 1u << 20;     // of the timeline; later ones are left out
  std::uint32_t idle_polls = 100'000;  // tests in a row, in all ranks, while nothing can happen
  double time_s = 1e9;                 // of a virtual clock
};

}  // namespace hpml::relay
