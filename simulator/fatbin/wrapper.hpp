#pragma once
// The 24-byte wrapper that __cudaRegisterFatBinary gets, and what it points to. Here pointers come without a length:
// a container states its size, PTX text (clang) ends with a NUL.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/fatbin/container.hpp"

namespace hpml::sim::fatbin {

inline constexpr uint32_t kWrapperMagic = 0x466243B1;

struct FatbinWrapper {
  uint32_t magic;
  uint32_t version;  // 1: data is the container; 2 (-rdc=true): the parts are in `prelinked`
  const void* data;
  const void* const* prelinked;  // version 2: NULL-terminated array of containers
};
static_assert(sizeof(FatbinWrapper) == 24);

// One part of a program: a translation unit's fat binary. Parts of one wrapper are linked with each other.
struct FatbinPart {
  std::string name;            // for diagnostics: "<fat binary 2 of ./prog>"
  std::vector<Entry> entries;  // either these
  std::string ptx_text;        // or PTX as plain text (clang)
};

struct Fatbin {
  std::vector<FatbinPart> parts;
  std::vector<Entry> linked;  // version 2: entries of the linked container (cubin only): register counts come from it
};

// Reads everything the wrapper points to. The pointers must be those of the running program: data that lies about its
// size cannot be told from data that does not.
Result<Fatbin> read_wrapper(const void* wrapper, const std::string& name);

// The PTX text that the wrapper points to, in place; empty when it points to a container, or is no wrapper of ours.
std::string_view plain_text(const void* wrapper);

// The kinds of input a part may be: a container, or PTX text that starts with white space, `//` or `.version`.
bool looks_like_ptx(std::string_view beginning);
Result<FatbinPart> read_part(std::span<const std::byte> bytes, const std::string& name);

}  // namespace hpml::sim::fatbin
