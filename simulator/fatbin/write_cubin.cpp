// Layout: ELF header, section bodies, section headers last, so that the header tells the size of the file. Flags and
// identification are those that ptxas 11.8 writes (readelf -h of its cubins).
#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>

#include "simulator/fatbin/cubin.hpp"

namespace hpml::sim::fatbin {
namespace {

constexpr unsigned char kAbiVersion = 7;
constexpr uint32_t kAddresses64 = 0x400, kTextures = 0x100;  // of e_flags, between the two sm numbers
constexpr unsigned char kEntrySymbol = 0x10;                 // st_other: a kernel
constexpr uint64_t kAlign = 8;

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(T)};
}

struct Kind {
  uint32_t type = SHT_NULL;
  uint64_t flags = 0;
  uint32_t link = 0, info = 0;
  uint64_t entry_bytes = 0;
};

class Writer {
 public:
  // The section's number.
  uint16_t add(const std::string& name, const Kind& kind, std::string_view body) {
    const auto at = static_cast<Elf64_Word>(names_.size());
    names_ += name + '\0';
    return put(at, kind, body);
  }

  std::string finish(uint32_t sm) {
    const auto at = static_cast<Elf64_Word>(names_.size());
    const uint16_t index = put(at, {SHT_STRTAB}, names_ + std::string(".shstrtab") + '\0');
    pad();
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_OSABI] = kCudaOsAbi;
    header.e_ident[EI_ABIVERSION] = kAbiVersion;
    header.e_type = ET_EXEC;
    header.e_machine = kMachineCuda;
    header.e_version = EV_CURRENT;
    header.e_shoff = sizeof header + bodies_.size();
    header.e_flags = sm << 16 | kAddresses64 | kTextures | sm;
    header.e_ehsize = sizeof header;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(headers_.size());
    header.e_shstrndx = index;
    std::string file = std::string(bytes_of(header)) + bodies_;
    for (const Elf64_Shdr& section : headers_) {
      file += bytes_of(section);
    }
    return file;
  }

 private:
  uint16_t put(Elf64_Word name, const Kind& kind, std::string_view body) {
    pad();
    Elf64_Shdr header{};
    header.sh_name = name;
    header.sh_type = kind.type;
    header.sh_flags = kind.flags;
    header.sh_offset = sizeof(Elf64_Ehdr) + bodies_.size();
    header.sh_size = body.size();
    header.sh_link = kind.link;
    header.sh_info = kind.info;
    header.sh_addralign = 1;
    header.sh_entsize = kind.entry_bytes;
    bodies_ += body;
    headers_.push_back(header);
    return static_cast<uint16_t>(headers_.size() - 1);
  }
  void pad() { bodies_.resize((bodies_.size() + kAlign - 1) / kAlign * kAlign); }

  std::string names_ = std::string(1, '\0'), bodies_;
  std::vector<Elf64_Shdr> headers_{Elf64_Shdr{}};  // number 0 is no section
};

}  // namespace

std::string write_cubin(const std::string& ptx, uint32_t sm, const std::vector<std::string>& kernels) {
  Writer writer;
  std::string names(1, '\0'), symbols(bytes_of(Elf64_Sym{}));
  for (const std::string& kernel : kernels) {
    Elf64_Sym symbol{};
    symbol.st_name = static_cast<Elf64_Word>(names.size());
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_other = kEntrySymbol;
    symbol.st_shndx = writer.add(".text." + kernel, {SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR}, "");
    names += kernel + '\0';
    symbols += bytes_of(symbol);
  }
  const uint16_t strings = writer.add(".strtab", {SHT_STRTAB}, names);
  writer.add(".symtab", {SHT_SYMTAB, 0, strings, 1, sizeof(Elf64_Sym)}, symbols);
  writer.add(kPtxSection, {SHT_PROGBITS}, ptx);
  return writer.finish(sm);
}

}  // namespace hpml::sim::fatbin
