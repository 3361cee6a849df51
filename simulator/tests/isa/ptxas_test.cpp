// Does NVIDIA's assembler accept the same instructions as decode()? Every op of the vector files, its neighbours (a
// modifier more, less or other; another type), and a table of memory, barrier and warp instructions: one PTX line each,
// with the verdicts compared. Skipped where ptxas is not installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <set>

#include "simulator/isa/decode.hpp"
#include "simulator/tests/isa/vector_file.hpp"

namespace hpml::sim::isa {
namespace {

struct Line {
  std::string op, operands;
  size_t count = 0;  // top-level operands, a|b counted as two
};

std::string ptxas_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/ptxas").c_str(), X_OK) == 0) {
      return folder + "/ptxas";
    }
  }
  return {};
}

// The register of an operand: %p0, %h1 (16 bits), %r2, %d3, %q4; floats have their own: %f, %g.
std::string register_of(Ty type, size_t number) {
  const std::string n = std::to_string(number);
  switch (bits(type)) {
    case 1: return "%p" + n;
    case 8:
    case 16: return "%h" + n;
    case 32: return (type == Ty::f32 ? "%f" : "%r") + n;
    case 64: return (type == Ty::f64 ? "%g" : "%d") + n;
    default: return "%q" + n;
  }
}

// A line with registers that suit `variant`; cvt of 8-bit types works in wider registers, but that of e2m1x2 in those
// of eight bits; lop3 takes its table as a number and names both its destinations.
Line line_for(const std::string& op, const Variant& variant) {
  Line line{op, "", 0};
  const auto add = [&line](const std::string& operand) { line.operands += (line.count++ == 0 ? "" : ", ") + operand; };
  const bool eight_bits = op.find("e2m1x2") != op.npos;
  const auto reg = [eight_bits](Ty type, size_t i) {
    return eight_bits && bits(type) == 16 ? "%c" + std::to_string(i) : register_of(type, i);
  };
  const bool lop3 = op.starts_with("lop3");
  if (lop3 && variant.dst_count == 2) {
    add("%r0|%p1");
    ++line.count;
  } else if (variant.dst_count > 0) {
    add(reg(variant.dst[0].type, 0));
  }
  const int sources = variant.src_count - (variant.selectors != Selectors::none ? 1 : 0);
  for (size_t i = 0; i < static_cast<size_t>(sources); ++i) {
    add(lop3 && i == 3 ? "0x96" : reg(variant.src[i].type, 4 + i));
  }
  return line;
}

bool we_accept(const Line& line) {
  const auto [root, words] = words_of_op(line.op);
  return decode(root, words, line.count).ok();
}

// The indices of the lines that ptxas refuses. It stops after some number of errors, so the refused lines are taken out
// and the rest is tried again until all is accepted.
std::set<size_t> refused_by_ptxas(const std::string& ptxas, const std::vector<Line>& lines) {
  std::set<size_t> refused;
  const std::string base = testing::TempDir() + "hpml_isa_" + std::to_string(getpid());
  for (int round = 0; round < 400; ++round) {
    std::ofstream out(base + ".ptx");
    out << ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p0) {\n.reg .pred %p<16>; "
           ".reg .b8 %c<16>; .reg .b16 %h<16>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .b128 %q<16>; "
           ".reg .f32 %f<16>; .reg .f64 %g<16>;\n";
    constexpr size_t kHeader = 5;
    for (size_t i = 0; i < lines.size(); ++i) {
      out << (refused.contains(i) ? "" : lines[i].op + " " + lines[i].operands + ";") << "\n";
    }
    out << "ret;\n}\n";
    out.close();
    const std::string command = ptxas + " -arch=sm_100a -O0 -o /dev/null " + base + ".ptx 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (char buffer[4096]; std::fgets(buffer, sizeof buffer, pipe) != nullptr;) {
      output += buffer;
    }
    const int status = pclose(pipe);
    const size_t before = refused.size();
    const std::regex error_line("line ([0-9]+); (error|fatal)");
    for (std::sregex_iterator it(output.begin(), output.end(), error_line), end; it != end; ++it) {
      refused.insert(static_cast<size_t>(std::stoul((*it)[1].str())) - kHeader - 1);
    }
    if (status == 0 || refused.size() == before) {
      EXPECT_EQ(status, 0) << output.substr(0, 2000);
      break;
    }
  }
  std::remove((base + ".ptx").c_str());
  return refused;
}

