// Does the module say what the text declares?
#include "simulator/ptx/printer.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

const Variable& variable(const Module& module, std::string_view name) {
  static const Variable kNone;
  for (const Variable& each : module.variables) {
    if (each.name == name) {
      return each;
    }
  }
  ADD_FAILURE() << "no variable " << name;
  return kNone;
}

const Function& function(const Module& module, std::string_view name) {
  static const Function kNone;
  for (const Function& each : module.functions) {
    if (each.name == name) {
      return each;
    }
  }
  ADD_FAILURE() << "no function " << name;
  return kNone;
}

TEST(Module, HeaderFilesAndOptions) {
  const Module module = must_parse(read_seed("syntax.ptx"));
  EXPECT_EQ(module.version_major, 9);
  EXPECT_EQ(module.version_minor, 0);
  EXPECT_EQ(module.target, "sm_90a");
  EXPECT_EQ(module.target_options, (std::vector<std::string>{"texmode_independent", "debug"}));
  EXPECT_EQ(module.address_size, 64);
  ASSERT_EQ(module.files.size(), 2U);
  EXPECT_EQ(module.files[0].path, "kernel.cu");
  ASSERT_EQ(module.aliases.size(), 1U);
  EXPECT_EQ(module.aliases[0].target, "callee");
}

TEST(Module, VariablesKeepLinkageSpaceAlignmentAndExtents) {
  const Module module = must_parse(read_seed("syntax.ptx"));
  const Variable& managed = variable(module, "managed_total");
  EXPECT_TRUE(managed.managed && managed.visible);
  EXPECT_EQ(managed.space, Space::global);
  EXPECT_TRUE(variable(module, "both").managed);
  EXPECT_EQ(variable(module, "unknown_size").dims, std::vector<uint64_t>{0});
  EXPECT_TRUE(variable(module, "unknown_size").is_extern);
  EXPECT_EQ(variable(module, "quad").vector, 4);
  EXPECT_EQ(variable(module, "quad").align, 16U);
  EXPECT_EQ(variable(module, "quad").space, Space::constant);
  EXPECT_EQ(variable(module, "matrix").dims, (std::vector<uint64_t>{2, 3}));
  EXPECT_EQ(variable(module, "cta_tile").space, Space::shared);
  EXPECT_EQ(variable(module, "old_texture").type, "texref");
}

TEST(Module, InitialisersKeepSymbolsGenericAndMasks) {
  const Module module = must_parse(read_seed("syntax.ptx"));
  const auto& pointers = variable(module, "pointers").init;
  ASSERT_EQ(pointers.size(), 6U);
  EXPECT_FALSE(pointers[1].is_generic);
  EXPECT_EQ(std::get<SymbolOperand>(pointers[1].value).offset, 8);
  EXPECT_TRUE(pointers[3].is_generic);
  EXPECT_EQ(std::get<SymbolOperand>(pointers[3].value).name, "matrix");
  EXPECT_EQ(std::get<SymbolOperand>(pointers[3].value).offset, 4);
  const auto& bytes = variable(module, "bytes").init;
  ASSERT_EQ(bytes.size(), 4U);
  EXPECT_EQ(bytes[1].mask_byte, 1);
  EXPECT_TRUE(bytes[1].is_generic);
  EXPECT_EQ(bytes[2].mask_byte, 3);
  EXPECT_EQ(bytes[3].mask_byte, -1);
  const auto& matrix = variable(module, "matrix").init;
  ASSERT_EQ(matrix.size(), 2U);
  EXPECT_EQ(std::get<std::vector<Initializer>>(matrix[1].value).size(), 3U);
}

TEST(Module, KernelsKeepParametersAndDirectives) {
  const Module module = must_parse(read_seed("syntax.ptx"));
  const Function& kernel = function(module, "kernel");
  EXPECT_TRUE(kernel.is_entry && kernel.visible);
  ASSERT_EQ(kernel.params.size(), 4U);
  EXPECT_EQ(kernel.params[0].ptr_space, Space::global);
  EXPECT_EQ(kernel.params[0].ptr_align, 16U);
  EXPECT_EQ(kernel.params[0].align, 0U);
  EXPECT_EQ(kernel.params[3].align, 8U);
  EXPECT_EQ(kernel.params[3].dims, std::vector<uint64_t>{24});
  ASSERT_EQ(kernel.directives.size(), 5U);
  EXPECT_EQ(kernel.directives[0].name, "maxntid");
  EXPECT_EQ(kernel.directives[0].values, (std::vector<uint64_t>{256, 1, 1}));
  EXPECT_TRUE(function(module, "abort_now").noreturn);
  EXPECT_EQ(function(module, "vprintf").body, nullptr);
  EXPECT_EQ(function(module, "by_register").params.at(0).space, Space::reg);
}

TEST(Module, InstructionsCarryTheLocInForce) {
  const Module module =
      must_parse(in_kernel("ret;\n.loc 1 10 3\nret;\nret;\n.loc 2 20 7, function_name $s+4, inlined_at 1 10 3\nret;"));
  const auto found = instructions(module);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0]->loc.file, 0);
  EXPECT_EQ(found[1]->loc.line, 10);
  EXPECT_EQ(found[2]->loc.line, 10);
  EXPECT_EQ(found[3]->loc.file, 2);
  EXPECT_EQ(found[3]->loc.line, 20);
  EXPECT_EQ(found[3]->loc.column, 7);
  EXPECT_EQ(found[3]->pos.line, kFirstStatementLine + 5);
}

TEST(Module, LocOfOneFunctionDoesNotReachTheNext) {
  const Module module = must_parse(in_module(".func a { .loc 1 10 3\nret; }\n.func b { ret; }\n"));
  EXPECT_EQ(std::get<Instruction>(module.functions.at(0).body->statements.at(0)).loc.line, 10);
  EXPECT_EQ(std::get<Instruction>(module.functions.at(1).body->statements.at(0)).loc.line, 0);
}

TEST(Module, RegistersInRangesAndLists) {
  const Module module = must_parse(in_kernel(".reg .pred %p<4>, q;"));
  const auto& statements = module.functions.at(0).body->statements;
  ASSERT_EQ(statements.size(), 2U);
  EXPECT_EQ(std::get<Variable>(statements[0]).range, 4);
  EXPECT_EQ(std::get<Variable>(statements[1]).range, -1);
  EXPECT_EQ(std::get<Variable>(statements[1]).type, "pred");
}

TEST(Module, PaddingOfFatBinariesIsAccepted) {
  const Module module = must_parse("\n\n" + in_kernel("ret;") + std::string(9, '\0'));
  EXPECT_EQ(module.functions.size(), 1U);
}

TEST(Module, WindowsLineEndsAreAccepted) {
  std::string text;
  for (const char c : in_kernel("add.u32 %r1, %r2, 3; // x\nret;")) {
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  }
  EXPECT_EQ(instructions(must_parse(text)).size(), 2U);
}

}  // namespace
}  // namespace hpml::sim::ptx
