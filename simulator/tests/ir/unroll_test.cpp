// Question: are the loops unrolled that ptxas unrolls? The limits are those of ptxas (test_ptxas_unrolls.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

const std::string kListings = HPML_SOURCE_DIR "/simulator/tests/ir/listings/";

struct Loop {
  std::string body;
  int ffma = 0;  // further ones, in a chain
  std::string start = {};
  std::string end = "add.s32 %r1, %r1, -4; setp.ne.s32 %p1, %r1, 0;";
};

void put(std::string& text, const std::string& word, const std::string& value) {
  text.replace(text.rfind(word), word.size(), value);
}

// Copies of the loop's FFMAs in the code: 1 as it is, 5 with four rounds in front.
int copies(const Loop& loop) {
  std::ifstream file(kListings + "unrolled_loop.ptx");
  std::stringstream read;
  read << file.rdbuf();
  std::string text = read.str(), chain;
  for (int i = 0; i < loop.ffma; ++i) {
    chain += "fma.rn.f32 %f1, %f1, 0f3F800001, 0f3F000000;\n";
  }
  put(text, "START", loop.start);
  put(text, "BODY", loop.body);
  put(text, "FFMA", chain);
  put(text, "END", loop.end);
  auto parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  const auto module = std::move(Program::link(std::move(modules))).value().lower("k");
  EXPECT_TRUE(module.ok()) << module.error().to_string();
  const auto ffma = std::ranges::count_if(module->functions.front().code, [](const Inst& inst) {
    return inst.variant != nullptr && inst.variant->spec->mnemonic == "fma";
  });
  return static_cast<int>(ffma) / loop.ffma;
}

TEST(UnrollLoops, UpToTheSizesThatPtxasUnrolls) {
  std::ifstream file(kListings + "unrolled_loops.txt");
  int loops = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) {
      continue;
    }
    const int most = std::stoi(line);
    const std::string body = line.substr(line.find('|') + 1);
    EXPECT_EQ(copies({body, most}), 5) << line;
    EXPECT_EQ(copies({body, most + 1}), 1) << line;
    ++loops;
  }
  EXPECT_GT(loops, 10);
}

TEST(UnrollLoops, OnlyWhereTheStepIsAConstant) {
  const std::string until = " setp.lt.s32 %p1, %r5, %r1;";
  EXPECT_EQ(copies({"", 4, "mov.u32 %r5, %r2;", "add.s32 %r5, %r5, 128;" + until}), 5);
  EXPECT_EQ(copies({"", 4, "mov.u32 %r5, %r2;", "add.s32 %r5, %r5, %r2;" + until}), 1);
  EXPECT_EQ(copies({"", 4, "", "shr.u32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0;"}), 1);
}

TEST(UnrollLoops, NotWhereAPragmaForbidsIt) {
  EXPECT_EQ(copies({".pragma \"nounroll\";", 4}), 1);
  EXPECT_EQ(copies({".pragma \"used_bytes_mask 1\";", 4}), 5);
}

TEST(UnrollLoops, NotWithADivision) { EXPECT_EQ(copies({"div.rn.f32 %f2, %f2, %f1;", 1}), 1); }

TEST(UnrollLoops, WithABarrierOnlyWhereAllLanesMakeAsManyRoundsUpToAParameter) {
  const std::string up = "add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, %r1;",
                    down = "add.s32 %r1, %r1, -1; setp.ne.s32 %p1, %r1, 0;";
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, 0;", up}), 5);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, %r2;", up}), 1);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r5, 0; shr.s32 %r1, %r1, 4;", up}), 1);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "shr.s32 %r1, %r1, 4;", down}), 5);
  EXPECT_EQ(copies({"bar.sync 0;", 4, "mov.u32 %r1, %r2;", down}), 1);
}

}  // namespace
}  // namespace hpml::sim::ir
