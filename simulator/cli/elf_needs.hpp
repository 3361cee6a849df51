#pragma once
// What a host program needs of the CUDA runtime, read from its ELF file.
#include <filesystem>
#include <string>

#include "common/base/result.hpp"

namespace hpml::sim::cli {

struct ElfNeeds {
  std::string cudart_soname;     // the DT_NEEDED entry "libcudart.so.13"; empty when there is none
  bool has_device_code = false;  // a .nvFatBinSegment section
  bool is_elf = false;           // false: a script or the like
  // Linked with the static runtime: its calls are inside the program, nothing can be put in their place.
  bool static_cudart() const { return has_device_code && cudart_soname.empty(); }
};

Result<ElfNeeds> read_elf_needs(const std::filesystem::path& program);

}  // namespace hpml::sim::cli
