#include "simulator/debug/expression.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace hpml::sim::debug {
namespace {

using Node = std::unique_ptr<Expression>;
using Parsed = Result<Node>;

constexpr int kDeepestOperand = 100;  // nested parentheses and operators

// From the loosest to the tightest, as in C.
constexpr std::array<std::array<std::string_view, 4>, 10> kBinary = {{{"||"},
                                                                      {"&&"},
                                                                      {"|"},
                                                                      {"^"},
                                                                      {"&"},
                                                                      {"==", "!="},
                                                                      {"<=", ">=", "<", ">"},
                                                                      {"<<", ">>"},
                                                                      {"+", "-"},
                                                                      {"*", "/", "%"}}};

class Parser {
 public:
  Parser(std::string_view text, const Types& types) : text_(text), types_(types) {}

  Parsed all() {
    HPML_TRY(Node out, binary(0));
    skip();
    if (at_ == text_.size()) {
      return out;
    }
    const std::string_view rest = text_.substr(at_);
    return error(rest.starts_with("(")   ? "functions cannot be called"
                 : rest.starts_with("=") ? "a value is changed by `set var NAME = EXPRESSION`"
                                         : fmt::format("'{}' is left over", rest));
  }

 private:
  Diag error(const std::string& what) const { return error_in("expression", fmt::format("in '{}': {}", text_, what)); }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }
  bool take(std::string_view word) {
    skip();
    if (!text_.substr(at_).starts_with(word)) {
      return false;
    }
    at_ += word.size();
    return true;
  }
  static bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  static Node make(Expression::Kind kind, std::string text, Node a = nullptr, Node b = nullptr) {
    auto out = std::make_unique<Expression>();
    out->kind = kind;
    out->text = std::move(text);
    for (Node* part : {&a, &b}) {
      if (*part != nullptr) {
        out->parts.push_back(std::move(*part));
      }
    }
    return out;
  }

  // '%' before a letter at the start of an operand is a register; behind an operand it is a remainder. "&&" is no "&".
  std::optional<std::string_view> operator_at(size_t level) {
    skip();
    for (const std::string_view word : kBinary[level]) {
      const std::string_view rest = text_.substr(at_);
      if (word.empty() || !rest.starts_with(word)) {
        continue;
      }
      const char next = rest.size() > word.size() ? rest[word.size()] : '\0';
      const bool longer =
          word.size() == 1 && next == word[0] && std::string_view("|&<>").find(next) != std::string_view::npos;
      if (!longer) {
        return word;
      }
    }
    return std::nullopt;
  }

  Parsed binary(size_t level) {
    if (level == kBinary.size()) {
      HPML_TRY(Node operand, unary());
      return repeated(std::move(operand));
    }
    HPML_TRY(Node left, binary(level + 1));
    while (const auto word = operator_at(level)) {
      at_ += word->size();
      HPML_TRY(Node right, binary(level + 1));
      left = make(Expression::Kind::binary, std::string(*word), std::move(left), std::move(right));
    }
    return left;
  }

  Parsed unary() {
    if (++depth_ > kDeepestOperand) {
      return error("it is nested too deeply");
    }
    for (const std::string_view word : {"-", "+", "!", "~", "*", "&"}) {
      if (take(word)) {
        HPML_TRY(Node operand, unary());
        --depth_;
        return make(Expression::Kind::unary, std::string(word), std::move(operand));
      }
    }
    HPML_TRY(Node cast, try_cast());
    HPML_TRY(Node out, cast != nullptr ? Parsed(std::move(cast)) : postfix());
    --depth_;
    return out;
  }

  // a @ n
  Parsed repeated(Node left) {
    if (!take("@")) {
      return left;
    }
    HPML_TRY(Node count, unary());
    return make(Expression::Kind::repeat, "@", std::move(left), std::move(count));
  }

  // "(float *) x"; null: no cast is here.
  Parsed try_cast() {
    const size_t start = at_;
    if (!take("(")) {
      return Node();
    }
    std::string words;
    while (true) {
      const std::string word = name();
      if (word.empty()) {
        break;
      }
      if (word != "const" && word != "volatile" && word != "struct") {
        words += (words.empty() ? "" : " ") + word;
      }
    }
    int pointers = 0;
    while (take("*")) {
      ++pointers;
    }
    if (words.empty() || types_.find(words) == -2 || !take(")")) {
      at_ = start;
      return Node();
    }
    HPML_TRY(Node operand, unary());
    Node out = make(Expression::Kind::cast, words, std::move(operand));
    out->pointers = pointers;
    return out;
  }

