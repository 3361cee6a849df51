#include "kernel.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace hpml::lab1 {

void Kernel::Close::operator()(void* handle) const { dlclose(handle); }

Result<Kernel> Kernel::load(const std::string& path, const std::string& symbol) {
  Kernel kernel;
  kernel.handle_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!kernel.handle_) {
    return error_in(path, dlerror());
  }
  kernel.function_ = reinterpret_cast<DotFunction>(dlsym(kernel.handle_.get(), symbol.c_str()));
  if (kernel.function_ == nullptr) {
    return error_in(path, fmt::format("it has no function '{}': float {}(long N, const float *pA, const float *pB)",
                                      symbol, symbol));
  }
  return kernel;
}

}  // namespace hpml::lab1
