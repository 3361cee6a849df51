// Does each mistake get one message, at the right place, that says how to mend it?
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

struct Bad {
  const char* text;
  int line;  // relative to the first line of the text
  int column;
  const char* message;  // a part of it
};

void expect_error(const std::string& text, const Bad& bad, int first_line) {
  const Result<Module> module = parse(text, "bad.ptx");
  ASSERT_FALSE(module.ok()) << bad.text;
  const Diag& error = module.error();
  EXPECT_EQ(error.pos.line, first_line + bad.line - 1) << bad.text << "\n" << error.to_string();
  EXPECT_EQ(error.pos.column, bad.column) << bad.text << "\n" << error.to_string();
  EXPECT_NE(error.message.find(bad.message), std::string::npos) << error.message;
  EXPECT_EQ(error.file, "bad.ptx");
}

TEST(Errors, InStatements) {
  for (const Bad& bad : {
           Bad{"add.s32 %r1, %r2, %r3\nret;", 2, 1, "expected ',' or ';' after an operand of 'add', found 'ret'"},
           {"add.s32 %r1 %r2;", 1, 13, "expected ',' or ';'"},
           {"add.s32 %r1, ;", 1, 14, "expected an operand"},
           {"mov.u32 %r1, 09;", 1, 14, "an octal integer was expected"},
           {"mov.u32 %r1, 0xG;", 1, 14, "a hexadecimal integer was expected"},
           {"mov.b32 %r1, 0f3F8;", 1, 14, "exactly 8 hexadecimal digits"},
           {"mov.b64 %r1, 0d3FF000000000000;", 1, 14, "exactly 16 hexadecimal digits"},
           {"mov.b64 %r1, 18446744073709551616;", 1, 14, "does not fit in 64 bits"},
           {"mov.u32 %r1, 1.2.3;", 1, 14, "is not a number"},
           {"mov.u32 %r1, 4 / (2 - 2);", 1, 16, "division by zero"},
           {"mov.u32 %r1, 1.5 << 2;", 1, 18, "takes integers"},
           {"ld.global.u32 %r1, [%rd1;", 1, 25, "']' to close the address"},
           {"ld.global.u32 %r1, [%rd1+%r2];", 1, 26, "a constant offset"},
           {"ld.global.u32 %r1, [%rd1+1.5];", 1, 26, "must be an integer"},
           {"ld.global.u32 %r1, a[1];", 1, 21, "has no elements"},
           {"mov.b64 {%r1, %r2, %rd1;", 1, 24, "',' or '}' in the operand list"},
           {"@%p1;", 1, 5, "an instruction after the guard"},
           {"@!5 bra L;", 1, 3, "a predicate register after '@'"},
           {";", 1, 1, "expected an instruction, found ';'"},
           {"add. s32 %r1;", 1, 4, "must be followed by a word"},
           {"mov.u32 %r1, #3;", 1, 14, "'#' has no meaning in PTX"},
           {"mov.u32 %r1, \x01;", 1, 14, "byte 0x01"},
           {".reg .f23 %f1;", 1, 6, "unknown type '.f23'; did you mean '.f16' or '.f32'"},
           {".reg .b32 %r<4;", 1, 15, "'>' after the number of registers"},
           {".reg .b32 %r<-1>;", 1, 14, "the number of registers"},
           {".reg %r;", 1, 6, "a type such as '.u32'"},
           {".reg .global .u32 x;", 1, 6, "a second state space"},
           {".reg .u32 .u64 x;", 1, 11, "a second type '.u64'"},
           {".shard .u32 x;", 1, 1, "unknown directive '.shard' in a function body; did you mean '.shared'"},
           {".shared .align 3 .b8 x[4];", 1, 16, "not a power of two"},
           {".shared .b8 x[4;", 1, 16, "']' after the array extent"},
           {".shared .b8 x[-4];", 1, 15, "an array extent from 0"},
           {".shared .b8 x", 2, 1, "';' after the declaration of 'x'"},
           {".loc 1 2;", 1, 9, "the column of '.loc'"},
           {".loc 1 2 3, inlined 4", 1, 21, "'inlined' is no attribute of '.loc'"},
           {"t: .branchtargets ;", 1, 19, "a label or function name"},
           {"p: .callprototype (.param .b32 _) (.param .b32 _);", 1, 35, "'_' in the prototype"},
           {"{ ret;", 3, 1, "the '{' of line 5 needs its '}'"},
           {"/* ret;", 1, 1, "never closed; add '*/'"},
       }) {
    expect_error(in_kernel(bad.text), bad, kFirstStatementLine);
  }
}

