#pragma once
// Where gpusim finds what belongs to it, from where its own executable lies (build tree or installed).
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::cli {

std::filesystem::path own_directory();                     // of the running executable
std::filesystem::path library(const std::string& soname);  // in ../lib of it
std::filesystem::path gpu_directory();                     // gpus/*.toml
std::filesystem::path report_program();                    // simulator/report/report.py

// Names of the GPU files, sorted: "a100", "t4", ...
std::vector<std::string> gpu_names();
// A known name, or a path to an existing .toml file; else one line that lists what there is.
Result<void> check_gpu(const std::string& name);

}  // namespace hpml::sim::cli
