#pragma once
// The fat binary container: a 16-byte header and a run of entries (PTX or cubin, for one sm each).
// Layout read from the output of nvcc 11.8 and 13.0; unknown entry kinds are kept and ignored by the callers.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::fatbin {

inline constexpr uint32_t kContainerMagic = 0xBA55ED50;
inline constexpr uint32_t kAncientMagic = 0x1EE55A01;  // before CUDA 4
inline constexpr uint64_t kContainerHeaderSize = 16;

enum class EntryKind : uint16_t { ptx = 1, elf = 2 };

enum class Compression : uint8_t { none, lz4, zstd };

struct Entry {
  uint16_t kind = 0;                         // EntryKind, or a value this program does not know
  uint32_t sm = 0;                           // 75, 80, ...
  int version_major = 0, version_minor = 0;  // PTX ISA version of PTX entries
  uint64_t flags = 0;
  Compression compression = Compression::none;
  uint64_t uncompressed_size = 0;      // 0 when not compressed
  uint64_t offset = 0;                 // of the entry in its input, for messages
  std::string options;                 // "-O3 --generate-line-info"; empty when there is no record
  std::string source_name;             // "kernel.cu"; empty when none
  std::span<const std::byte> payload;  // as stored; points into the input

  bool is_ptx() const { return kind == static_cast<uint16_t>(EntryKind::ptx); }
  bool is_elf() const { return kind == static_cast<uint16_t>(EntryKind::elf); }
  std::string describe() const;  // "PTX for sm_75 at offset 16"
};

// Every entry of the containers that follow each other in `bytes`. `name` is used in diagnostics.
Result<std::vector<Entry>> read_containers(std::span<const std::byte> bytes, const std::string& name);

// The payload, decompressed when it is compressed. PTX comes back without NUL padding and leading blank lines.
Result<std::string> unpack(const Entry& entry, const std::string& name);

// PTX as text: padding and blank lines around it removed.
std::string_view trim_ptx(std::string_view text);

}  // namespace hpml::sim::fatbin
