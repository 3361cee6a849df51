// Do the compilers' debug sections become the types, functions and places that the source has?
#include "simulator/debug_info/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "simulator/debug_info/sections.hpp"
#include "simulator/tests/fuzz/debug_info_fuzz.hpp"

namespace hpml::sim::debug_info {
namespace {

std::string text_of(const std::string& name) {
  std::ifstream in(std::string(HPML_SOURCE_DIR) + "/simulator/tests/debug_info/data/" + name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class PairCompiledBy : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto read = read_symbols(text_of(GetParam()), GetParam());
    ASSERT_TRUE(read.ok()) << read.error().to_string();
    symbols = std::move(*read);
  }
  const Function& function(const std::string& name) const {
    const auto found = std::ranges::find_if(symbols.functions, [&](const Function& f) { return f.name == name; });
    EXPECT_NE(found, symbols.functions.end()) << name;
    return *found;
  }
  static const Variable* find(const Scope& scope, const std::string& name) {
    for (const Variable& variable : scope.variables) {
      if (variable.name == name) {
        return &variable;
      }
    }
    for (const Scope& inner : scope.scopes) {
      if (const Variable* found = find(inner, name)) {
        return found;
      }
    }
    return nullptr;
  }
  const Type& type(TypeId id) const { return symbols.types.at(static_cast<size_t>(id)); }

  Symbols symbols;
};

TEST_P(PairCompiledBy, HasItsFunctionsByTheNamesOfTheSourceAndOfPtx) {
  EXPECT_EQ(function("kernel").linkage_name, "kernel");
  EXPECT_EQ(function("scale").linkage_name, "_Z5scalef4Pair");
  EXPECT_EQ(function("scale").line, 8);
}

TEST_P(PairCompiledBy, CoversTheLinesOfPtxThatAFunctionHas) {
  const std::string text = text_of(GetParam());
  const auto line_of_text = [&](const std::string& words) {
    return static_cast<int>(
               std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(words)), '\n')) +
           1;
  };
  const Scope& scope = function("kernel").scope;
  EXPECT_GT(scope.first_line, line_of_text(".entry kernel"));
  EXPECT_LT(scope.first_line, scope.end_line);
  EXPECT_LT(scope.end_line, line_of_text(".section"));
}

TEST_P(PairCompiledBy, DescribesAStructureWithItsMembersAndBitFields) {
  const Variable* p = find(function("kernel").scope, "p");
  ASSERT_NE(p, nullptr);
  const Type& pair = type(p->type);
  ASSERT_EQ(pair.kind, TypeKind::structure);
  EXPECT_EQ(pair.name, "Pair");
  ASSERT_EQ(pair.members.size(), 4U);
  EXPECT_EQ(pair.members[1].name, "n");
  EXPECT_EQ(pair.members[1].offset, 4U);
  EXPECT_EQ(type(pair.members[1].type).kind, TypeKind::array);
  EXPECT_EQ(type(pair.members[1].type).extents, std::vector<uint64_t>{3});
  EXPECT_EQ(pair.members[2].bit_size, 4);
  EXPECT_EQ(pair.members[2].offset * 8 + static_cast<uint64_t>(pair.members[2].bit_offset), 128U);
  EXPECT_EQ(pair.members[3].offset * 8 + static_cast<uint64_t>(pair.members[3].bit_offset), 132U);
}

TEST_P(PairCompiledBy, PlacesSharedLocalAndGlobalVariablesBySymbol) {
  const Variable* tile = find(function("kernel").scope, "tile");
  ASSERT_NE(tile, nullptr);
  ASSERT_EQ(tile->places.size(), 1U);
  EXPECT_EQ(tile->places[0].kind, PlaceKind::memory);
  EXPECT_NE(tile->places[0].name.find("tile"), std::string::npos);
  EXPECT_EQ(type(tile->type).extents, (std::vector<uint64_t>{2, 33}));
  const Variable* local = find(function("kernel").scope, "local");
  ASSERT_NE(local, nullptr);
  EXPECT_EQ(local->places.at(0).name.substr(0, 13), "__local_depot");
  const auto counter = std::ranges::find_if(symbols.globals, [](const Variable& v) { return v.name == "counter"; });
  ASSERT_NE(counter, symbols.globals.end());
  EXPECT_EQ(counter->places.at(0).name, "counter");
}

