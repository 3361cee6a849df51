#include "simulator/cli/program.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "simulator/cli/elf_needs.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/paths.hpp"
#include "simulator/memory/address_space.hpp"

namespace hpml::sim::cli {
namespace {

namespace fs = std::filesystem;

// `--gpus 2 --gpu t4` is `--gpu t4,t4`.
std::string all_gpus(const RunOptions& options) {
  std::string list = options.device.gpu;
  for (int i = 1; i < options.gpus; ++i) {
    list += "," + options.device.gpu;
  }
  return list;
}

// As the shell finds it: with a slash as it is, else along PATH.
fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return name;
  }
  const char* path = getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) {
      return candidate;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

// The list of GPUs may name several, one simulated device each.
Result<void> check_gpus(const std::string& list) {
  size_t start = 0;
  while (start <= list.size()) {
    const size_t end = std::min(list.find(',', start), list.size());
    HPML_TRY_VOID(check_gpu(list.substr(start, end - start)));
    start = end + 1;
  }
  return Ok{};
}

// A program may change its working directory before it ends: files are named absolutely.
std::string absolute(const std::string& path) { return path.empty() ? path : fs::absolute(path).string(); }

Result<void> check_writable(const std::string& option, const std::string& path) {
  const fs::path file = path.empty() ? fs::path() : fs::absolute(path);
  if (path.empty() || access(fs::exists(file) ? file.c_str() : file.parent_path().c_str(), W_OK) == 0) {
    return Ok{};
  }
  return error_in(option, fmt::format("cannot write '{}': {}", path, strerror(errno)));
}

void prepend(const char* variable, const std::string& value) {
  const char* before = getenv(variable);
  setenv(variable, (before != nullptr && *before != '\0' ? value + ":" + before : value).c_str(), 1);
}

// Our folder of libraries, as the loader's variables can name it: they have no way to write a space, a colon or a
// dollar sign. Such a folder stays open instead, in the program and in what it starts, and is named by its number.
fs::path loader_folder() {
  const fs::path folder = library("").parent_path();
  if (folder.string().find_first_of(" \t\n:;$") == std::string::npos) {
    return folder;
  }
  return fmt::format("/proc/self/fd/{}", open(folder.c_str(), O_PATH | O_DIRECTORY));
}

// What the program is linked with is loaded first, whatever search path it has; what it, or a library of it, asks for
// later is found in our folder.
void put_in_front(const std::vector<std::string>& libraries) {
  const fs::path folder = loader_folder();
  std::vector<std::string> paths;
  for (const std::string& soname : libraries) {
    paths.push_back((folder / soname).string());
  }
  paths.push_back((folder / "libgpusim_preload.so").string());
  prepend("LD_PRELOAD", fmt::format("{}", fmt::join(paths, ":")));
  prepend("LD_LIBRARY_PATH", folder.string());
}

void set_environment(const RunOptions& options) {
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  set("GPUSIM_RUN", "1");
  set("GPUSIM_GPU", all_gpus(options));
  set("GPUSIM_GPU_DIR", gpu_directory().string());
  set("GPUSIM_MODE", options.device.mode);
  set("GPUSIM_THREADS", std::to_string(options.device.threads));
  set("GPUSIM_STRICT", options.device.strict ? "1" : "0");
  set("GPUSIM_STRICT_ARCH", options.device.strict_arch ? "1" : "0");
  set("GPUSIM_MAX_WARP_INSTRUCTIONS", std::to_string(options.device.max_warp_instructions));
  set("GPUSIM_MAX_SECONDS", fmt::format("{}", options.device.max_seconds));
  set("GPUSIM_CHECK", options.device.check);
  set("GPUSIM_CHECK_OUT", absolute(options.device.check_out));
  set("GPUSIM_METRICS", absolute(options.metrics));
  set("GPUSIM_TRACE", absolute(options.trace));
  set("GPUSIM_RECORD", absolute(options.record));
}

// The libraries of NVIDIA's that lie beside gpusim.
std::vector<std::string> simulated() {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const auto& file : fs::directory_iterator(library(""), unreadable)) {
    const std::string name = file.path().filename().string();
    if (name.starts_with("lib") && name.find(".so.") != std::string::npos) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

// The libraries of ours that the program is linked with.
Result<std::vector<std::string>> libraries_for(const fs::path& program) {
  HPML_TRY(const ElfNeeds needs, read_elf_needs(program));
  if (needs.has_device_code && !needs.loads_libraries) {
    return error_in(
        program.string(),
        "is linked with -static, so no library can be put in the place of NVIDIA's: link it without -static "
        "(the CUDA runtime may be static, as it is by default)");
  }
  if (needs.hidden_runtime()) {
    return error_in(program.string(),
                    "is linked with the static CUDA runtime, and its symbols have been removed, by which gpusim would "
                    "replace that: link it without -s and do not strip it, or rebuild it with -cudart shared (without "
                    "changing its Makefile: NVCC_APPEND_FLAGS='-cudart shared' make)");
  }
  if (!needs.closed.empty()) {
    return error_in(program.string(),
                    fmt::format("not supported: {}, which holds machine code of NVIDIA's GPUs only; of its libraries, "
                                "gpusim simulates cuBLAS, cuBLASLt, cuDNN, cuFFT, cuRAND, cuSOLVER and cuSPARSE: use "
                                "those, or kernels of your own",
                                fmt::join(needs.closed, ", ")));
  }
  std::vector<std::string> libraries = needs.others;
  for (const std::string& runtime : {needs.cudart_soname, needs.static_runtime}) {
    if (!runtime.empty()) {
      libraries.push_back(runtime);
    }
  }
  for (const std::string& soname : libraries) {
    if (!fs::exists(library(soname))) {
      return error_in(program.string(),
                      fmt::format("needs {}, which gpusim does not have in {}; it has {}. In the source "
                                  "tree, `tools/build.sh gpusim_all` builds all that it simulates",
                                  soname, library("").string(), fmt::join(simulated(), ", ")));
    }
  }
  return libraries;
}

Result<fs::path> check(const RunOptions& options) {
  HPML_TRY_VOID(options.device.check_tools());
  HPML_TRY_VOID(check_writable("--check-out", options.device.check_out));
  HPML_TRY_VOID(check_gpus(options.device.gpu));
  const std::string gpus = all_gpus(options);
  if (std::count(gpus.begin(), gpus.end(), ',') >= kMostGpus) {
    return error_in("--gpus", fmt::format("a program can have at most {} GPUs", kMostGpus));
  }
  HPML_TRY_VOID(check_writable("--record", options.record));
  HPML_TRY_VOID(check_writable("--metrics", options.metrics));
  HPML_TRY_VOID(check_writable("--trace", options.trace));
  HPML_TRY_VOID(check_writable("--report", options.report));
  const fs::path program = find_program(options.command.front());
  if (program.empty() || access(program.c_str(), X_OK) != 0 || fs::is_directory(program)) {
    return error_in("run", fmt::format("cannot run '{}': {}", options.command.front(),
                                       program.empty() ? "not found on PATH" : strerror(errno != 0 ? errno : EACCES)));
  }
  return program;
}

}  // namespace

Result<PreparedProgram> prepare_program(const RunOptions& options) {
  PreparedProgram prepared;
  HPML_TRY(prepared.path, check(options));
  HPML_TRY(prepared.libraries, libraries_for(prepared.path));
  return prepared;
}

int become_program(const RunOptions& options, const PreparedProgram& prepared) {
  // In the program there would be nobody to say why it has no GPU: its runtime only returns an error.
  if (const auto memory = memory::AddressSpace::create(memory::kVaBlockBytes); !memory.ok()) {
    fmt::print(stderr, "gpusim: {}\n", memory.error().message);
    return kOurFault;
  }
  set_environment(options);
  put_in_front(prepared.libraries);
  std::vector<char*> arguments;
  for (const std::string& word : options.command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  execv(prepared.path.c_str(), arguments.data());
  fmt::print(stderr, "gpusim: cannot run '{}': {}\n", prepared.path.string(), strerror(errno));
  return kUsage;
}

}  // namespace hpml::sim::cli
