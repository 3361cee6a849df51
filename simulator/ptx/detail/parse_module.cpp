// The module: its header and the directives outside functions (PTX ISA 11.1, 11.5, 11.6).
#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>

#include "simulator/ptx/detail/parser_impl.hpp"
#include "simulator/ptx/detail/words.hpp"

namespace hpml::sim::ptx {

bool Parser::parse_module() {
  scopes_.open();
  if (!parse_header()) {
    return false;
  }
  while (token_.kind != TokenKind::end) {
    if (!parse_module_item()) {
      return false;
    }
  }
  return true;
}

// .version M.N  .target sm_XX  [.address_size 64]; the order is fixed (PTX ISA 11.1)
bool Parser::parse_header() {
  if (!token_.is_dot("version")) {
    return fail_expected("'.version', with which a PTX module begins");
  }
  if (!parse_version()) {
    return false;
  }
  if (!token_.is_dot("target")) {
    return fail_expected("'.target' after '.version'");
  }
  return parse_target();
}

bool Parser::parse_version() {
  advance();
  const std::string_view text = token_.text;
  const char* end = text.data() + text.size();
  if (token_.kind == TokenKind::real) {
    const auto major = std::from_chars(text.data(), end, module_.version_major);
    if (major.ec == std::errc{} && major.ptr != end && *major.ptr == '.') {
      const auto minor = std::from_chars(major.ptr + 1, end, module_.version_minor);
      if (minor.ec == std::errc{} && minor.ptr == end) {
        advance();
        return true;
      }
    }
  }
  return fail_expected("a version such as '8.0'");
}

// .target sm_75, texmode_independent, debug
bool Parser::parse_target() {
  advance();
  if (!expect_word(module_.target, "a target such as 'sm_75'")) {
    return false;
  }
  while (accept(",")) {
    if (!expect_word(module_.target_options.emplace_back(), "a target option such as 'debug'")) {
      return false;
    }
  }
  return true;
}

bool Parser::parse_module_item() {
  if (token_.kind != TokenKind::dot_word) {
    return fail_expected("a directive such as '.visible', '.global' or '.func'");
  }
  if (token_.is_dot("address_size")) {
    advance();
    const SourcePos pos = token_.pos;
    uint64_t bits = 0;
    if (!parse_count(bits, 64, "an address size (32 or 64)")) {
      return false;
    }
    module_.address_size = static_cast<int>(bits);
    return bits == 32 || bits == 64 || fail(pos, "the address size must be 32 or 64");
  }
  if (token_.is_dot("file")) {
    return parse_file();
  }
  if (token_.is_dot("section")) {
    return skip_section();
  }
  if (token_.is_dot("pragma")) {
    return parse_pragma(module_.nounroll);
  }
  if (token_.is_dot("alias")) {
    return parse_alias();
  }
  if (token_.is_dot("loc")) {
    return parse_loc();
  }
  return parse_linked_item();
}

// [.extern | .visible | .weak | .common] function or variable
bool Parser::parse_linked_item() {
  const SourcePos pos = token_.pos;
  Linkage linkage;
  for (bool more = true; more;) {
    if (token_.is_dot("extern")) {
      linkage.is_extern = true;
    } else if (token_.is_dot("visible")) {
      linkage.visible = true;
    } else if (token_.is_dot("weak")) {
      linkage.weak = true;
    } else if (token_.is_dot("common")) {
      linkage.common = true;
    } else {
      more = false;
      continue;
    }
    advance();
  }
  if (token_.is_dot("entry") || token_.is_dot("func")) {
    return parse_function(linkage, pos);
  }
  if (token_.kind != TokenKind::dot_word) {
    return fail_expected("'.entry', '.func' or a state space");
  }
  const std::string_view word = token_.text.substr(1);
  if (!space_word(word) && !declaration_word(word)) {
    return fail(token_.pos,
                fmt::format("unknown directive '{}'{}", token_.text, did_you_mean(token_.text, module_directives())));
  }
  return parse_variables(linkage, module_.variables);
}

// .file 1 "path" [, time, size]
bool Parser::parse_file() {
  advance();
  uint64_t index = 0;
  if (!parse_count(index, std::numeric_limits<int>::max(), "a file number")) {
    return false;
  }
  if (token_.kind != TokenKind::string) {
    return fail_expected("a file name in quotes");
  }
  module_.files.push_back({static_cast<int>(index), std::string(token_.text)});
  advance();
  while (accept(",")) {
    uint64_t ignored = 0;
    if (!parse_count(ignored, std::numeric_limits<uint64_t>::max(), "the time or size of the file")) {
      return false;
    }
  }
  return true;
}

// .alias name, target ;
bool Parser::parse_alias() {
  Alias alias;
  alias.pos = token_.pos;
  advance();
  if (!expect_word(alias.alias, "the name of the alias") || !expect(",", "after the name of the alias") ||
      !expect_word(alias.target, "the function that the alias stands for") || !expect(";", "after the alias")) {
    return false;
  }
  module_.aliases.push_back(std::move(alias));
  return true;
}

// .pragma "nounroll", ... ; : hints for ptxas, which do not change what the program does
bool Parser::parse_pragma(bool& nounroll) {
  advance();
  do {
    if (token_.kind != TokenKind::string) {
      return fail_expected("a pragma in quotes");
    }
    nounroll = nounroll || token_.text == "nounroll";
    advance();
  } while (accept(","));
  return expect(";", "after the pragma");
}

// .section .debug_info { ... } : DWARF, not needed to run the program
bool Parser::skip_section() {
  const SourcePos pos = token_.pos;
  advance();
  if (token_.kind != TokenKind::dot_word && token_.kind != TokenKind::word) {
    return fail_expected("the name of the section");
  }
  advance();
  if (!expect("{", "to open the section")) {
    return false;
  }
  for (int depth = 1; depth > 0; advance()) {
    if (token_.kind == TokenKind::invalid) {
      return fail(token_.pos, lexer_.error());
    }
    if (token_.kind == TokenKind::end) {
      return fail(token_.pos, fmt::format("the text ends inside the '.section' of line {}; add '}}'", pos.line));
    }
    depth += token_.is("{") ? 1 : token_.is("}") ? -1 : 0;
  }
  return true;
}

}  // namespace hpml::sim::ptx
