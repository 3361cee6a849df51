// Does NVIDIA's assembler accept every form of the matrix instructions for its lowest target, and refuse the same
// neighbours (another shape, type or layout) as decode()? Skipped where ptxas is not installed.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/isa/decode.hpp"
#include "simulator/isa/matrix/form.hpp"
#include "simulator/tests/isa/ptxas_lines.hpp"

namespace hpml::sim::isa {
namespace {

// Registers of a list: %f for f32, %d for f64, %r for everything else.
std::string registers(Element type, int count, int first) {
  const char kind = type == Element::f32 ? 'f' : type == Element::f64 ? 'd' : 'r';
  std::string out = "{";
  for (int i = 0; i < count; ++i) {
    out += fmt::format("{}%{}{}", i == 0 ? "" : ", ", kind, first + i);
  }
  return out + "}";
}

std::string operands_of(const MatrixForm& f, size_t& count) {
  const int moved = f.part == MatrixPart::a ? f.regs_a : f.part == MatrixPart::b ? f.regs_b : f.regs_c;
  switch (f.op) {
    case MatrixOp::multiply:
      count = 4 + (f.sparse ? 2 : 0) + (f.scale != Scale::none ? 4 : 0);
      return fmt::format("{}, {}, {}, {}{}{}", registers(f.d, f.regs_d, 0), registers(f.a, f.regs_a, 8),
                         registers(f.b, f.regs_b, 16), registers(f.c, f.regs_c, 24), f.sparse ? ", %r32, 0" : "",
                         f.scale != Scale::none ? ", %r33, {0, 0}, %r34, {0, 1}" : "");
    case MatrixOp::warpgroup: {
      const bool halves = f.a == Element::f16 || f.a == Element::bf16, floats = f.d != Element::s32;
      count = 4 + (f.sparse ? 2 : 0) + (floats ? 2 : 0) + (halves ? 2 : 0);
      return fmt::format("{}, %q0, %q1{}, %p0{}{}", registers(f.d, f.regs_d, 0), f.sparse ? ", %r130, 0" : "",
                         floats ? ", 1, -1" : "", halves ? ", 0, 1" : "");
    }
    case MatrixOp::load: count = 3; return fmt::format("{}, [%q0], %r31", registers(f.a, moved, 0));
    case MatrixOp::store: count = 3; return fmt::format("[%q0], {}, %r31", registers(f.a, moved, 0));
    case MatrixOp::load8x8: count = 2; return fmt::format("{}, [%q0]", registers(f.a, f.regs_d, 0));
    case MatrixOp::store8x8: count = 2; return fmt::format("[%q0], {}", registers(f.a, f.regs_a, 0));
    case MatrixOp::transpose: count = 2; return "%r0, %r1";
  }
  return {};
}

// Every way to write the choices of a sequence.
std::vector<std::vector<std::string>> spellings(std::string_view sequence) {
  std::vector<std::vector<std::string>> out = {{}};
  std::istringstream in{std::string(sequence)};
  for (std::string word; in >> word;) {
    std::vector<std::vector<std::string>> next;
    for (const std::vector<std::string>& start : out) {
      const bool optional = word.ends_with('?');
      std::istringstream choices(optional ? word.substr(0, word.size() - 1) : word);
      for (std::string choice; std::getline(choices, choice, '|');) {
        next.push_back(start);
        next.back().push_back(choice);
      }
      if (optional) {
        next.push_back(start);
      }
    }
    out = std::move(next);
  }
  return out;
}

std::vector<Line> lines_of(const Variant& v) {
  std::vector<Line> out;
  for (const std::vector<std::string>& words : spellings(v.spec->sequence)) {
    Line line{std::string(v.spec->mnemonic), words, "", 0};
    line.operands = operands_of(*v.matrix, line.count);
    out.push_back(std::move(line));
  }
  return out;
}

// .b32 registers do for f32.
std::string untyped(std::string operands) {
  std::replace(operands.begin(), operands.end(), 'f', 'r');
  return operands;
}

// What ptxas takes beyond the manual: words it does not look at.
bool taken_by_ptxas_alone(const Line& line) {
  const auto has = [&](std::string_view word) {
    return std::find(line.words.begin(), line.words.end(), word) != line.words.end();
  };
  const bool operation_without_bits = line.root == "mma" && has("xor") && !has("b1");
  const bool layout_of_rows = line.root == "stmatrix" && (has("row") || has("col"));
  return operation_without_bits || layout_of_rows || (has("store") && has("m8n8k128") && has("f32"));
}

constexpr std::string_view kTargets[] = {"75", "80", "89", "90", "90a", "120a"};

// wgmma is of 9.0a alone, the forms from 12.0 on of 12.0a; of wgmma's widths one.
bool is_for(std::string_view target, const Variant& v) {
  const bool warpgroup = v.matrix->op == MatrixOp::warpgroup;
  return target == "90a"    ? warpgroup && v.matrix->n == 8
         : target == "120a" ? v.spec->min_sm >= 120
                            : !warpgroup && v.spec->min_sm <= 90;
}

TEST(MatrixPtxas, AcceptsEveryFormFromItsTargetOn) {
  const std::string ptxas = ptxas_path();
  if (ptxas.empty()) {
    GTEST_SKIP() << "ptxas is not installed";
  }
  for (const std::string_view target : kTargets) {
    std::vector<Line> lines;
    std::vector<bool> legal;
    for (const Variant& v : variants()) {
      for (Line& line : v.matrix != nullptr && is_for(target, v) ? lines_of(v) : std::vector<Line>{}) {
        lines.push_back(std::move(line));
        legal.push_back(std::atoi(target.data()) >= v.spec->min_sm);
      }
    }
    ASSERT_GE(lines.size(), 50u);
    const std::set<size_t> refused = refused_by_ptxas(ptxas, lines, std::string(target));
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(!refused.contains(i), legal[i]) << lines[i].text() << " for sm_" << target;
      EXPECT_TRUE(decode(lines[i].root, lines[i].words, lines[i].count).ok()) << lines[i].text();
    }
  }
}

// Another shape, type or layout in place of each, with the operands of the legal form: where ptxas accepts it, so must
// we.
TEST(MatrixPtxas, RefusesTheSameNeighbours) {
  const std::string ptxas = ptxas_path();
  if (ptxas.empty()) {
    GTEST_SKIP() << "ptxas is not installed";
  }
  std::vector<Line> lines;
  std::set<std::string> seen;
  size_t at = 0;
  for (const Variant& v : variants()) {
    if (v.matrix == nullptr || v.matrix->sparse || v.matrix->op == MatrixOp::warpgroup || v.spec->min_sm > 90 ||
        ++at % 5 != 0) {
      continue;
    }
    const Line legal = lines_of(v).front();
    for (size_t i = 0; i < legal.words.size(); ++i) {
      for (const char* other : {"row", "col", "m16n8k16", "m16n16k16", "m8n8k4", "f16", "bf16", "tf32", "f32", "s8",
                                "u4", "x2", "trans", "satfinite", "xor"}) {
        Line line = legal;
        line.words[i] = other;
        if (seen.insert(line.text()).second) {
          lines.push_back(std::move(line));
        }
      }
    }
  }
  const std::set<size_t> refused = refused_by_ptxas(ptxas, lines, "90");
  size_t legal = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto decoded = decode(lines[i].root, lines[i].words, lines[i].count);
    size_t count = 0;
    // decode() does not see the register lists; a form that wants others refuses them when it is lowered.
    const bool same_lists =
        decoded.ok() && untyped(operands_of(*decoded->variant->matrix, count)) == untyped(lines[i].operands);
    EXPECT_EQ(same_lists, !refused.contains(i) && !taken_by_ptxas_alone(lines[i]))
        << lines[i].text() << (decoded.ok() ? "" : "\n  " + decoded.error());
    legal += same_lists ? 1 : 0;
  }
  EXPECT_GT(legal, 20u);
}

}  // namespace
}  // namespace hpml::sim::isa
