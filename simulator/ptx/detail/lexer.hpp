#pragma once
// Tokens of PTX text (PTX ISA 4.1 to 4.5), made on demand in one pass. Tokens are views into the text, which must
// outlive them.
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/diag.hpp"

namespace hpml::sim::ptx {

enum class TokenKind : uint8_t {
  word,      // add, %r1, $L__BB0_1, _
  dot_word,  // .f32, .L2::128B; the text includes the dot
  integer,   // 12, 0x1F, 0b1, 017U
  real,      // 0f3F800000, 0d..., 1.5, 1e3
  string,    // "a.cu"; the text excludes the quotes, escapes are left as written
  punct,     // one or two characters: ; , ( ) { } [ ] < > << >= @ ...
  invalid,   // Lexer::error() says why
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;
  SourcePos pos;
  bool glued = false;  // nothing, not even a blank, between this token and the one before

  bool is(std::string_view punctuation) const { return kind == TokenKind::punct && text == punctuation; }
  bool is_dot(std::string_view name) const { return kind == TokenKind::dot_word && text.substr(1) == name; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  // The next token; `end` again and again after the last. After an `invalid` token lexing may go on.
  Token next();
  const std::string& error() const { return error_; }

 private:
  bool skip_blanks_and_comments();
  bool skip_block_comment();
  void skip_line();
  Token take(TokenKind kind, size_t length);
  Token invalid(size_t length, std::string message);
  Token word(size_t start);
  Token dot_word();
  Token number();
  Token string();
  Token punctuation();
  char at(size_t offset) const { return position_ + offset < text_.size() ? text_[position_ + offset] : '\0'; }
  SourcePos here() const { return {line_, static_cast<int>(position_ - line_start_) + 1}; }

  std::string_view text_;
  size_t position_ = 0;
  size_t line_start_ = 0;
  size_t last_end_ = 0;  // where the token before ended
  int line_ = 1;
  std::string error_;
};

}  // namespace hpml::sim::ptx