std::string join(const std::string& root, const std::vector<std::string>& words) {
  std::string op = root;
  for (const std::string& word : words) {
    op += "." + word;
  }
  return op;
}

// One word away from a legal op: a word dropped, another type or rounding, a modifier added.
std::vector<std::string> neighbours(const std::string& op) {
  const auto [root, words] = words_of_op(op);
  std::vector<std::string> out;
  for (size_t i = 0; i < words.size(); ++i) {
    std::vector<std::string> changed = words;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    out.push_back(join(root, changed));
    if (parse_type(words[i])) {
      for (const char* type : {"u16", "s32", "u64", "b32", "f32", "f64", "f16", "pred"}) {
        changed = words;
        changed[i] = type;
        out.push_back(join(root, changed));
      }
    }
  }
  // Before the types: ptxas insists on its order of modifiers, decode() does not. (A word given twice ptxas tolerates.)
  const auto first_type = std::find_if(words.begin(), words.end(), [](const std::string& w) { return parse_type(w); });
  for (const char* word : {"ftz", "sat", "rn", "rz", "rni", "approx", "NaN", "cc", "lo", "hi", "eq", "wrap", "full"}) {
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      continue;
    }
    std::vector<std::string> changed = words;
    changed.insert(changed.begin() + (first_type - words.begin()), word);
    out.push_back(join(root, changed));
  }
  return out;
}

bool has_lane_form(const std::string& op) {
  return !op.starts_with("__nv_") && !op.starts_with("mov.pack") && !op.starts_with("mov.unpack") &&
         !changes_memory(op);
}

// What ptxas takes beyond the manual: an operation without its word, .sat or .ftz where it says nothing, signed
// addresses.
bool is_tolerated_by_ptxas_only(const std::string& op) {
  static const std::regex kTolerated(
      "(addc|subc|madc\\.hi)\\.sat\\.s32|testp\\.f(32|64)|(mapa|getctarank)\\.s32|fma\\.rn\\.oob\\.sat\\.f16(x2)?");
  return std::regex_match(op, kTolerated);
}

// A legal op's line, and the same operands under each neighbouring op that decode() knows a variant for or refuses; the
// neighbours of one op of each variant.
std::vector<Line> lane_lines(bool with_neighbours) {
  std::vector<Line> lines;
  std::set<std::string> seen;
  std::set<const Variant*> tried;
  for (const auto& [op, rows] : vectors()) {
    if (!has_lane_form(op)) {
      continue;
    }
    const auto [root, words] = words_of_op(op);
    const size_t hidden = root[0] == 'v' ? 1 : 0;  // the parts of a video instruction's operands
    const size_t operands = rows.front().inputs + rows.front().outputs - hidden;
    const auto legal = decode(root, words, operands);
    if (!legal.ok()) {
      ADD_FAILURE() << legal.error();
      continue;
    }
    lines.push_back(line_for(op, *legal->variant));
    seen.insert(op);
    if (!with_neighbours || !tried.insert(legal->variant).second) {
      continue;
    }
    const Line base = lines.back();
    for (const std::string& other : neighbours(op)) {
      if (!seen.insert(other).second || is_tolerated_by_ptxas_only(other)) {
        continue;
      }
      const auto [other_root, other_words] = words_of_op(other);
      const auto decoded = decode(other_root, other_words, base.count);
      lines.push_back(decoded.ok() ? line_for(other, *decoded->variant) : Line{other, base.operands, base.count});
    }
  }
  return lines;
}

