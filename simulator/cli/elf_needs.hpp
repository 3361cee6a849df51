#pragma once
// What a host program needs of CUDA, read from its ELF file.
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::cli {

struct ElfNeeds {
  std::string cudart_soname;  // the DT_NEEDED entry "libcudart.so.13"; empty when there is none
  // The DT_NEEDED entries of the other libraries that are simulated: "libcuda.so.1", "libnvrtc.so.13".
  std::vector<std::string> others;
  // NVIDIA's libraries that hold machine code only and that the program calls: "libnppc.so.12 (NPP)".
  std::vector<std::string> closed;
  bool has_device_code = false;  // a .nvFatBinSegment section
  bool is_elf = false;           // false: a script or the like
  bool loads_libraries = false;  // it asks for the dynamic linker; false: linked with -static
  // The library whose functions a static runtime in the program is made of, and which takes their place
  // (cudart/preload/static_runtime.cpp): "libcudart.so.13". Empty: the program has none with names.
  std::string static_runtime;
  // Device code, and no runtime to be found: that of a static runtime whose names `strip` has removed. nvcc links it
  // into programs of the driver API too, which may never call it; the simulated driver tells when they do.
  bool hidden_runtime() const {
    return has_device_code && cudart_soname.empty() && others.empty() && static_runtime.empty();
  }
};

Result<ElfNeeds> read_elf_needs(const std::filesystem::path& program);

}  // namespace hpml::sim::cli
