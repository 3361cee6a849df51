#include "common/bench/blas.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace hpml::bench {
namespace {

// Core types of OpenBLAS (TargetList.txt) that use AVX-512, and those that use AVX2.
const std::set<std::string> kAvx512Cores = {"SkylakeX", "Cooperlake", "Sapphirerapids", "SkylakeX_AVX512"};
const std::set<std::string> kAvx2Cores = {"Haswell", "Zen", "Excavator", "Steamroller"};

std::string lower(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  }
  return text;
}

bool listed(const std::set<std::string>& names, const std::string& name) {
  for (const std::string& one : names) {
    if (lower(one) == lower(name)) {
      return true;
    }
  }
  return false;
}

}  // namespace

CoreVerdict judge_core(const std::string& corename, const std::set<std::string>& flags) {
  const auto has = [&](const char* flag) { return flags.count(flag) > 0; };
  const bool avx512 = has("avx512f") && has("avx512dq") && has("avx512bw") && has("avx512vl");
  const bool avx2 = has("avx2") && has("fma");
  if (corename.empty() || listed(kAvx512Cores, corename) || (listed(kAvx2Cores, corename) && !avx512) || !avx2) {
    return {};
  }
  const std::string better = avx512 ? "SkylakeX" : "Haswell";
  return {fmt::format("OpenBLAS takes this processor for a {}, which leaves {} unused: set OPENBLAS_CORETYPE={}",
                      corename, avx512 ? "AVX-512" : "AVX2", better),
          better};
}

void BlasLibrary::Close::operator()(void* handle) const { dlclose(handle); }

Result<BlasLibrary> BlasLibrary::open(const std::string& path) {
  BlasLibrary library;
  library.handle_.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle_) {
    return error_in(path, dlerror());
  }
  void* handle = library.handle_.get();
  library.sdot_ = reinterpret_cast<SdotFunction>(dlsym(handle, "cblas_sdot"));
  if (library.sdot_ == nullptr) {
    return error_in(path, "it has no cblas_sdot");
  }
  using Text = const char* (*)();
  if (const auto corename = reinterpret_cast<Text>(dlsym(handle, "openblas_get_corename"))) {
    library.corename_ = corename();
  }
  if (const auto config = reinterpret_cast<Text>(dlsym(handle, "openblas_get_config"))) {
    library.version_ = config();
  }
  return library;
}

std::vector<std::string> installed_blas() {
#if defined(__aarch64__)
  const std::filesystem::path folder = "/usr/lib/aarch64-linux-gnu";
#else
  const std::filesystem::path folder = "/usr/lib/x86_64-linux-gnu";
#endif
  std::vector<std::string> found;
  for (const char* name : {"openblas-pthread", "openblas-openmp", "openblas-serial", "blis-pthread", "blis-openmp",
                           "blis-serial", "atlas", "blas"}) {
    const std::filesystem::path path = folder / name / "libblas.so.3";
    if (std::filesystem::exists(path)) {
      found.push_back(path);
    }
  }
  return found;
}

}  // namespace hpml::bench