class Ptxas : public testing::Test {
 protected:
  void SetUp() override {
    path_ = ptxas_path();
    if (path_.empty()) {
      GTEST_SKIP() << "no ptxas on this machine";
    }
    if (std::system((path_ + " --help | grep -q sm_100a").c_str()) != 0) {
      GTEST_SKIP() << path_ << " is older than PTX ISA 9.0";
    }
  }
  // Prints each line on which the verdicts differ.
  void compare(const std::vector<Line>& lines) {
    constexpr size_t kAtOnce = 400;  // it takes some rounds to find all that it refuses of a file
    for (size_t first = 0; first < lines.size(); first += kAtOnce) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<Line> some(begin, begin + static_cast<std::ptrdiff_t>(std::min(kAtOnce, lines.size() - first)));
      const std::set<size_t> refused = refused_by_ptxas(path_, some);
      for (size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(we_accept(some[i]), !refused.contains(i))
            << some[i].op << " " << some[i].operands
            << (refused.contains(i) ? ": ptxas refuses it" : ": ptxas accepts it");
      }
    }
  }
  std::string path_;
};

TEST_F(Ptxas, AcceptsEveryLaneInstruction) { compare(lane_lines(false)); }

TEST_F(Ptxas, AgreesOnNeighboursOfLaneInstructions) { compare(lane_lines(true)); }

// The instructions with one predicate as their result, given two.
TEST_F(Ptxas, AgreesOnTheComplementOfAPredicate) {
  std::vector<Line> lines;
  for (Line line : lane_lines(false)) {
    if (line.operands.starts_with("%p0, ")) {
      line.operands.insert(3, "|%p1");
      ++line.count;
      lines.push_back(line);
    }
  }
  ASSERT_GT(lines.size(), 100u);
  compare(lines);
}

