#include "simulator/nvrtc/program.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "simulator/fatbin/cubin.hpp"
#include "simulator/nvrtc/child.hpp"

namespace hpml::sim::nvrtc {
namespace {

namespace fs = std::filesystem;

// A name expression is lowered by the compiler itself: a variable per expression holds its address, and the PTX says
// what that is. The variables are taken out again; where debug information names one, 0 stands in its place.
constexpr std::string_view kMarker = "__hpml_lowered_";

constexpr const char* kPython = "/usr/bin/python3";  // the distribution's, as everywhere in the project
constexpr const char* kCompile = HPML_SOURCE_DIR "/tools/cuda_compile.py";
constexpr int kNoCompiler = 3;  // exit status of cuda_compile.py

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

bool write_file(const fs::path& path, const std::string& text) {
  std::error_code none;
  fs::create_directories(path.parent_path(), none);
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

// The symbol of ".const .align 8 .u64 __hpml_lowered_0 = generic(_ZN1N5tableE);".
std::string initialiser(std::string_view line) {
  constexpr std::string_view kGeneric = "generic(";
  line.remove_prefix(line.find("= ") + 2);
  if (line.starts_with(kGeneric)) {
    line.remove_prefix(kGeneric.size());
  }
  return std::string(line.substr(0, line.find_first_of(");")));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// Headers lie below a folder of their own: a name that leads out of it is refused.
bool write_headers(const fs::path& folder, const std::vector<Header>& headers) {
  return std::ranges::all_of(headers, [&](const Header& header) {
    const fs::path name = fs::path(header.name).lexically_normal();
    return name.is_relative() && *name.begin() != ".." && write_file(folder / name, header.text);
  });
}

// The names behind ".entry", in order.
std::vector<std::string> kernels_of(std::string_view ptx) {
  constexpr std::string_view kEntry = ".entry ";
  std::vector<std::string> names;
  for (size_t at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at)) {
    at += kEntry.size();
    names.emplace_back(ptx.substr(at, ptx.find_first_of("( \n{", at) - at));
  }
  return names;
}

}  // namespace

Program::Program(std::string source, std::string name, std::vector<Header> headers)
    : source_(std::move(source)),
      name_(name.empty() ? "default_program" : std::move(name)),
      headers_(std::move(headers)) {}

Status Program::add_name_expression(const std::string& expression) {
  if (compiled_) {
    return Status::no_name_expressions_after_compilation;
  }
  if (std::ranges::find(expressions_, expression) == expressions_.end()) {
    expressions_.push_back(expression);
  }
  return Status::success;
}

std::string Program::source_with_markers() const {
  std::string text = fmt::format("#line 1 \"{}\"\n{}\n", name_, source_);
  for (size_t i = 0; i < expressions_.size(); ++i) {
    text += fmt::format(
        "#line 1 \"name expression\"\nextern \"C\" __device__ const void* const {}{} = (const void*)({});\n", kMarker,
        i, expressions_[i]);
  }
  return text;
}

void Program::take_markers() {
  const std::string text = std::exchange(ptx_, {});
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    const std::string_view line = std::string_view(text).substr(start, end - start);
    const size_t marker = line.find(kMarker);
    if (marker == std::string_view::npos) {
      ptx_ += line;
    } else if (line.find(" = ") == std::string_view::npos) {
      ptx_ += std::string(line.substr(0, marker)) + "0\n";
    } else {
      lowered_[expressions_.at(std::stoul(std::string(line.substr(marker + kMarker.size()))))] = initialiser(line);
    }
    start = end;
  }
}

Status Program::run_compiler(const CompilerOptions& options) {
  const auto folder = PrivateFolder::create();
  if (!folder.ok()) {
    log_ = folder.error().to_string();
    return Status::internal_error;
  }
  const fs::path source = folder->path() / "program.cu", ptx = folder->path() / "program.ptx",
                 log = folder->path() / "log", headers = folder->path() / "include";
  if (!write_file(source, source_with_markers()) || !write_headers(headers, headers_)) {
    log_ = fmt::format("{}: cannot write the source and its headers for the compiler", folder->path().string());
    return Status::internal_error;
  }
  std::vector<std::string> command = {
      kPython, kCompile, "--ptx", "-o", ptx, source, fmt::format("-I{}", headers.string())};
  if (const char* wanted = getenv("CUDA"); wanted != nullptr && *wanted != '\0') {  // nvcc or clang, as for make
    command.push_back(fmt::format("--frontend={}", wanted));
  }
  command.insert(command.end(), options.words.begin(), options.words.end());
  if (options.source_include) {
    const fs::path beside = fs::path(name_).parent_path();
    command.push_back(fmt::format("-I{}", beside.empty() ? "." : beside.string()));
    command.emplace_back("-I.");
  }
  const auto status = run(command, log);
  log_ = status.ok() ? replaced(read_file(log), source, name_) : status.error().to_string();
  if (!status.ok() || *status == kNoCompiler) {
    log_ = "nvrtc: error: no compiler for CUDA C++ here: " + log_;
    return Status::builtin_operation_failure;
  }
  if (*status != 0) {
    return Status::compilation;
  }
  ptx_ = read_file(ptx);
  return Status::success;
}

Status Program::compile(const std::vector<std::string>& options) {
  const auto ours = compiler_options(options);
  if (!ours.ok()) {
    log_ = "nvrtc: error: " + ours.error().message + "\n";
    return Status::invalid_option;
  }
  compiled_ = true;
  ptx_.clear();
  cubin_.clear();
  lowered_.clear();
  const Status status = run_compiler(*ours);
  if (status == Status::success) {
    take_markers();
    cubin_ = ours->sm != 0 ? fatbin::write_cubin(ptx_, ours->sm, kernels_of(ptx_)) : "";
  }
  return status;
}

Status Program::lowered_name(const std::string& expression, const char** name) const {
  if (!compiled_) {
    return Status::no_lowered_names_before_compilation;
  }
  const auto found = lowered_.find(expression);
  if (found == lowered_.end()) {
    return Status::name_expression_not_valid;
  }
  *name = found->second.c_str();
  return Status::success;
}

}  // namespace hpml::sim::nvrtc
