#include "kernel.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hpml::lab1 {

void Kernel::Close::operator()(void* handle) const { dlclose(handle); }

Result<Kernel> Kernel::load(const std::string& path, const std::string& symbol, const char* form) {
  Kernel kernel;
  kernel.handle_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!kernel.handle_) {
    return error_in(path, dlerror());
  }
  kernel.function_ = dlsym(kernel.handle_.get(), symbol.c_str());
  if (kernel.function_ == nullptr) {
    return error_in(path, fmt::format("it has no function '{}': {}", symbol, fmt::format(fmt::runtime(form), symbol)));
  }
  return kernel;
}

}  // namespace hpml::lab1
