#include "simulator/ptx/detail/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hpml::sim::ptx {
namespace {

// Not <cctype>: its answers depend on the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// followsym of PTX ISA 4.4
bool is_follow(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

constexpr std::array<std::string_view, 8> kTwoCharacterPunctuation = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
constexpr std::string_view kPunctuation = ";,:(){}[]<>=+-*/%!~&|^?@";

}  // namespace

Token Lexer::take(TokenKind kind, size_t length) {
  Token token;
  token.kind = kind;
  token.text = text_.substr(position_, length);
  token.pos = here();
  token.glued = position_ == last_end_;
  position_ += length;
  last_end_ = position_;
  return token;
}

Token Lexer::invalid(size_t length, std::string message) {
  error_ = std::move(message);
  return take(TokenKind::invalid, length);
}

void Lexer::skip_line() { position_ = std::min(text_.find('\n', position_), text_.size()); }

// True if the comment is closed.
bool Lexer::skip_block_comment() {
  const size_t close = text_.find("*/", position_ + 2);
  if (close == std::string_view::npos) {
    return false;
  }
  for (; position_ < close; ++position_) {
    if (text_[position_] == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    }
  }
  position_ = close + 2;
  return true;
}

bool Lexer::skip_blanks_and_comments() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++position_;
      ++line_;
      line_start_ = position_;
    } else if (is_blank(c)) {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      skip_line();
    } else if (c == '/' && at(1) == '*') {
      if (!skip_block_comment()) {
        return false;
      }
    } else if (c == '@' && at(1) == '@') {
      skip_line();  // @@DWARF lines of PTX before 2.0 (PTX ISA 11.5.1) carry only debug information
    } else {
      return true;
    }
  }
  return true;
}

Token Lexer::next() {
  if (!skip_blanks_and_comments()) {
    Token token = invalid(2, "this comment is never closed; add '*/'");
    position_ = text_.size();
    return token;
  }
  if (position_ >= text_.size()) {
    return take(TokenKind::end, 0);
  }
  const char c = text_[position_];
  if (is_letter(c) || c == '_' || c == '$' || (c == '%' && is_follow(at(1)))) {
    return word(1);
  }
  if (c == '.') {
    // .5 is a number where it stands alone; in tex.2d it is a word.
    const bool after_word = position_ > 0 && is_follow(text_[position_ - 1]);
    return is_digit(at(1)) && !after_word ? number() : dot_word();
  }
  if (is_digit(c)) {
    return number();
  }
  return c == '"' ? string() : punctuation();
}

Token Lexer::word(size_t start) {
  size_t length = start;
  while (is_follow(at(length))) {
    ++length;
  }
  return take(TokenKind::word, length);
}

Token Lexer::dot_word() {
  size_t length = 1;
  for (;;) {
    if (is_follow(at(length))) {
      ++length;
    } else if (length > 1 && at(length) == ':' && at(length + 1) == ':' && is_follow(at(length + 2))) {
      length += 2;
    } else {
      break;
    }
  }
  if (length == 1) {
    return invalid(1, "a '.' must be followed by a word, as in '.f32'");
  }
  return take(TokenKind::dot_word, length);
}

Token Lexer::number() {
  const char mark = at(1);
  const bool prefixed = at(0) == '0' && is_letter(mark) && mark != 'e' && mark != 'E';
  const bool hex_real = prefixed && (mark == 'f' || mark == 'F' || mark == 'd' || mark == 'D');
  bool real = hex_real;
  size_t length = 0;
  for (;; ++length) {
    const char c = at(length);
    const char before = length > 0 ? at(length - 1) : '\0';
    const bool exponent_sign = !prefixed && real && (c == '+' || c == '-') && (before == 'e' || before == 'E');
    if (!prefixed && (c == '.' || c == 'e' || c == 'E')) {
      real = true;
    } else if (!is_follow(c) && !exponent_sign) {
      break;
    }
  }
  return take(real ? TokenKind::real : TokenKind::integer, length);
}

Token Lexer::string() {
  size_t length = 1;
  while (position_ + length < text_.size() && at(length) != '"' && at(length) != '\n') {
    length += at(length) == '\\' && at(length + 1) == '"' ? 2 : 1;
  }
  if (at(length) != '"') {
    return invalid(1, "this string is never closed; add '\"' on the same line");
  }
  Token token = take(TokenKind::string, length + 1);
  token.text = token.text.substr(1, length - 1);
  return token;
}

Token Lexer::punctuation() {
  const std::string_view two = text_.substr(position_, 2);
  for (const std::string_view candidate : kTwoCharacterPunctuation) {
    if (two == candidate) {
      return take(TokenKind::punct, 2);
    }
  }
  const char c = at(0);
  if (kPunctuation.find(c) != std::string_view::npos) {
    return take(TokenKind::punct, 1);
  }
  const bool printable = c > ' ' && c < '\x7f';
  return invalid(1, printable ? fmt::format("'{}' has no meaning in PTX; remove it", c)
                              : fmt::format("byte 0x{:02x} has no meaning in PTX; is this PTX text?",
                                            static_cast<unsigned char>(c)));
}

}  // namespace hpml::sim::ptx