// Legal and illegal forms of what has no vectors.
TEST_F(Ptxas, AgreesOnMemoryBarrierAndWarpInstructions) {
  const std::vector<Line> lines = {{"ld.global.f32", "%f0, [%d0]", 2},
                                   {"ld.global.nc.v4.f32", "{%f0,%f1,%f2,%f3}, [%d0]", 2},
                                   {"ld.shared.v2.u64", "{%d1,%d2}, [%d0]", 2},
                                   {"ld.shared.v4.u64", "{%d1,%d2,%d3,%d4}, [%d0]", 2},
                                   {"ld.global.b128", "%q0, [%d0]", 2},
                                   {"ld.global.v2.b128", "{%q0,%q1}, [%d0]", 2},
                                   {"ld.global.v4.f64", "{%g0,%g1,%g2,%g3}, [%d0]", 2},
                                   {"ld.shared.v4.f64", "{%g0,%g1,%g2,%g3}, [%d0]", 2},
                                   {"ld.global.v8.f32", "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, [%d0]", 2},
                                   {"st.global.v8.b32", "[%d0], {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}", 2},
                                   {"ld.shared::cluster.u32", "%r0, [%d0]", 2},
                                   {"ld.u8", "%r0, [%d0]", 2},
                                   {"ld.local.s16", "%r0, [%d0]", 2},
                                   {"ld.const.b32", "%r0, [%d0]", 2},
                                   {"ld.param.u64", "%d1, [p0]", 2},
                                   {"ld.volatile.global.u32", "%r0, [%d0]", 2},
                                   {"ld.relaxed.gpu.global.u32", "%r0, [%d0]", 2},
                                   {"ld.acquire.sys.u32", "%r0, [%d0]", 2},
                                   {"ld.relaxed.global.u32", "%r0, [%d0]", 2},
                                   {"ld.release.gpu.u32", "%r0, [%d0]", 2},
                                   {"ld.shared.nc.u32", "%r0, [%d0]", 2},
                                   {"ld.global.ca.u32", "%r0, [%d0]", 2},
                                   {"ld.global.cv.u32", "%r0, [%d0]", 2},
                                   {"ld.global.wb.u32", "%r0, [%d0]", 2},
                                   {"ld.global.nc.L1::no_allocate.L2::128B.u32", "%r0, [%d0]", 2},
                                   {"ld.global.pred", "%p0, [%d0]", 2},
                                   {"ld.global.f16", "%h0, [%d0]", 2},
                                   {"ldu.global.f32", "%f0, [%d0]", 2},
                                   {"ldu.shared.f32", "%f0, [%d0]", 2},
                                   {"ld.mmio.relaxed.sys.global.u32", "%r0, [%d0]", 2},
                                   {"st.global.v4.f32", "[%d0], {%f0,%f1,%f2,%f3}", 2},
                                   {"st.shared.u8", "[%d0], %r0", 2},
                                   {"st.const.u32", "[%d0], %r0", 2},
                                   {"st.global.wt.u32", "[%d0], %r0", 2},
                                   {"st.global.ca.u32", "[%d0], %r0", 2},
                                   {"st.release.gpu.u32", "[%d0], %r0", 2},
                                   {"st.acquire.gpu.u32", "[%d0], %r0", 2},
                                   {"st.volatile.shared.u32", "[%d0], %r0", 2},
                                   {"prefetch.global.L2", "[%d0]", 1},
                                   {"prefetch.L1", "[%d0]", 1},
                                   {"prefetch.shared.L1", "[%d0]", 1},
                                   {"prefetchu.L1", "[%d0]", 1},
                                   {"prefetch.global.L2::evict_last", "[%d0]", 1},
                                   {"applypriority.global.L2::evict_normal", "[%d0], 128", 2},
                                   {"cvta.global.u64", "%d1, %d0", 2},
                                   {"cvta.to.shared.u64", "%d1, %d0", 2},
                                   {"cvta.u64", "%d1, %d0", 2},
                                   {"isspacep.global", "%p0, %d0", 2},
                                   {"isspacep.local", "%p0, %d0", 2},
                                   {"atom.global.add.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.add.s32", "%r0, [%d0], %r1", 3},
                                   {"atom.add.u64", "%d1, [%d0], %d2", 3},
                                   {"atom.add.s64", "%d1, [%d0], %d2", 3},
                                   {"atom.shared.add.f32", "%f0, [%d0], %f1", 3},
                                   {"atom.add.f64", "%g0, [%d0], %g1", 3},
                                   {"atom.add.noftz.f16x2", "%r0, [%d0], %r1", 3},
                                   {"atom.add.noftz.f16", "%h0, [%d0], %h1", 3},
                                   {"atom.add.noftz.bf16x2", "%r0, [%d0], %r1", 3},
                                   {"atom.add.f16x2", "%r0, [%d0], %r1", 3},
                                   {"atom.min.s64", "%d1, [%d0], %d2", 3},
                                   {"atom.max.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.max.f32", "%f0, [%d0], %f1", 3},
                                   {"atom.inc.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.inc.s32", "%r0, [%d0], %r1", 3},
                                   {"atom.dec.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.exch.b32", "%r0, [%d0], %r1", 3},
                                   {"atom.exch.b64", "%d1, [%d0], %d2", 3},
                                   {"atom.cas.b16", "%h0, [%d0], %h1, %h2", 4},
                                   {"atom.cas.b32", "%r0, [%d0], %r1, %r2", 4},
                                   {"atom.and.b32", "%r0, [%d0], %r1", 3},
                                   {"atom.xor.b64", "%d1, [%d0], %d2", 3},
                                   {"atom.and.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.local.add.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.acq_rel.gpu.global.add.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.global.cta.add.u32", "%r0, [%d0], %r1", 3},
                                   {"atom.global.exch.b128", "%q0, [%d0], %q1", 3},
                                   {"atom.shared.cas.b128", "%q0, [%d0], %q1, %q2", 4},
                                   {"atom.global.add.v4.f32", "{%f0,%f1,%f2,%f3}, [%d0], {%f4,%f5,%f6,%f7}", 3},
                                   {"atom.shared.add.v2.f32", "{%f0,%f1}, [%d0], {%f4,%f5}", 3},
                                   {"atom.global.max.noftz.v2.bf16x2", "{%r0,%r1}, [%d0], {%r2,%r3}", 3},
                                   {"atom.global.min.noftz.v2.f16", "{%h0,%h1}, [%d0], {%h2,%h3}", 3},
                                   {"atom.global.min.v2.f32", "{%f0,%f1}, [%d0], {%f4,%f5}", 3},
                                   {"atom.global.add.L2::cache_hint.u32", "%r0, [%d0], %r1, %d1", 4},
                                   {"red.global.add.noftz.v4.f16x2", "[%d0], {%r0,%r1,%r2,%r3}", 2},
                                   {"red.global.add.f32", "[%d0], %f0", 2},
                                   {"red.relaxed.gpu.add.u64", "[%d0], %d1", 2},
                                   {"red.acquire.gpu.add.u64", "[%d0], %d1", 2},
                                   {"red.exch.b32", "[%d0], %r1", 2},
                                   {"red.or.b32", "[%d0], %r1", 2},
                                   {"bar.sync", "0", 1},
                                   {"bar.sync", "%r0, %r1", 2},
                                   {"bar.cta.sync", "0", 1},
                                   {"bar.arrive", "1, 64", 2},
                                   {"bar.arrive", "1", 1},
                                   {"barrier.sync", "0", 1},
                                   {"barrier.sync.aligned", "0, 64", 2},
                                   {"barrier.arrive", "1, 64", 2},
                                   {"bar.red.popc.u32", "%r0, 0, %p0", 3},
                                   {"bar.red.and.pred", "%p0, 0, !%p1", 3},
                                   {"bar.red.or.pred", "%p0, 0, 64, %p1", 4},
                                   {"bar.red.and.u32", "%r0, 0, %p1", 3},
                                   {"barrier.red.popc.u32", "%r0, 0, %p0", 3},
                                   {"barrier.red.aligned.or.pred", "%p0, 0, %p1", 3},
                                   {"bar.warp.sync", "0xffffffff", 1},
                                   {"membar.cta", "", 0},
                                   {"membar.gl", "", 0},
                                   {"membar.sys", "", 0},
                                   {"membar.gpu", "", 0},
                                   {"fence.sc.gpu", "", 0},
                                   {"fence.acq_rel.cta", "", 0},
                                   {"fence.relaxed.gpu", "", 0},
                                   {"fence.sc", "", 0},
                                   {"shfl.sync.idx.b32", "%r0, %r1, %r2, 31, 0xffffffff", 5},
                                   {"shfl.sync.up.b32", "%r0|%p0, %r1, %r2, 0, 0xffffffff", 6},
                                   {"shfl.sync.idx.b64", "%d0, %d1, %r2, 31, 0xffffffff", 5},
                                   {"shfl.sync.b32", "%r0, %r1, %r2, 31, 0xffffffff", 5},
                                   {"vote.sync.ballot.b32", "%r0, %p0, 0xffffffff", 3},
                                   {"vote.ballot.sync.b32", "%r0, %p0, 0xffffffff", 3},
                                   {"vote.sync.all.pred", "%p0, !%p1, 0xffffffff", 3},
                                   {"vote.sync.any.b32", "%r0, %p1, 0xffffffff", 3},
                                   {"match.any.sync.b32", "%r0, %r1, 0xffffffff", 3},
                                   {"match.sync.all.b64", "%r0|%p0, %d1, 0xffffffff", 4},
                                   {"redux.sync.add.u32", "%r0, %r1, 0xffffffff", 3},
                                   {"redux.sync.min.s32", "%r0, %r1, 0xffffffff", 3},
                                   {"redux.sync.xor.b32", "%r0, %r1, 0xffffffff", 3},
                                   {"redux.sync.xor.u32", "%r0, %r1, 0xffffffff", 3},
                                   {"redux.sync.min.abs.NaN.f32", "%f0, %f1, 0xffffffff", 3},
                                   {"redux.sync.add.f32", "%f0, %f1, 0xffffffff", 3},
                                   {"activemask.b32", "%r0", 1},
                                   {"elect.sync", "%r0|%p0, 0xffffffff", 3},
                                   {"nanosleep.u32", "%r0", 1},
                                   {"exit", "", 0},
                                   {"trap", "", 0},
                                   {"pmevent", "7", 1},
                                   {"pmevent.mask", "7", 1},
                                   {"brkpt", "", 0}};
  compare(lines);
}

}  // namespace
}  // namespace hpml::sim::isa
