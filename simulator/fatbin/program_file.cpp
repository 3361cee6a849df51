#include "simulator/fatbin/program_file.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "simulator/fatbin/byte_view.hpp"

namespace hpml::sim::fatbin {
namespace {

// Of whole programs, and of relocatable parts (-rdc), which the section of whole programs then holds as machine code.
constexpr std::string_view kSections[] = {".nv_fatbin", "__nv_relfatbin"};
constexpr uint64_t kAlignment = 8;
constexpr size_t kBeginning = 16;  // of PTX, which tells it from other text

// The bytes of the container or the text at the start of `rest`; 0: neither begins there.
uint64_t size_of_part(ByteView rest) {
  if (rest.read<uint32_t>(0) == kContainerMagic) {
    const auto header = rest.read<uint16_t>(6);
    const auto body = rest.read<uint64_t>(8);
    return header && body && *body <= rest.size() && rest.sub(0, *header + *body) ? *header + *body : 0;
  }
  const auto text = rest.text().front() != '\0' && looks_like_ptx(rest.text().substr(0, kBeginning)) ? rest.c_string(0)
                                                                                                     : std::nullopt;
  return text ? text->size() : 0;
}

void read_section(ByteView section, const std::string& name, std::vector<FatbinPart>& out) {
  for (uint64_t at = 0; at + sizeof(uint32_t) <= section.size();) {
    const ByteView rest(section.bytes().subspan(at));
    const uint64_t size = size_of_part(rest);
    if (size != 0) {
      auto part = read_part(rest.bytes().first(size), fmt::format("{} part {}", name, out.size() + 1));
      if (part.ok()) {
        out.push_back(std::move(*part));
      }
    }
    at = (at + std::max<uint64_t>(size, 1) + kAlignment - 1) / kAlignment * kAlignment;
  }
}

}  // namespace

std::vector<FatbinPart> read_program(std::span<const std::byte> elf, const std::string& name) {
  const ByteView file(elf);
  const auto header = file.read<Elf64_Ehdr>(0);
  std::vector<FatbinPart> out;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
      header->e_shoff > file.size()) {
    return out;
  }
  const auto section = [&](uint64_t index) {
    return file.read<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto body = [&](const std::optional<Elf64_Shdr>& of) {
    const auto bytes = of && of->sh_type == SHT_PROGBITS ? file.sub(of->sh_offset, of->sh_size) : std::nullopt;
    return bytes.value_or(ByteView());
  };
  const auto of_names = section(header->e_shstrndx);
  const ByteView names =
      (of_names ? file.sub(of_names->sh_offset, of_names->sh_size) : std::nullopt).value_or(ByteView());
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto found = section(i);
    const auto called = found ? names.c_string(found->sh_name) : std::nullopt;
    if (called && std::ranges::find(kSections, *called) != std::end(kSections)) {
      read_section(body(found), name, out);
    }
  }
  return out;
}

}  // namespace hpml::sim::fatbin
