#include "simulator/ptx/parser.hpp"

#include <fmt/format.h>

#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"

namespace hpml::sim::ptx {
namespace {

// Longer lines (a file without line ends, binary junk) would bury the message.
constexpr size_t kMaxShownLine = 300;
constexpr size_t kMaxShownToken = 60;

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
      c = '?';
    }
  }
  return out;
}

}  // namespace

Result<Module> parse(std::string text, std::string name) {
  // Text from a fat binary is padded with NUL bytes.
  text.erase(text.find_last_not_of('\0') + 1);
  Module module;
  module.name = std::move(name);
  module.text = std::move(text);
  Parser parser(module);
  if (!parser.parse_module()) {
    return parser.error();
  }
  return module;
}

Parser::Parser(Module& module) : module_(module), lexer_(module.text) { token_ = lexer_.next(); }

void Parser::advance() {
  if (peeked_) {
    token_ = *peeked_;
    peeked_.reset();
  } else {
    token_ = lexer_.next();
  }
}

Token& Parser::peek() {
  if (!peeked_) {
    peeked_ = lexer_.next();
  }
  return *peeked_;
}

bool Parser::fail(SourcePos pos, std::string message) {
  if (!failed_) {
    failed_ = true;
    std::string_view line = line_of(module_.text, pos.line);
    error_ = error_at(module_.name, pos, std::move(message), line.size() <= kMaxShownLine ? printable(line) : "");
  }
  return false;
}

std::string Parser::found() const {
  if (token_.kind == TokenKind::end) {
    return "the end of the text";
  }
  if (token_.text.size() > kMaxShownToken) {
    return fmt::format("'{}...'", printable(token_.text.substr(0, kMaxShownToken)));
  }
  return token_.kind == TokenKind::string ? fmt::format("\"{}\"", printable(token_.text))
                                          : fmt::format("'{}'", printable(token_.text));
}

bool Parser::fail_expected(std::string_view what) {
  if (token_.kind == TokenKind::invalid) {
    return fail(token_.pos, lexer_.error());
  }
  return fail(token_.pos, fmt::format("expected {}, found {}", what, found()));
}

bool Parser::accept(std::string_view punctuation) {
  if (!token_.is(punctuation)) {
    return false;
  }
  advance();
  return true;
}

bool Parser::expect(std::string_view punctuation, std::string_view where) {
  return accept(punctuation) || fail_expected(fmt::format("'{}' {}", punctuation, where));
}

bool Parser::expect_word(std::string& out, std::string_view what) {
  if (token_.kind != TokenKind::word) {
    return fail_expected(what);
  }
  out = token_.text;
  advance();
  return true;
}

}  // namespace hpml::sim::ptx
