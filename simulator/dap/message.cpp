#include "simulator/dap/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace hpml::sim::dap {
namespace {

// The number of bytes that a header announces.
std::optional<size_t> content_length(std::string_view header) {
  constexpr std::string_view kName = "content-length:";
  while (!header.empty()) {
    const size_t end = std::min(header.find("\r\n"), header.size());
    std::string line(header.substr(0, end));
    std::ranges::transform(line, line.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    header.remove_prefix(std::min(end + 2, header.size()));
    if (!line.starts_with(kName)) {
      continue;
    }
    size_t first = kName.size();
    while (first < line.size() && line[first] == ' ') {
      ++first;
    }
    size_t value = 0;
    const auto [stop, failed] = std::from_chars(line.data() + first, line.data() + line.size(), value);
    const bool whole = failed == std::errc() && stop == line.data() + line.size();
    return whole ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Result<Json>> MessageReader::next() {
  if (lost_) {
    return std::nullopt;
  }
  const size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (buffer_.size() <= kLongestHeader) {
      return std::nullopt;
    }
    lost_ = true;
    return error_in("message", fmt::format("no header ends within {} bytes", kLongestHeader));
  }
  const auto length = content_length(std::string_view(buffer_).substr(0, end));
  if (!length || *length > kLongestBody) {
    buffer_.erase(0, end + 4);
    return error_in("message", length ? fmt::format("a message of {} bytes is too long", *length)
                                      : std::string("a header has no valid Content-Length"));
  }
  const size_t start = end + 4;
  if (buffer_.size() - start < *length) {
    return std::nullopt;
  }
  Json out = Json::parse(buffer_.begin() + static_cast<std::ptrdiff_t>(start),
                         buffer_.begin() + static_cast<std::ptrdiff_t>(start + *length), nullptr, false);
  buffer_.erase(0, start + *length);
  if (!out.is_object()) {
    return error_in("message", "the body is no JSON object");
  }
  return out;
}

std::string to_message(const Json& json) {
  const std::string body = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace hpml::sim::dap
