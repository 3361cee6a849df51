#include "common/relay/jail/program.hpp"

#include <elf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

namespace hpml::relay::jail {

std::string why_no_rank(const std::string& path) {
  if (::access(path.c_str(), X_OK) != 0) {
    return strerror(errno);
  }
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) {
    return "it is not a 64-bit ELF program";
  }
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  if (!file.read(reinterpret_cast<char*>(segments.data()),
                 static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr)))) {
    return "its program header is cut off";
  }
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_INTERP) {
      return "it needs shared libraries; link it with -static";
    }
  }
  return "";
}

}  // namespace hpml::relay::jail
