#pragma once
// One fuzz input for everything that reads bytes of ranks: the decoders of three ranks and the engine behind them. The
// input is pieces: rank, length, that many bytes. Whatever they say, the run must come to an end and give back all
// memory.
#include <cstddef>
#include <span>
#include <string>

namespace hpml::relay {

// Returns the state of the verdict.
std::string fuzz_one(std::span<const std::byte> input);

}  // namespace hpml::relay
