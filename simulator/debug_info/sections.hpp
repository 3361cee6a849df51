#pragma once
// The debug sections that compilers write into PTX (PTX ISA, "Debugging Directives: .section"), as an ELF file in
// memory, so that a library for DWARF can read them.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::debug_info {

// An address in the sections that stands for symbol number N of the PTX, plus an offset.
inline constexpr uint64_t kSymbolBase = uint64_t{1} << 62;
inline constexpr int kSymbolShift = 32;

struct Sections {
  std::map<std::string, std::vector<std::byte>> bytes;  // by name, ".debug_info"
  std::vector<std::string> symbols;                     // named by addresses
};

// Labels become the numbers of their lines. Error: a malformed section, with its line.
Result<Sections> read_sections(std::string_view ptx, const std::string& name);

// ELF64, little endian.
std::vector<std::byte> to_elf(const Sections& sections);

}  // namespace hpml::sim::debug_info