  std::string name() {
    skip();
    const size_t start = at_;
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) == 0) {
      while (at_ < text_.size() && (in_name(text_[at_]) || (text_.substr(at_).starts_with("::") && at_ > start))) {
        at_ += in_name(text_[at_]) ? 1 : 2;
      }
    }
    return std::string(text_.substr(start, at_ - start));
  }

  Parsed postfix() {
    HPML_TRY(Node out, primary());
    while (true) {
      if (take("[")) {
        HPML_TRY(Node index, binary(0));
        if (!take("]")) {
          return error("']' is missing");
        }
        out = make(Expression::Kind::subscript, "[]", std::move(out), std::move(index));
        continue;
      }
      const bool arrow = take("->");
      if (!arrow && !take(".")) {
        return out;
      }
      const std::string member = name();
      if (member.empty()) {
        return error("the name of a member is missing");
      }
      out = make(Expression::Kind::member, member, std::move(out));
      out->arrow = arrow;
    }
  }

  Parsed primary() {
    skip();
    if (take("(")) {
      HPML_TRY(Node inner, binary(0));
      if (!take(")")) {
        return error("')' is missing");
      }
      return inner;
    }
    if (at_ == text_.size()) {
      return error("an operand is missing at its end");
    }
    const char first = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(first)) != 0 || first == '.') {
      return number();
    }
    if (first == '\'') {
      return character();
    }
    if (first == '%' || first == '$') {  // %r1, %tid.x, $lane
      const size_t start = at_++;
      while (at_ < text_.size() && (in_name(text_[at_]) || text_[at_] == '$')) {
        ++at_;
      }
      return make(Expression::Kind::name, std::string(text_.substr(start, at_ - start)));
    }
    const std::string word = name();
    if (word.empty()) {
      return error(fmt::format("'{}' is no operand", text_.substr(at_, 1)));
    }
    if (word == "true" || word == "false") {
      Node out = make(Expression::Kind::number, word);
      out->number.integer = word == "true" ? 1 : 0;
      return out;
    }
    return make(Expression::Kind::name, word);
  }

  Parsed character() {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < 3 || rest[2] != '\'') {
      return error("a character is written 'c'");
    }
    at_ += 3;
    Node out = make(Expression::Kind::number, "");
    out->number.bytes = 1;
    out->number.integer = rest[1];
    return out;
  }

  Parsed number() {
    const size_t start = at_;
    const bool hex = text_.substr(at_).starts_with("0x") || text_.substr(at_).starts_with("0X");
    const auto in_number = [&](size_t i) {
      const char c = text_[i];
      const bool sign = (c == '+' || c == '-') && !hex && (text_[i - 1] == 'e' || text_[i - 1] == 'E');
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || sign;
    };
    while (at_ < text_.size() && (at_ == start || in_number(at_))) {
      ++at_;
    }
    const std::string word(text_.substr(start, at_ - start));
    Node out = make(Expression::Kind::number, word);
    Number& value = out->number;
    const bool real = !hex && word.find_first_of(".eE") != std::string::npos;
    char* end = nullptr;
    if (real) {
      value.is_float = true;
      value.bytes = 8;
      value.real = std::strtod(word.c_str(), &end);
    } else {
      uint64_t bits = 0;
      const char* first = word.data() + (hex ? 2 : 0);
      const auto [stop, failed] = std::from_chars(first, word.data() + word.size(), bits, hex ? 16 : 10);
      end = const_cast<char*>(failed == std::errc() ? stop : word.data());
      value.integer = static_cast<int64_t>(bits);
      value.bytes = bits <= INT32_MAX ? 4 : 8;
      value.is_unsigned = bits > INT64_MAX;
    }
    for (; *end != '\0'; ++end) {
      const auto suffix = static_cast<char>(std::tolower(static_cast<unsigned char>(*end)));
      if (suffix == 'f' && real) {
        value.bytes = 4;
        value.real = static_cast<double>(static_cast<float>(value.real));
      } else if (suffix == 'u' && !real) {
        value.is_unsigned = true;
      } else if (suffix == 'l') {
        value.bytes = 8;
      } else {
        return error(fmt::format("'{}' is no number", word));
      }
    }
    return out;
  }

  std::string_view text_;
  const Types& types_;
  size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<std::unique_ptr<Expression>> parse_expression(std::string_view text, const Types& types) {
  return Parser(text, types).all();
}

Result<Value> evaluate(std::string_view text, Types& types, Scope& scope) {
  HPML_TRY(const Node parsed, parse_expression(text, types));
  return evaluate(*parsed, types, scope);
}

}  // namespace hpml::sim::debug