TEST_P(PairCompiledBy, FollowsATypedefAndAnEnumeration) {
  const Variable* r = find(function("scale").scope, "r");
  ASSERT_NE(r, nullptr);
  EXPECT_EQ(type(r->type).name, "Real");
  EXPECT_EQ(type(type(r->type).target).kind, TypeKind::floating);
  const Variable* color = find(function("kernel").scope, "color");
  ASSERT_NE(color, nullptr);
  ASSERT_EQ(type(color->type).enumerators.size(), 2U);
  EXPECT_EQ(type(color->type).enumerators[1].value, 5);
}

INSTANTIATE_TEST_SUITE_P(Both, PairCompiledBy, testing::Values("pair_clang.ptx", "pair_nvcc.ptx"));

TEST(NvccOptimised, NamesRegistersAndTheLinesWhereTheyHoldAVariable) {
  const auto symbols = read_symbols(text_of("pair_nvcc.ptx"), "pair");
  ASSERT_TRUE(symbols.ok());
  for (const Function& function : symbols->functions) {
    if (function.name != "scale") {
      continue;
    }
    for (const Variable& variable : function.scope.variables) {
      if (variable.name == "v") {
        ASSERT_FALSE(variable.places.empty());
        EXPECT_EQ(variable.places[0].kind, PlaceKind::in_register);
        EXPECT_EQ(variable.places[0].name.substr(0, 2), "%f");
        return;
      }
    }
  }
  FAIL() << "no parameter v";
}

TEST(WithoutDebugInformation, ThereAreNoFunctionsAndNoError) {
  const auto symbols = read_symbols(".version 7.5\n.target sm_70\n.entry k()\n{\n\tret;\n}\n", "plain");
  ASSERT_TRUE(symbols.ok());
  EXPECT_TRUE(symbols->functions.empty());
}

TEST(Sections, TakeLabelsAsLinesAndSymbolsAsPlaces) {
  const auto read = read_sections("L1:\n\n.section .debug_loc {\n.b64 L1\n.b64 tile+8\n.b16 1,2\n}\n", "text");
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const std::vector<std::byte>& bytes = read->bytes.at(".debug_loc");
  ASSERT_EQ(bytes.size(), 20U);
  EXPECT_EQ(bytes[0], std::byte{1});
  EXPECT_EQ(bytes[8], std::byte{8});
  EXPECT_EQ(bytes[15], std::byte{0x40});
  EXPECT_EQ(bytes[18], std::byte{2});
  EXPECT_EQ(read->symbols, std::vector<std::string>{"tile"});
}

TEST(Sections, RefuseWhatIsNoDataWithItsLine) {
  const auto read = read_sections(".section .debug_info {\n.b8 1\nadd.u32 %r1, 1;\n}\n", "text");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().pos.line, 3);
  EXPECT_FALSE(read_sections(".section .debug_info {\n.b8 1\n", "text").ok());
}

TEST(Robustness, DamagedSectionsEndInNoCrash) {
  for (const char* name : {"pair_clang.ptx", "pair_nvcc.ptx"}) {
    std::string text = text_of(name);
    const size_t start = text.find(".section");
    uint32_t random = 1;
    for (int i = 0; i < 60; ++i) {
      std::string damaged = text;
      for (int k = 0; k < 20; ++k) {
        random = random * 1664525 + 1013904223;
        char& c = damaged[start + random % (damaged.size() - start)];
        c = c >= '0' && c <= '9' ? static_cast<char>('0' + random / 65536 % 10) : c;
      }
      fuzz_debug_info(damaged);
    }
    fuzz_debug_info(text.substr(0, text.size() / 2));
  }
}

}  // namespace
}  // namespace hpml::sim::debug_info
