// Which words make an instruction, and what is said about those that do not.
#include "simulator/isa/decode.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "simulator/isa/refused.hpp"

namespace hpml::sim::isa {
namespace {

Result<Decoded, std::string> decode_text(std::string text, size_t operands) {
  std::vector<std::string> words;
  for (size_t dot; (dot = text.find('.')) != std::string::npos; text.erase(0, dot + 1)) {
    words.push_back(text.substr(0, dot));
  }
  words.push_back(text);
  return decode(words.front(), std::span(words).subspan(1), operands);
}
std::string error_of(const std::string& text, size_t operands) {
  const auto result = decode_text(text, operands);
  return result.ok() ? "(accepted)" : result.error();
}

TEST(Decode, FindsTheFormByTypeAndWords) {
  const auto add = decode_text("add.s32", 3);
  ASSERT_TRUE(add.ok()) << add.error();
  EXPECT_EQ(add->variant->types[0], Ty::s32);
  EXPECT_EQ(add->variant->spec->mnemonic, "add");
  EXPECT_FALSE(add->variant->sets_carry);
  const auto add_cc = decode_text("add.cc.u32", 3);
  ASSERT_TRUE(add_cc.ok()) << add_cc.error();
  EXPECT_TRUE(add_cc->variant->sets_carry);
}

TEST(Decode, TakesModifiersInAnyOrder) {
  const auto a = decode_text("mul.wide.s32", 3);
  const auto b = decode_text("mul.s32.wide", 3);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_EQ(a->variant, b->variant);
}

TEST(Decode, SecondDestinationIsOptional) {
  const auto one = decode_text("setp.lt.s32", 3);
  const auto two = decode_text("setp.lt.s32", 4);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_EQ(one->variant, two->variant);
  EXPECT_EQ(one->mods.cmp, Cmp::lt);
  EXPECT_NE(error_of("setp.lt.bf16", 4).find("takes 3 operands, not 4"), std::string::npos);
  EXPECT_TRUE(decode_text("setp.lt.bf16x2", 4).ok());
}

TEST(Decode, NamesAnUnknownInstruction) {
  EXPECT_EQ(error_of("frobnicate.u32", 2), "unknown instruction 'frobnicate'");
  EXPECT_NE(error_of("sepl.u32", 4).find("unknown instruction 'sepl'; did you mean"), std::string::npos);
}

TEST(Decode, SaysWhatIsMissingForAnInstructionThatIsRefused) {
  EXPECT_EQ(error_of("tcgen05.wait::ld.sync.aligned", 0), "instruction 'tcgen05' (tensor memory)");
  for (const Refused& refused : refused_instructions()) {
    for (const Variant& v : variants()) {
      EXPECT_NE(v.spec->mnemonic, refused.mnemonic) << "it is executed";
    }
  }
}

TEST(Decode, NamesWhatIsKnownAndNotExecuted) {
  EXPECT_EQ(error_of("tcgen05.wait::ld.sync.aligned", 0), "instruction 'tcgen05' (tensor memory)");
  EXPECT_EQ(error_of("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8", 2),
            "instruction 'ldmatrix.m16n16' (matrices of bytes)");
  EXPECT_EQ(error_of("cp.async.bulk.prefetch.tensor.3d.L2.global.im2col", 2),
            "instruction 'cp.im2col' (tensor copies of .im2col)");
}

TEST(Decode, NamesAnUnknownModifier) {
  EXPECT_EQ(error_of("add.satt.s32", 3), "unknown modifier '.satt' in 'add.satt.s32'; did you mean '.sat'?");
}

TEST(Decode, RefusesIllegalTypesMissingWordsAndWrongCounts) {
  EXPECT_EQ(error_of("setp.s32", 3).substr(0, 31), "'setp.s32' lacks a modifier: on");
  EXPECT_NE(error_of("add.sat.u32", 3).find("type .u32 is not legal in 'add.sat.u32'"), std::string::npos);
  EXPECT_NE(error_of("add", 3).find("'add' lacks its type"), std::string::npos);
  EXPECT_NE(error_of("add.s32", 2).find("takes 3 operands, not 2"), std::string::npos);
  EXPECT_NE(error_of("setp.lt.gt.s32", 3).find("contradicts"), std::string::npos);
}

}  // namespace
}  // namespace hpml::sim::isa
