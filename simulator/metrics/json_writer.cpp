#include "simulator/metrics/json_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace hpml::sim::metrics {
namespace {

using Json = nlohmann::json;

// Text that needs no escapes: the usual case, for which building a JSON value would cost more than the copy.
bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

template <class T>
void append_digits(std::string& text, T number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

// Whole numbers below this are written without an exponent.
constexpr double kWholeBelow = 1e15;

}  // namespace

void JsonWriter::new_line() {
  text_ += '\n';
  text_.append(depth_, ' ');
}

void JsonWriter::separate() {
  if (!empty_) {
    text_ += ',';
  }
  empty_ = false;
  new_line();
}

void JsonWriter::key(std::string_view name) {
  separate();
  value(name);
  text_ += ": ";
}

void JsonWriter::value(std::string_view text) {
  if (is_plain(text)) {
    text_ += '"';
    text_ += text;
    text_ += '"';
  } else {
    text_ += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  }
}

void JsonWriter::value(double number) {
  if (std::abs(number) < kWholeBelow && std::trunc(number) == number && !(number == 0 && std::signbit(number))) {
    append_digits(text_, static_cast<int64_t>(number));
    text_ += ".0";
  } else {
    text_ += Json(number).dump();
  }
}

void JsonWriter::integer(int64_t number) { append_digits(text_, number); }
void JsonWriter::integer(uint64_t number) { append_digits(text_, number); }

void JsonWriter::raw(std::string_view json) {
  for (const char c : json) {
    text_ += c;
    if (c == '\n') {
      text_.append(depth_, ' ');
    }
  }
}

}  // namespace hpml::sim::metrics
