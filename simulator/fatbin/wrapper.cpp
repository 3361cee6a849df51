#include "simulator/fatbin/wrapper.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "simulator/fatbin/byte_view.hpp"

namespace hpml::sim::fatbin {
namespace {

std::span<const std::byte> bytes_of(const void* data, size_t size) {
  return {static_cast<const std::byte*>(data), size};
}

// A pointer of the running program to a container or to text: finds its extent, then reads it like a file.
Result<FatbinPart> read_pointer(const void* data, const std::string& name) {
  uint32_t magic = 0;
  std::memcpy(&magic, data, sizeof(magic));
  if (magic != kContainerMagic) {
    const std::string_view start(static_cast<const char*>(data), strnlen(static_cast<const char*>(data), 16));
    const size_t size = looks_like_ptx(start) ? std::strlen(static_cast<const char*>(data)) : sizeof(magic);
    return read_part(bytes_of(data, size), name);
  }
  uint16_t header = 0;
  uint64_t size = 0;
  std::memcpy(&header, static_cast<const char*>(data) + 6, sizeof(header));
  std::memcpy(&size, static_cast<const char*>(data) + 8, sizeof(size));
  return read_part(bytes_of(data, header + size), name);
}

}  // namespace

bool looks_like_ptx(std::string_view beginning) {
  const std::string_view text = trim_ptx(beginning);
  return text.starts_with("//") || text.starts_with("/*") || text.starts_with(".version") ||
         (text.empty() && !beginning.empty());
}

Result<FatbinPart> read_part(std::span<const std::byte> bytes, const std::string& name) {
  const std::string_view text = ByteView(bytes).text();
  FatbinPart part{.name = name, .entries = {}, .ptx_text = {}};
  if (looks_like_ptx(text.substr(0, 16))) {
    part.ptx_text = std::string(trim_ptx(text));
    return part;
  }
  HPML_TRY(part.entries, read_containers(bytes, name));
  return part;
}

std::string_view plain_text(const void* wrapper) {
  FatbinWrapper head{};
  if (wrapper != nullptr) {
    std::memcpy(&head, wrapper, sizeof(head));
  }
  if (head.magic != kWrapperMagic || head.version != 1) {
    return {};
  }
  const char* text = static_cast<const char*>(head.data);
  return looks_like_ptx({text, strnlen(text, 16)}) ? std::string_view(text) : std::string_view();
}

Result<Fatbin> read_wrapper(const void* wrapper, const std::string& name) {
  FatbinWrapper head{};
  if (wrapper == nullptr) {
    return error_in(name, "no fat binary: null wrapper");
  }
  std::memcpy(&head, wrapper, sizeof(head));
  if (head.magic != kWrapperMagic) {
    return error_in(name,
                    fmt::format("fat binary wrapper has magic number 0x{:08x}, expected 0x{:08x}; rebuild the program",
                                head.magic, kWrapperMagic));
  }
  Fatbin fatbin;
  if (head.version == 1) {
    HPML_TRY(FatbinPart part, read_pointer(head.data, name));
    fatbin.parts.push_back(std::move(part));
    return fatbin;
  }
  if (head.version != 2) {
    return error_in(name, fmt::format("fat binary wrapper version {}, this program reads 1 and 2", head.version));
  }
  if (head.data != nullptr) {
    HPML_TRY(FatbinPart linked, read_pointer(head.data, name));
    fatbin.linked = std::move(linked.entries);
  }
  for (const void* const* part = head.prelinked; part != nullptr && *part != nullptr; ++part) {
    HPML_TRY(FatbinPart next, read_pointer(*part, fmt::format("{} part {}", name, fatbin.parts.size() + 1)));
    fatbin.parts.push_back(std::move(next));
  }
  return fatbin;
}

}  // namespace hpml::sim::fatbin
