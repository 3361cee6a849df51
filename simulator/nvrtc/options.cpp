#include "simulator/nvrtc/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace hpml::sim::nvrtc {
namespace {

// NVRTC User Guide, "Supported Compile Options". `ours` takes the value where there is one ("{}").
struct Option {
  std::string_view name, short_name;
  bool has_value;
  std::string_view ours;  // empty: accepted, no effect
};

constexpr std::array kOptions = {
    Option{"--gpu-architecture", "-arch", true, "--device-arch={}"},
    Option{"--define-macro", "-D", true, "-D{}"},
    Option{"--undefine-macro", "-U", true, "--undefine={}"},
    Option{"--include-path", "-I", true, "-I{}"},
    Option{"--pre-include", "-include", true, "--pre-include={}"},
    Option{"--std", "-std", true, "-std={}"},
    Option{"--use_fast_math", "-use_fast_math", false, "--fast-math"},
    Option{"--fmad", "-fmad", true, "--fmad={}"},
    Option{"--ftz", "-ftz", true, ""},
    Option{"--prec-sqrt", "-prec-sqrt", true, ""},
    Option{"--prec-div", "-prec-div", true, ""},
    Option{"--maxrregcount", "-maxrregcount", true, ""},
    Option{"--generate-line-info", "-lineinfo", false, ""},  // the PTX has line numbers always
    Option{"--device-debug", "-G", false, ""},
    Option{"--relocatable-device-code", "-rdc", true, ""},  // below
    Option{"--device-c", "-dc", false, "--relocatable"},
    Option{"--device-w", "-dw", false, ""},
    Option{"--dopt", "-dopt", true, ""},
    Option{"--ptxas-options", "-Xptxas", true, ""},
    Option{"--extra-device-vectorization", "-extra-device-vectorization", false, ""},
    Option{"--restrict", "-restrict", false, ""},
    Option{"--disable-warnings", "-w", false, "--no-warnings"},
    Option{"--device-as-default-execution-space", "-default-device", false, "--default-device"},
    Option{"--builtin-move-forward", "-builtin-move-forward", true, ""},
    Option{"--builtin-initializer-list", "-builtin-initializer-list", true, ""},
    Option{"--no-source-include", "-no-source-include", false, ""},
    Option{"--time", "-time", true, ""},
    Option{"--minimal", "-minimal", false, ""},
    Option{"--version-ident", "-version-ident", true, ""},
    Option{"--display-error-number", "-err-no", false, ""},
    Option{"--no-display-error-number", "-no-err-no", false, ""},
    Option{"--diag-error", "-diag-error", true, ""},
    Option{"--diag-suppress", "-diag-suppress", true, ""},
    Option{"--diag-warn", "-diag-warn", true, ""},
};

// Code that is neither PTX nor a cubin, which the simulated GPU could not run.
constexpr std::array<std::string_view, 6> kOtherCode = {"-dlto",         "--dlink-time-opt", "-gen-opt-lto",
                                                        "--gen-opt-lto", "--optix-ir",       "-optix-ir"};

struct Match {
  const Option* option = nullptr;
  std::optional<std::string> value;  // written in the same word
};

std::optional<std::string> value_after(std::string_view word, std::string_view name, bool may_touch) {
  if (!word.starts_with(name) || word.size() == name.size()) {
    return std::nullopt;
  }
  const bool equals = word[name.size()] == '=';
  if (!equals && !may_touch) {
    return std::nullopt;
  }
  return std::string(word.substr(name.size() + (equals ? 1 : 0)));
}

Match find(std::string_view word) {
  for (const Option& option : kOptions) {
    if (word == option.name || word == option.short_name) {
      return {&option, std::nullopt};
    }
  }
  for (const Option& option : kOptions) {
    const bool one_letter = option.short_name.size() == 2;  // -DNAME, -Idir
    auto value = value_after(word, option.name, false);
    value = value ? value : value_after(word, option.short_name, one_letter && option.has_value);
    if (option.has_value && value) {
      return {&option, value};
    }
  }
  return {};
}

// "compute_75", "sm_90a" -> "75", "90".
std::string architecture(const std::string& value) {
  const size_t start = value.find_first_of("0123456789");
  const size_t end = value.find_first_not_of("0123456789", start);
  return start == std::string::npos ? value : value.substr(start, end - start);
}

}  // namespace

Result<CompilerOptions> compiler_options(const std::vector<std::string>& options) {
  CompilerOptions out;
  for (size_t i = 0; i < options.size(); ++i) {
    if (std::ranges::find(kOtherCode, options[i]) != kOtherCode.end()) {
      return error_in("nvrtc", fmt::format("option '{}' is not supported, because the simulated GPU runs PTX; leave it "
                                           "out",
                                           options[i]));
    }
    Match match = find(options[i]);
    if (match.option == nullptr) {
      return error_in("nvrtc", fmt::format("unrecognized option '{}'", options[i]));
    }
    if (match.option->has_value && !match.value) {
      if (i + 1 == options.size()) {
        return error_in("nvrtc", fmt::format("option '{}' needs a value", options[i]));
      }
      match.value = options[++i];
    }
    std::string value = match.value.value_or("");
    if (match.option->short_name == "-arch") {
      const bool real = value.starts_with("sm_");
      value = architecture(value);
      out.sm = 0;
      if (real) {
        std::from_chars(value.data(), value.data() + value.size(), out.sm);
      }
    }
    if (match.option->short_name == "-rdc" && value == "true") {
      out.words.push_back("--relocatable");
    }
    out.source_include = out.source_include && match.option->short_name != "-no-source-include";
    if (!match.option->ours.empty()) {
      out.words.push_back(fmt::format(fmt::runtime(match.option->ours), value));
    }
  }
  return out;
}

}  // namespace hpml::sim::nvrtc
