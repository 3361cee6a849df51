#include "simulator/cli/launch_argument.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <string_view>

namespace hpml::sim::cli {
namespace {

constexpr const char* kForms = "u32:7 s32:-1 u64:7 s64:-1 f32:1.5 f64:1.5 in:FILE inout:FILE out:FILE:BYTES";

Diag bad(const std::string& text, const std::string& why) { return error_in("argument " + text, why); }

template <class T>
Result<LaunchArgument> number(LaunchArgument argument, std::string_view digits) {
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    return bad(argument.text, fmt::format("'{}' is no value of that type", digits));
  }
  argument.value.resize(sizeof(T));
  std::memcpy(argument.value.data(), &value, sizeof(T));
  return argument;
}

Result<LaunchArgument> output(LaunchArgument argument, std::string_view rest) {
  const size_t colon = rest.rfind(':');
  const std::string_view digits = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), argument.bytes);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || argument.bytes == 0) {
    return bad(argument.text, "write out:FILE:BYTES, with a size of at least 1");
  }
  argument.path = rest.substr(0, colon);
  argument.writes_file = true;
  return argument;
}

}  // namespace

Result<LaunchArgument> parse_launch_argument(const std::string& text) {
  LaunchArgument argument;
  argument.text = text;
  const size_t colon = text.find(':');
  const std::string_view kind = std::string_view(text).substr(0, colon);
  const std::string_view rest =
      colon == std::string::npos ? std::string_view() : std::string_view(text).substr(colon + 1);
  if (kind == "u32") {
    return number<uint32_t>(std::move(argument), rest);
  }
  if (kind == "s32") {
    return number<int32_t>(std::move(argument), rest);
  }
  if (kind == "u64") {
    return number<uint64_t>(std::move(argument), rest);
  }
  if (kind == "s64") {
    return number<int64_t>(std::move(argument), rest);
  }
  if (kind == "f32") {
    return number<float>(std::move(argument), rest);
  }
  if (kind == "f64") {
    return number<double>(std::move(argument), rest);
  }
  if (kind != "in" && kind != "inout" && kind != "out") {
    return bad(text, fmt::format("unknown kind '{}'; the forms are {}", kind, kForms));
  }
  argument.is_buffer = true;
  argument.value.resize(sizeof(uint64_t));
  if (kind == "out") {
    return output(std::move(argument), rest);
  }
  if (rest.empty()) {
    return bad(text, "names no file");
  }
  argument.path = rest;
  argument.reads_file = true;
  argument.writes_file = kind == "inout";
  return argument;
}

}  // namespace hpml::sim::cli
