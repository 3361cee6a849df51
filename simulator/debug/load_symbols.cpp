#include "simulator/debug/load_symbols.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hpml::sim::debug {

ReadSymbols symbols_by(const std::string& library) {
  using Read = void (*)(std::string_view, const std::string&, debug_info::Symbols&, std::string&);
  return [library, read = Read(nullptr)](const ptx::Module& part) mutable -> Result<debug_info::Symbols> {
    if (read == nullptr) {
      void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
      read = handle != nullptr ? reinterpret_cast<Read>(dlsym(handle, "hpml_read_symbols")) : nullptr;
      if (read == nullptr) {
        return error_in(library, fmt::format("debug information cannot be read: {}", dlerror()));
      }
    }
    debug_info::Symbols out;
    std::string error;
    read(part.text, part.name, out, error);
    if (!error.empty()) {
      return error_in(part.name, error);
    }
    return out;
  };
}

}  // namespace hpml::sim::debug
