// Does each operand form become the operand kind that the rooms above expect?
#include "simulator/ptx/printer.hpp"
#include "simulator/tests/ptx/seeds.hpp"

namespace hpml::sim::ptx {
namespace {

template <class T>
const T& operand(const Instruction& instruction, size_t index) {
  static const T kNone{};
  if (index >= instruction.operands.size() || !std::holds_alternative<T>(instruction.operands[index].value)) {
    ADD_FAILURE() << print(instruction) << ": operand " << index << " is of another kind";
    return kNone;
  }
  return std::get<T>(instruction.operands[index].value);
}

TEST(Operands, SpecialRegistersHaveComponents) {
  Module module;
  const auto& mov = only_instruction(module, "mov.u32 %r1, %tid.x;");
  EXPECT_EQ(operand<RegisterOperand>(mov, 0).name, "%r1");
  EXPECT_EQ(operand<RegisterOperand>(mov, 1).name, "%tid");
  EXPECT_EQ(operand<RegisterOperand>(mov, 1).component, "x");
}

TEST(Operands, DeclaredNamesAreRegistersAndOthersSymbols) {
  Module module;
  const auto& add = only_instruction(module, ".reg .b32 r<3>, n;\nadd.u32 r0, r2, n;");
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(operand<RegisterOperand>(add, i).name.empty());
  }
  EXPECT_EQ(operand<SymbolOperand>(only_instruction(module, ".reg .b32 r<3>;\nmov.u64 %rd1, r3;"), 1).name, "r3");
  EXPECT_EQ(operand<SymbolOperand>(only_instruction(module, "mov.u64 %rd1, table+8;"), 1).offset, 8);
}

TEST(Operands, InnerDeclarationsHideOuterOnes) {
  const Module module =
      must_parse(in_kernel(".reg .u64 x;\n{ .shared .u32 x; ld.shared.u32 %r1, [x]; }\nld.global.u32 %r1, [x];"));
  const auto& statements = module.functions.at(0).body->statements;
  const auto& inner = std::get<Instruction>(std::get<std::unique_ptr<Block>>(statements.at(1))->statements.at(1));
  EXPECT_FALSE(operand<AddressOperand>(inner, 1).base_is_register);
  EXPECT_TRUE(operand<AddressOperand>(std::get<Instruction>(statements.at(2)), 1).base_is_register);
}

TEST(Operands, AddressesHaveBaseAndOffset) {
  struct Case {
    const char* text;
    const char* base;
    bool is_register;
    int64_t offset;
  };
  for (const Case& c : {Case{"[%rd1]", "%rd1", true, 0},
                        {"[%rd1+8]", "%rd1", true, 8},
                        {"[%rd1+-8]", "%rd1", true, -8},
                        {"[%rd1-8]", "%rd1", true, -8},
                        {"[a+4*2]", "a", false, 8},
                        {"[a+4+2]", "a", false, 6},
                        {"[16]", "", false, 16},
                        {"[0x10+4]", "", false, 20}}) {
    Module module;
    const auto& load = only_instruction(module, std::string("ld.u32 %r1, ") + c.text + ";");
    const auto& address = operand<AddressOperand>(load, 1);
    EXPECT_EQ(address.base, c.base) << c.text;
    EXPECT_EQ(address.base_is_register, c.is_register) << c.text;
    EXPECT_EQ(address.offset, c.offset) << c.text;
  }
}

TEST(Operands, NegatedPredicatesGuardsAndPairs) {
  Module module;
  const auto& setp = only_instruction(module, "@!%p1 setp.lt.and.s32 %p2|_, %r1, -3, !%p3;");
  ASSERT_TRUE(setp.guard.has_value());
  EXPECT_TRUE(setp.guard->negated);
  EXPECT_EQ(setp.guard->predicate, "%p1");
  const auto& pair = operand<PairOperand>(setp, 0);
  ASSERT_EQ(pair.elements.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<SinkOperand>(pair.elements[1].value));
  EXPECT_EQ(static_cast<int64_t>(operand<Immediate>(setp, 2).bits), -3);
  EXPECT_TRUE(operand<RegisterOperand>(setp, 3).negated);
}

TEST(Operands, SuffixesMayHaveColons) {
  Module module;
  const auto& load = only_instruction(module, "ld.global.L1::evict_first.L2::128B.v2.f32 {%f1, _}, [%rd1];");
  EXPECT_EQ(load.suffixes, (std::vector<std::string>{"global", "L1::evict_first", "L2::128B", "v2", "f32"}));
  EXPECT_EQ(operand<VectorOperand>(load, 0).elements.size(), 2U);
}

TEST(Operands, CallsHaveListsAroundTheFunction) {
  Module module;
  const auto& call = only_instruction(module, "call.uni (r0), f, (a, 5), proto;");
  EXPECT_EQ(operand<ListOperand>(call, 0).elements.size(), 1U);
  EXPECT_EQ(operand<SymbolOperand>(call, 1).name, "f");
  EXPECT_EQ(operand<ListOperand>(call, 2).elements.size(), 2U);
  EXPECT_EQ(operand<SymbolOperand>(call, 3).name, "proto");
  EXPECT_EQ(only_instruction(module, "call f;").operands.size(), 1U);
  EXPECT_EQ(operand<RegisterOperand>(only_instruction(module, "call (r), %rd1, (), proto;"), 1).name, "%rd1");
}

TEST(Operands, TextureAndTensorBracketsBeginWithTheAddress) {
  Module module;
  const auto& tex = only_instruction(module, "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];");
  EXPECT_EQ(tex.suffixes.at(0), "2d");
  const auto& list = operand<ListOperand>(tex, 1);
  ASSERT_EQ(list.elements.size(), 2U);
  EXPECT_EQ(std::get<AddressOperand>(list.elements[0].value).base, "t");
  EXPECT_TRUE(std::holds_alternative<VectorOperand>(list.elements[1].value));
}

}  // namespace
}  // namespace hpml::sim::ptx
