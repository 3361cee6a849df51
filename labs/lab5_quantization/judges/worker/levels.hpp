#pragma once
// The rungs of E6's ladder (src/lab5.hpp), and which of them this processor has.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hpml::lab5 {

enum Level : int32_t { naive, blocked, avx2, vnni, neon };
inline constexpr std::string_view kLevelNames[] = {"naive", "blocked", "avx2", "vnni", "neon"};

std::vector<Level> levels_here();  // slowest first
inline Level best_level() { return levels_here().back(); }

// Does `macs` multiplications and additions of 8-bit integers in registers, as many per instruction as the level has.
// Exact ones: at avx2 by 16-bit products, which do not saturate.
void multiply_in_registers(Level level, int64_t macs);

}  // namespace hpml::lab5
