#pragma once
// One fuzz input for the fat binary reader: read it as a part, unpack every entry, read every cubin. The only
// expectation is that this returns. Shared by the libFuzzer target and by the replay test.
#include <cstddef>
#include <span>

namespace hpml::sim::fatbin {

void fuzz_one(std::span<const std::byte> input);

}  // namespace hpml::sim::fatbin