TEST(Errors, InDeclarations) {
  for (const Bad& bad : {
           Bad{"hello", 1, 1, "expected a directive such as '.visible'"},
           {".visble .entry k { ret; }", 1, 1, "unknown directive '.visble'; did you mean '.visible'"},
           {".visible x", 1, 10, "expected '.entry', '.func' or a state space"},
           {".entry { ret; }", 1, 8, "the name of the kernel"},
           {".entry k(.u32 a) { ret; }", 1, 15, "a state space"},
           {".entry k(.global .u32 a) { ret; }", 1, 10, "a parameter must be declared with '.param'"},
           {".entry k(.param .u32 a { ret; }", 1, 24, "',' or ')' after a parameter"},
           {".entry k() .maxntd 4 { ret; }", 1, 12, "in the header of 'k'; did you mean '.maxntid'"},
           {".entry k() ret;", 1, 12, "'{' or ';' after the header of 'k'"},
           {".global .u32 x = ;", 1, 18, "an initial value"},
           {".global .u32 x[2] = {1 2};", 1, 24, "',' or '}' in the initialiser"},
           {".global .u32 x[2] = {1, 2;", 1, 26, "',' or '}' in the initialiser"},
           {".global .u64 x = generic(y;", 1, 27, "to close 'generic('"},
           {".global .u8 x = 0xF0(y);", 1, 17, "one byte: 0xFF"},
           {".global .attribute(.manged) .u32 x;", 1, 20, "'.managed'"},
           {".file 1 x", 1, 9, "a file name in quotes"},
           {".file 1 \"x", 1, 9, "never closed"},
           {".section .debug_info { {", 1, 25, "inside the '.section' of line 4"},
           {".alias a b;", 1, 10, "',' after the name of the alias"},
           {".pragma nounroll;", 1, 9, "a pragma in quotes"},
           {".address_size 48", 1, 15, "must be 32 or 64"},
       }) {
    expect_error(in_module(bad.text), bad, kFirstDeclarationLine);
  }
}

TEST(Errors, InTheHeader) {
  for (const Bad& bad : {
           Bad{"", 1, 1, "'.version', with which a PTX module begins, found the end of the text"},
           {"int main() {}", 1, 1, "'.version', with which a PTX module begins, found 'int'"},
           {".version x", 1, 10, "a version such as '8.0'"},
           {".version 8", 1, 10, "a version such as '8.0'"},
           {".version 8.0\n.address_size 64", 2, 1, "'.target' after '.version'"},
           {".version 8.0\n.target 75", 2, 9, "a target such as 'sm_75'"},
       }) {
    expect_error(bad.text, bad, 1);
  }
}

TEST(Errors, ShowTheLineWithACaret) {
  const Result<Module> module = parse(in_kernel("\tadd.s32 %r1, %r2"), "bad.ptx");
  ASSERT_FALSE(module.ok());
  EXPECT_EQ(module.error().to_string(),
            "bad.ptx:7:1: error: expected ',' or ';' after an operand of 'add', found '}'\n    }\n    ^");
}

TEST(Errors, OfBinaryInputStayShortAndPrintable) {
  const std::string junk = ".version 8.0 " + std::string(100000, '\x02');
  const Result<Module> module = parse(junk, "bad.ptx");
  ASSERT_FALSE(module.ok());
  const std::string text = module.error().to_string();
  EXPECT_LT(text.size(), 500U);
  EXPECT_EQ(text.find('\x02'), std::string::npos);
}

TEST(Errors, DeepNestingIsRefusedNotFatal) {
  constexpr size_t kDeep = 200000;
  const std::string parentheses(kDeep, '(');
  EXPECT_FALSE(parse(in_kernel("mov.u32 %r1, " + parentheses + ";"), "deep").ok());
  EXPECT_FALSE(parse(in_kernel("mov.u32 %r1, " + std::string(kDeep, '-') + "1;"), "deep").ok());
  EXPECT_FALSE(parse(in_kernel(std::string(kDeep, '{')), "deep").ok());
  EXPECT_FALSE(parse(in_kernel("mov.u32 " + std::string(kDeep, '{')), "deep").ok());
  EXPECT_FALSE(parse(in_kernel("mov.u32 %r1, " + std::string(kDeep, '[')), "deep").ok());
  EXPECT_FALSE(parse(in_module(".global .u32 x = " + std::string(kDeep, '{')), "deep").ok());
  std::string choices;
  for (size_t i = 0; i < kDeep; ++i) {
    choices += "1?";
  }
  EXPECT_FALSE(parse(in_module(".global .u32 x = " + choices), "deep").ok());
}

}  // namespace
}  // namespace hpml::sim::ptx
