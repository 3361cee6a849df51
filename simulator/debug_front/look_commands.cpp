// Commands that show one thread: values, calls, source.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "simulator/debug_front/terminal.hpp"

namespace hpml::sim::debug_front {
namespace {

constexpr int kListed = 10;  // lines

// "/x rest" -> 'x', and rest without it.
char take_format(std::string& rest) {
  char out = 0;
  if (rest.starts_with("/")) {
    const size_t end = std::min(rest.find(' '), rest.size());
    out = end > 1 ? rest[end - 1] : '\0';
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  return out;
}

double of_binary16(uint64_t bits) {
  constexpr int kFraction = 10, kBias = 15, kSpecial = 31;
  const auto exponent = static_cast<int>(bits >> kFraction & kSpecial);
  const auto fraction = static_cast<double>(bits & ((1 << kFraction) - 1));
  const double magnitude = exponent == kSpecial ? (fraction == 0 ? INFINITY : NAN)
                                                : std::ldexp(exponent == 0 ? fraction : fraction + (1 << kFraction),
                                                             std::max(exponent, 1) - kBias - kFraction);
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace

void Terminal::do_print(const std::string& rest) {
  std::string text = rest;
  const char format = take_format(text);
  if (text.empty()) {
    return complain("print what? print C[37], print/x %r1");
  }
  if (!need_kernel()) {
    return;
  }
  Request request;
  request.op = Op::evaluate;
  request.text = text;
  request.value = format != 0 ? std::string(1, format) : "";
  if (const auto result = ask(std::move(request))) {
    out(fmt::format("${} = {}", next_value_++, result->value("value", "")));
  }
}

void Terminal::do_whatis(const std::string& rest) {
  if (rest.empty()) {
    return complain("whatis what? whatis C");
  }
  if (const auto result = ask(Op::evaluate, rest)) {
    out(fmt::format("type = {}", result->value("type", "")));
  }
}

void Terminal::do_set(const std::string& rest) {
  std::string text = rest;
  if (text.starts_with("var ") || text.starts_with("variable ")) {
    text.erase(0, text.find(' ') + 1);
  }
  size_t equals = text.find('=');
  while (equals != std::string::npos && equals > 0 && equals + 1 < text.size() &&
         (text[equals + 1] == '=' || std::strchr("=!<>", text[equals - 1]) != nullptr)) {
    equals = text.find('=', equals + 2);
  }
  if (equals == std::string::npos) {
    return complain("set var NAME = EXPRESSION");
  }
  if (!need_kernel()) {
    return;
  }
  Request request;
  request.op = Op::set;
  request.text = text.substr(0, equals);
  request.text.erase(request.text.find_last_not_of(" \t") + 1);
  request.value = text.substr(equals + 1);
  const std::string name = request.text;
  if (const auto result = ask(std::move(request))) {
    out(fmt::format("{} = {}", name, result->value("value", "")));
    out(style_.faint(fmt::format("[the history forks at state {}: what came after it is forgotten]",
                                 (*result)["edit"].value("position", uint64_t{0}))));
  }
}

void Terminal::do_x(const std::string& rest) {
  std::string text = rest;
  Request request;
  request.op = Op::memory;
  char format = 'x';
  if (text.starts_with("/")) {
    const size_t end = std::min(text.find(' '), text.size());
    std::string words = text.substr(1, end - 1);
    text.erase(0, std::min(end + 1, text.size()));
    const auto [after, failed] = std::from_chars(words.data(), words.data() + words.size(), request.count);
    for (const char* c = failed == std::errc() ? after : words.data(); *c != '\0'; ++c) {
      const char* unit = std::strchr("bhwg", *c);
      if (unit != nullptr) {
        request.size = 1 << (std::strchr("bhwg", *c) - "bhwg");
      } else {
        format = *c;
      }
    }
  }
  if (text.empty()) {
    return complain("x/8xw ADDRESS: 8 words as hexadecimal numbers; f shows floats, d numbers with a sign");
  }
  request.text = text;
  if (!need_kernel()) {
    return;
  }
  const int size = request.size;
  const auto result = ask(std::move(request));
  if (!result) {
    return;
  }
  const auto bytes = (*result)["bytes"].get<std::vector<uint8_t>>();
  const auto address = (*result)["address"].get<uint64_t>();
  const size_t row = size == 8 ? 2 : size == 1 ? 8 : 4;
  std::string line;
  for (size_t i = 0; i * static_cast<size_t>(size) < bytes.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * static_cast<size_t>(size), static_cast<size_t>(size));
    const int shift = 64 - size * 8;
    float real = 0;
    double wide = 0;
    std::memcpy(&real, &bits, sizeof real);
    std::memcpy(&wide, &bits, sizeof wide);
    const std::string value = format == 'f' && size > 1 ? (size == 8   ? fmt::format("{}", wide)
                                                           : size == 4 ? fmt::format("{}", real)
                                                                       : fmt::format("{}", of_binary16(bits)))
                              : format == 'd' ? fmt::format("{}", static_cast<int64_t>(bits << shift) >> shift)
                              : format == 'u' ? fmt::format("{}", bits)
                                              : fmt::format("{:#0{}x}", bits, size * 2 + 2);
    if (i % row == 0) {
      line = fmt::format("{:#x}:", address + i * static_cast<size_t>(size));
    }
    line += "\t" + value;
    if (i % row == row - 1 || (i + 1) * static_cast<size_t>(size) >= bytes.size()) {
      out(line);
    }
  }
}

void Terminal::show_variables(bool parameters) {
  const auto result = ask(Op::variables);
  if (!result) {
    return;
  }
  int shown = 0;
  for (const Json& one : (*result)["variables"]) {
    if (one.value("parameter", false) == parameters) {
      out(fmt::format("{} = {}", one.value("name", ""), one.value("value", "")));
      ++shown;
    }
  }
  const std::string why = result->value("text", "");
  if (shown == 0) {
    out(!why.empty() ? style_.warn(why) : parameters ? "no arguments" : "no locals");
  }
}

void Terminal::show_registers(bool all) {
  const auto result = ask(Op::registers, all ? "all" : "");
  for (const Json& one : result ? *result : Json::array()) {
    out(fmt::format("{:<10} {:<20} {}", one.value("name", ""), one.value("hex", ""), one.value("value", "")));
  }
}

void Terminal::do_backtrace(const std::string& /*rest*/) {
  const auto result = ask(Op::stack);
  int level = 0;
  for (const Json& call : result ? *result : Json::array()) {
    const std::string file = call.value("file", "");
    out(fmt::format("{}#{:<2} {} at {}:{}", level == frame_ ? "*" : " ", level, call.value("function", ""),
                    file.substr(file.rfind('/') + 1), call.value("line", 0)));
    ++level;
  }
}

void Terminal::set_frame(int frame) {
  const auto stack = ask(Op::stack);
  if (!stack) {
    return;
  }
  if (frame < 0 || static_cast<size_t>(frame) >= stack->size()) {
    return complain(frame < 0 ? "this is the innermost call" : "this is the outermost call");
  }
  frame_ = frame;
  out(fmt::format("#{}", frame));
  show_place((*stack)[static_cast<size_t>(frame)]);
}

void Terminal::do_frame(const std::string& rest) {
  int frame = frame_;
  std::from_chars(rest.data(), rest.data() + rest.size(), frame);
  set_frame(frame);
}
void Terminal::do_up(const std::string& /*rest*/) { set_frame(frame_ + 1); }
void Terminal::do_down(const std::string& /*rest*/) { set_frame(frame_ - 1); }

void Terminal::do_list(const std::string& rest) {
  int line = listed_line_;
  if (!rest.empty()) {
    const size_t colon = rest.rfind(':');
    const std::string number = colon == std::string::npos ? rest : rest.substr(colon + 1);
    listed_file_ = colon == std::string::npos ? listed_file_ : rest.substr(0, colon);
    std::from_chars(number.data(), number.data() + number.size(), line);
  }
  if (listed_file_.empty()) {
    return complain("no source is known yet: `start` first, or list FILE:LINE");
  }
  const int current = stop_.contains("place") ? stop_["place"].value("line", 0) : 0;
  const int first = std::max(1, line - kListed / 2), last = std::min(first + kListed - 1, sources_.lines(listed_file_));
  if (last < first) {
    return complain(fmt::format("'{}' has no line {}, or cannot be read", listed_file_, line));
  }
  for (int i = first; i <= last; ++i) {
    const std::string text = fmt::format("{}{}\t{}", i == current ? "=>" : "  ", i, *sources_.line(listed_file_, i));
    out(i == current ? style_.strong(text) : text);
  }
  listed_line_ = last + 1 + kListed / 2;
}

void Terminal::do_code(const std::string& rest) {
  Request request;
  request.op = Op::code;
  request.count = 12;
  std::from_chars(rest.data(), rest.data() + rest.size(), request.count);
  if (!need_kernel()) {
    return;
  }
  const auto result = ask(std::move(request));
  for (const Json& one : result ? *result : Json::array()) {
    const bool here = one.value("here", false);
    const std::string text =
        fmt::format("{}{:>5}  {}", here ? "=>" : "  ", one.value("ptx_line", 0), one.value("text", ""));
    out(here ? style_.strong(text) : one.contains("line") ? text : style_.faint(text));
  }
}

}  // namespace hpml::sim::debug_front
