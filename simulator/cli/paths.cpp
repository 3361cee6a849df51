#include "simulator/cli/paths.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hpml::sim::cli {

namespace fs = std::filesystem;

fs::path own_directory() { return fs::read_symlink("/proc/self/exe").parent_path(); }

fs::path library(const std::string& soname) { return own_directory().parent_path() / "lib" / soname; }

fs::path gpu_directory() {
  const fs::path installed = own_directory().parent_path() / "share" / "gpusim" / "gpus";
  return fs::is_directory(installed) ? installed : fs::path(HPML_GPU_DIR);
}

fs::path report_program() {
  const fs::path installed = own_directory().parent_path() / "share" / "gpusim" / "report" / "report.py";
  return fs::exists(installed) ? installed : fs::path(HPML_REPORT_DIR) / "report.py";
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& file : fs::directory_iterator(gpu_directory(), none)) {
    if (file.path().extension() == ".toml") {
      names.push_back(file.path().stem());
    }
  }
  std::ranges::sort(names);
  return names;
}

Result<void> check_gpu(const std::string& name) {
  const std::vector<std::string> names = gpu_names();
  if (std::ranges::find(names, name) != names.end() || (name.ends_with(".toml") && fs::is_regular_file(name))) {
    return Ok{};
  }
  return error_in("--gpu",
                  fmt::format("no GPU '{}'{}; there are: {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace hpml::sim::cli
