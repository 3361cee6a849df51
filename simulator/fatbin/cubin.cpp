#include "simulator/fatbin/cubin.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "simulator/fatbin/byte_view.hpp"

namespace hpml::sim::fatbin {
namespace {

constexpr uint8_t kFormatSized = 4;  // .nv.info record: {u8 format, u8 attribute, u16 size, data}
constexpr uint8_t kAttrFrameSize = 0x11;
constexpr uint8_t kAttrRegCount = 0x2f;
constexpr uint32_t kReservedShared = 1024;
// Section types of variables without initial values, in global and in shared memory: like NOBITS, no bytes in the file.
constexpr uint32_t kTypeGlobal = 0x70000007, kTypeShared = 0x7000000a;

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  ByteView body;
};

struct Elf {
  std::vector<Section> sections;

  const Section* find(std::string_view name) const {
    const auto it = std::ranges::find(sections, name, &Section::name);
    return it == sections.end() ? nullptr : &*it;
  }
};

Diag broken(const std::string& name, const std::string& what) {
  return error_in(name, fmt::format("cubin is damaged: {}; rebuild the program", what));
}

bool lies_in_file(uint32_t section_type) {
  return section_type != SHT_NOBITS && section_type != SHT_NULL && section_type != kTypeGlobal &&
         section_type != kTypeShared;
}

Result<Elf> read_sections(ByteView file, const std::string& name) {
  const auto header = file.read<Elf64_Ehdr>(0);
  if (!header || std::string_view(reinterpret_cast<const char*>(header->e_ident), 4) != "\177ELF" ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != kMachineCuda) {
    return broken(name, "no 64-bit CUDA ELF header");
  }
  Elf elf;
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section =
        header->e_shoff > file.size() ? std::nullopt : file.read<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) {
      return broken(name, fmt::format("section header {} is outside the file", i));
    }
    const auto body = lies_in_file(section->sh_type) ? file.sub(section->sh_offset, section->sh_size) : ByteView();
    if (!body) {
      return broken(name, fmt::format("section {} is outside the file", i));
    }
    elf.sections.push_back({{}, *section, *body});
  }
  if (header->e_shstrndx >= elf.sections.size()) {
    return broken(name, "no section names");
  }
  const ByteView names = elf.sections[header->e_shstrndx].body;
  for (Section& section : elf.sections) {
    section.name = names.c_string(section.header.sh_name).value_or("");
  }
  return elf;
}

std::string_view symbol_name(const Elf& elf, uint32_t index) {
  const Section* table = elf.find(".symtab");
  if (table == nullptr || table->header.sh_link >= elf.sections.size()) {
    return {};
  }
  const auto symbol = table->body.read<Elf64_Sym>(uint64_t{index} * sizeof(Elf64_Sym));
  return symbol ? elf.sections[table->header.sh_link].body.c_string(symbol->st_name).value_or("") : std::string_view();
}

// Records of .nv.info; formats 1..3 carry their value in the size field, only format 4 has data after it.
void read_info(const Elf& elf, ByteView info, std::map<std::string, KernelResources>& kernels) {
  uint64_t at = 0;
  while (at + 4 <= info.size()) {
    const uint8_t format = *info.read<uint8_t>(at);
    const uint8_t attribute = *info.read<uint8_t>(at + 1);
    const uint16_t size = *info.read<uint16_t>(at + 2);
    at += 4;
    if (format != kFormatSized) {
      continue;
    }
    const auto symbol = info.read<uint32_t>(at);
    const auto value = info.read<uint32_t>(at + 4);
    at += size;
    if (size < 8 || !symbol || !value) {
      continue;
    }
    const auto kernel = kernels.find(std::string(symbol_name(elf, *symbol)));
    if (kernel == kernels.end()) {
      continue;  // a device function, not a kernel
    }
    if (attribute == kAttrRegCount) {
      kernel->second.registers = *value;
    } else if (attribute == kAttrFrameSize) {
      kernel->second.frame_bytes = *value;
    }
  }
}

}  // namespace

std::optional<std::string> ptx_of_cubin(std::span<const std::byte> bytes) {
  const Result<Elf> elf = read_sections(ByteView(bytes), "");
  const Section* ptx = elf.ok() ? elf->find(kPtxSection) : nullptr;
  return ptx != nullptr ? std::optional<std::string>(ptx->body.text()) : std::nullopt;
}

uint64_t cubin_size(const void* data) {
  const auto* ident = static_cast<const unsigned char*>(data);
  if (std::memcmp(ident, ELFMAG, SELFMAG) != 0 || ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB ||
      ident[EI_VERSION] != EV_CURRENT || ident[EI_OSABI] != kCudaOsAbi) {
    return 0;
  }
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof header);
  return header.e_machine == kMachineCuda ? header.e_shoff + uint64_t{header.e_shnum} * sizeof(Elf64_Shdr) : 0;
}

Result<std::map<std::string, KernelResources>> read_cubin(std::span<const std::byte> bytes, uint32_t sm,
                                                          const std::string& name) {
  HPML_TRY(const Elf elf, read_sections(ByteView(bytes), name));
  std::map<std::string, KernelResources> kernels;
  constexpr std::string_view kText = ".text.";
  for (const Section& section : elf.sections) {
    if (section.name.starts_with(kText)) {
      kernels[std::string(section.name.substr(kText.size()))];
    }
  }
  for (auto& [kernel, resources] : kernels) {
    const Section* shared = elf.find(".nv.shared." + kernel);
    if (shared != nullptr) {
      const uint64_t reserved = sm >= 90 ? kReservedShared : 0;
      const uint64_t size = std::min<uint64_t>(shared->header.sh_size, UINT32_MAX);
      resources.shared_bytes = static_cast<uint32_t>(size > reserved ? size - reserved : 0);
    }
  }
  if (const Section* info = elf.find(".nv.info")) {
    read_info(elf, info->body, kernels);
  }
  return kernels;
}

}  // namespace hpml::sim::fatbin
