#include "common/worker/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hpml::worker {

void Library::Close::operator()(void* handle) const { dlclose(handle); }

Result<Library> Library::load(const std::string& path, const std::string& symbol, const char* declaration) {
  Library library;
  library.handle_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle_) {
    return error_in(path, dlerror());
  }
  library.function_ = dlsym(library.handle_.get(), symbol.c_str());
  if (library.function_ == nullptr) {
    return error_in(path,
                    fmt::format("it has no function '{}': {}", symbol, fmt::format(fmt::runtime(declaration), symbol)));
  }
  return library;
}

}  // namespace hpml::worker
