#include "simulator/fatbin/container.hpp"

#include <fmt/format.h>

#include "simulator/fatbin/byte_view.hpp"

namespace hpml::sim::fatbin {
namespace {

constexpr uint64_t kMinEntryHeader = 64;
constexpr uint64_t kFlagLz4 = 0x2000;
constexpr uint64_t kFlagZstd = 0x8000;

struct RawEntry {  // the fixed part of an entry header, as stored
  uint16_t kind;
  uint16_t attribute;  // 0x0101 in every file seen
  uint32_t header_size;
  uint64_t payload_size;
  uint32_t compressed_size;
  uint32_t options_offset;
  uint16_t version_minor;
  uint16_t version_major;
  uint32_t sm;
  uint32_t name_offset;
  uint32_t name_length;
  uint64_t flags;
  uint64_t reserved;
  uint64_t uncompressed_size;
};
static_assert(sizeof(RawEntry) == kMinEntryHeader);

Diag broken(const std::string& name, uint64_t offset, const std::string& what) {
  return error_in(name, fmt::format("fat binary is damaged at offset {}: {}; rebuild the program", offset, what));
}

Compression compression_of(uint64_t flags) {
  if ((flags & kFlagZstd) != 0) {
    return Compression::zstd;
  }
  return (flags & kFlagLz4) != 0 ? Compression::lz4 : Compression::none;
}

// The options record is {u32 offset of the text from the entry, u32 length}; both inside the entry header.
std::string read_options(ByteView header, uint32_t record_offset) {
  const auto text_offset = header.read<uint32_t>(record_offset);
  const auto length = header.read<uint32_t>(uint64_t{record_offset} + 4);
  if (record_offset == 0 || !text_offset || !length) {
    return {};
  }
  const auto text = header.sub(*text_offset, *length);
  return text ? std::string(text->text().substr(0, text->text().find('\0'))) : std::string();
}

// nvcc stores compressed_size for compressed entries; the payload is padded to 8 bytes after it.
Result<Entry> read_entry(ByteView container, uint64_t at, uint64_t base, const std::string& name) {
  const uint64_t where = base + at;
  const auto raw = container.read<RawEntry>(at);
  if (!raw) {
    return broken(name, where, "an entry header is cut short");
  }
  if (raw->header_size < kMinEntryHeader) {
    return broken(name, where, fmt::format("entry header of {} bytes, at least 64 expected", raw->header_size));
  }
  const auto header = container.sub(at, raw->header_size);
  const auto payload = header ? container.sub(at + raw->header_size, raw->payload_size) : std::nullopt;
  if (!payload) {
    return broken(name, where,
                  fmt::format("entry of kind {} for sm_{} ends after its container ({} bytes of payload)", raw->kind,
                              raw->sm, raw->payload_size));
  }
  Entry entry{.kind = raw->kind,
              .sm = raw->sm,
              .version_major = raw->version_major,
              .version_minor = raw->version_minor,
              .flags = raw->flags,
              .compression = compression_of(raw->flags),
              .uncompressed_size = raw->uncompressed_size,
              .offset = where,
              .options = read_options(*header, raw->options_offset),
              .source_name = {},
              .payload = payload->bytes()};
  if (const auto source = header->sub(raw->name_offset, raw->name_length); raw->name_offset != 0 && source) {
    entry.source_name = std::string(source->text().substr(0, source->text().find('\0')));
  }
  if (entry.compression != Compression::none) {
    if (raw->compressed_size == 0 || raw->compressed_size > raw->payload_size) {
      return broken(name, where,
                    fmt::format("{}: compressed size {} does not fit its {} bytes", entry.describe(),
                                raw->compressed_size, raw->payload_size));
    }
    entry.payload = entry.payload.first(raw->compressed_size);
  }
  return entry;
}

Result<void> read_one_container(ByteView body, uint64_t base, const std::string& name, std::vector<Entry>& entries) {
  uint64_t at = 0;
  while (at < body.size()) {
    HPML_TRY(Entry entry, read_entry(body, at, base, name));
    const uint64_t header = *body.read<uint32_t>(at + 4);
    const uint64_t stored = *body.read<uint64_t>(at + 8);
    entries.push_back(std::move(entry));
    at += header + stored;  // both were checked to lie inside the body
  }
  return Ok{};
}

}  // namespace

std::string Entry::describe() const {
  const std::string what = is_ptx() ? "PTX" : is_elf() ? "machine code" : fmt::format("entry of unknown kind {}", kind);
  return fmt::format("{} for sm_{} at offset {}", what, sm, offset);
}

Result<std::vector<Entry>> read_containers(std::span<const std::byte> bytes, const std::string& name) {
  const ByteView view(bytes);
  std::vector<Entry> entries;
  uint64_t at = 0;
  do {
    const auto magic = view.read<uint32_t>(at);
    const auto header = view.read<uint16_t>(at + 6);
    const auto size = view.read<uint64_t>(at + 8);
    if (!magic || !header || !size) {
      return broken(name, at, "the container header is cut short");
    }
    if (*magic == kAncientMagic) {
      return error_in(name, "fat binary written by a CUDA toolkit older than 4.0; rebuild with CUDA 11 or newer");
    }
    if (*magic != kContainerMagic) {
      return broken(name, at, fmt::format("magic number 0x{:08x}, expected 0x{:08x}", *magic, kContainerMagic));
    }
    if (*header < kContainerHeaderSize) {
      return broken(name, at, fmt::format("container header of {} bytes, at least 16 expected", *header));
    }
    const auto body = view.sub(at + *header, *size);
    if (!body) {
      return broken(name, at, fmt::format("the container claims {} bytes, {} are there", *size, view.size() - at));
    }
    HPML_TRY_VOID(read_one_container(*body, at + *header, name, entries));
    at += *header + *size;
  } while (at < view.size());
  return entries;
}

std::string_view trim_ptx(std::string_view text) {
  text = text.substr(0, text.find('\0'));
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

}  // namespace hpml::sim::fatbin
