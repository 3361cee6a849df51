#pragma once
// The fat binaries in a program's ELF file, found without running it. A program that runs registers them by pointer:
// wrapper.hpp.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::fatbin {

// In the order of the file. Entries point into `elf`. Empty: the program has none, or is no ELF file for 64 bits.
// Parts that are damaged are left out: the program itself says so when it registers them.
std::vector<FatbinPart> read_program(std::span<const std::byte> elf, const std::string& name);

}  // namespace hpml::sim::fatbin
