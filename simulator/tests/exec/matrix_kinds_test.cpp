// mma.sp and block-scaled mma against the product of the whole matrices: which lane holds which element, which bits of
// which lane say what a sparse row has kept, and where factors lie is written here as the manual's figures state it
// (PTX ISA 9.0, 9.7.14.5.14 and 9.7.14.6).
#include <fmt/format.h>

#include <array>

#include "simulator/tests/exec/matrix_reference.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

using isa::Scale;

// Each lane loads its words of `in`, runs the instruction and stores d behind them.
std::string kinds_kernel(const MatrixForm& f, const std::string& op, const std::string& more, int more_words) {
  const int in = f.regs_a + f.regs_b + f.regs_c + more_words, words = in + f.regs_d;
  std::string text = fmt::format(
      ".visible .entry k(.param .u64 p) {{\n.reg .b32 %t, %a<8>, %b<8>, %c<8>, %d<8>, %m<4>; .reg .b64 %x, %y;\n"
      "mov.u32 %t, %tid.x; ld.param.u64 %x, [p]; mul.wide.u32 %y, %t, {}; add.u64 %x, %x, %y;\n",
      4 * words);
  int at = 0;
  for (const auto& [name, count] :
       {std::pair{'a', int{f.regs_a}}, {'b', int{f.regs_b}}, {'c', int{f.regs_c}}, {'m', more_words}}) {
    for (int i = 0; i < count; ++i) {
      text += fmt::format("ld.global.b32 %{}{}, [%x+{}];\n", name, i, 4 * at++);
    }
  }
  text += fmt::format("{} {}, {}, {}, {}, {};\n", op, list("%d", f.regs_d), list("%a", f.regs_a), list("%b", f.regs_b),
                      list("%c", f.regs_c), more);
  for (int i = 0; i < f.regs_d; ++i) {
    text += fmt::format("st.global.b32 [%x+{}], %d{};\n", 4 * at++, i);
  }
  return text + "ret;\n}\n";
}

// Words of the 32 lanes, lane by lane.
struct RegisterRow {
  int words;
  std::vector<uint32_t> v;
  explicit RegisterRow(int n) : words(n), v(static_cast<size_t>(32 * n)) {}
  uint32_t& at(int lane, int word) { return v[static_cast<size_t>(lane * words + word)]; }
};

void set_element(RegisterRow& lanes, int lane, int first_word, int index, Element type, double value) {
  const int bits = isa::bits(type), bit = index * bits;
  lanes.at(lane, first_word + bit / 32) |= static_cast<uint32_t>(to_bits(type, value)) << bit % 32;
}

// Row and column of element `index` of a lane: `per` neighbours in a register, rows g and g + 8 in turn.
struct Spot {
  int row, col;
};
Spot of_a(int lane, int index, int per) {
  const int reg = index / per;
  return {lane / 4 + 8 * (reg % 2), reg / 2 * 4 * per + lane % 4 * per + index % per};
}
Spot of_b(int lane, int index, int per) { return {index / per * 4 * per + lane % 4 * per + index % per, lane / 4}; }
Spot of_sum(int lane, int index) { return {lane / 4 + 8 * (index / 2), lane % 4 * 2 + index % 2}; }

void fill(RegisterRow& lanes, const MatrixForm& f, const Matrix& a, const Matrix& b, const Matrix& c) {
  const int per_a = 32 / isa::bits(f.a), per_b = 32 / isa::bits(f.b);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < f.regs_a * per_a; ++i) {
      const Spot p = of_a(lane, i, per_a);
      set_element(lanes, lane, 0, i, f.a, a.at(p.row, p.col));
    }
    for (int i = 0; i < f.regs_b * per_b; ++i) {
      const Spot p = of_b(lane, i, per_b);
      set_element(lanes, lane, f.regs_a, i, f.b, b.at(p.row, p.col));
    }
    for (int i = 0; i < 4; ++i) {
      const Spot p = of_sum(lane, i);
      set_element(lanes, lane, f.regs_a + f.regs_b, i, f.c, c.at(p.row, p.col));
    }
  }
}

void expect_sums(const std::string& op, RegisterRow& lanes, const MatrixForm& f, int first_word,
                 const Matrix& expected) {
  const int bits = isa::bits(f.d);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      const uint64_t raw = lanes.at(lane, first_word + i * bits / 32) >> i * bits % 32 & ((uint64_t{1} << bits) - 1);
      const Spot p = of_sum(lane, i);
      ASSERT_EQ(from_bits(f.d, raw), expected.at(p.row, p.col)) << op << " lane " << lane << " element " << i;
    }
  }
}

RegisterRow run_lanes(const std::string& text, const RegisterRow& in, int threads = 32) {
  PtxRig rig(text);
  const uint64_t address = rig.upload(in.v);
  const Grid& grid = rig.run("k", {1, 1, 1}, {static_cast<uint32_t>(threads), 1, 1}, {address});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  RegisterRow out = in;
  out.v = rig.download<uint32_t>(address, in.v.size());
  return out;
}

// A row: of every `chunk` columns, the `kept` ones in ascending order that it stores; metadata bits of the chunk.
struct Pattern {
  int chunk, bits;
  std::vector<int> columns;
  uint32_t metadata;
};
Pattern pattern_of(Element type, std::mt19937& random) {
  const auto pick = [&](int n) { return std::uniform_int_distribution(0, n - 1)(random); };
  if (type == Element::tf32) {
    const int one = pick(2);
    return {2, 4, {one}, one == 0 ? 0b0100u : 0b1110u};
  }
  const int first = pick(3), second = first + 1 + pick(3 - first);
  const uint32_t metadata = static_cast<uint32_t>(first | second << 2);
  if (isa::bits(type) == 4) {
    return {8, 4, {2 * first, 2 * first + 1, 2 * second, 2 * second + 1}, metadata};
  }
  return {4, 4, {first, second}, metadata};
}

// Where bit `bit` of row `row` of the metadata lies, figures of 9.7.14.6.1.
struct MetadataPlace {
  int lane, bit;
};
MetadataPlace metadata_place(const std::string& shape, Element type, int selector, int row, int bit) {
  const int group = row % 8 * 4, lower = row >= 8 ? 1 : 0;
  const bool words16 = isa::bits(type) >= 16;
  if (words16 && (shape == "m16n8k16" ? type != Element::tf32 : shape == "m16n8k8")) {
    return {group + selector, bit + 16 * lower};  // one lane of four
  }
  if (words16) {
    return {group + 2 * selector + bit / 16, bit % 16 + 16 * lower};  // lanes 0, 1 or 2, 3
  }
  if (shape == "m16n8k32" || (shape == "m16n8k64" && isa::bits(type) == 4)) {
    return {group + 2 * selector + lower, bit};  // row g in the first, g + 8 in the second
  }
  return {group + lower + bit / 32 * 2, bit % 32};  // all lanes
}

TEST(SparseMatrix, MultipliesWhatTheMetadataSaysIsThere) {
  std::mt19937 random(3);
  const auto all = forms_where([](const MatrixForm& f) { return f.sparse && f.op == MatrixOp::multiply; });
  ASSERT_EQ(all.size(), 110u);
  for (const isa::Variant* v : all) {
    const MatrixForm& f = *v->matrix;
    const std::string shape = fmt::format("m{}n{}k{}", f.m, f.n, f.k), op = dotted(*v, false, true);
    const bool halves = isa::bits(f.a) >= 16, one_lane = f.k * isa::bits(f.a) == 256 && halves;
    const int selectors = one_lane ? 4 : f.k * isa::bits(f.a) == 512 && halves ? 2 : f.regs_a == 2 ? 2 : 1;
    for (int selector = 0; selector < selectors; ++selector) {
      const Matrix b = random_matrix(f.k, f.n, f.b, random), c = random_matrix(f.m, f.n, f.c, random);
      Matrix whole(f.m, f.k), stored(f.m, f.k / 2);
      RegisterRow in(f.regs_a + f.regs_b + f.regs_c + 1 + f.regs_d);
      for (int row = 0; row < f.m; ++row) {
        int next = 0, bit = 0;
        for (int from = 0; from < f.k;) {
          const Pattern pattern = pattern_of(f.a, random);
          for (const int column : pattern.columns) {
            whole.at(row, from + column) = stored.at(row, next++) = small_number(f.a, random);
          }
          for (int i = 0; i < pattern.bits; ++i, ++bit) {
            const MetadataPlace p = metadata_place(shape, f.a, selector, row, bit);
            in.at(p.lane, f.regs_a + f.regs_b + f.regs_c) |= (pattern.metadata >> i & 1) << p.bit;
          }
          from += pattern.chunk;
        }
      }
      fill(in, f, stored, b, c);
      RegisterRow out = run_lanes(kinds_kernel(f, op, fmt::format("%m0, {}", selector), 1), in);
      expect_sums(op, out, f, f.regs_a + f.regs_b + f.regs_c + 1, product(f, whole, b, c));
    }
  }
}

// What a sparse row has not kept meets nothing: an infinity of b there is no NaN.
TEST(SparseMatrix, IgnoresWhatMeetsNoStoredElement) {
  const auto all = forms_where([](const MatrixForm& f) {
    return f.sparse && f.op == MatrixOp::multiply && f.a == Element::f16 && f.k == 16 && f.d == Element::f32;
  });
  const MatrixForm& f = *all.front()->matrix;
  RegisterRow in(f.regs_a + f.regs_b + f.regs_c + 1 + f.regs_d);
  for (int lane = 0; lane < 32; ++lane) {
    in.at(lane, 2) = lane % 2 == 0 ? 0x3c00'3c00 : 0x7c00'7c00;  // columns 0, 1 of four are 1, columns 2, 3 infinite
    in.at(lane, 3) = in.at(lane, 2);
    in.at(lane, 0) = in.at(lane, 1) = 0x4000'4000;
    in.at(lane, 8) = 0x4444'4444;  // columns 0 and 1 are kept
  }
  RegisterRow out = run_lanes(kinds_kernel(f, dotted(*all.front(), false, true), "%m0, 0", 1), in);
  Matrix expected(16, 8);
  expected.v.assign(expected.v.size(), 16);
  expect_sums("mma.sp", out, f, 9, expected);
}

double factor_of(Scale scale, uint32_t raw) {
  return scale == Scale::ue8m0 ? std::ldexp(1, static_cast<int>(raw) - 127) : bits_float(raw, 4, 3);
}

TEST(ScaledMatrix, MultipliesEveryBlockByItsFactors) {
  std::mt19937 random(4);
  const auto all = forms_where([](const MatrixForm& f) { return f.scale != Scale::none; });
  ASSERT_EQ(all.size(), 28u);
  for (const isa::Variant* v : all) {
    const MatrixForm& f = *v->matrix;
    const int blocks = f.scale_blocks, byte = blocks == 4 ? 0 : blocks == 2 ? 2 : 3, thread_a = 1, thread_b = 2;
    const std::string op = dotted(*v, false, true);
    const Matrix a = random_matrix(f.m, f.k, f.a, random), b = random_matrix(f.k, f.n, f.b, random),
                 c = random_matrix(f.m, f.n, f.c, random);
    const auto raw_factor = [&] {
      return f.scale == Scale::ue8m0 ? std::uniform_int_distribution(126u, 129u)(random)
                                     : std::uniform_int_distribution(0x30u, 0x44u)(random);
    };
    RegisterRow in(f.regs_a + f.regs_b + f.regs_c + 2 + f.regs_d);
    Matrix scaled_a = a, scaled_b = b;
    for (int row = 0; row < f.m; ++row) {
      for (int block = 0; block < blocks; ++block) {
        const uint32_t raw = raw_factor();
        in.at(row % 8 * 4 + 2 * thread_a + row / 8, f.regs_a + f.regs_b + f.regs_c) |= raw << 8 * (byte + block);
        for (int k = block * f.k / blocks; k < (block + 1) * f.k / blocks; ++k) {
          scaled_a.at(row, k) *= factor_of(f.scale, raw);
        }
      }
    }
    for (int col = 0; col < f.n; ++col) {
      for (int block = 0; block < blocks; ++block) {
        const uint32_t raw = raw_factor();
        in.at(col * 4 + thread_b, f.regs_a + f.regs_b + f.regs_c + 1) |= raw << 8 * (byte + block);
        for (int k = block * f.k / blocks; k < (block + 1) * f.k / blocks; ++k) {
          scaled_b.at(k, col) *= factor_of(f.scale, raw);
        }
      }
    }
    fill(in, f, a, b, c);
    RegisterRow out = run_lanes(
        kinds_kernel(f, op, fmt::format("%m0, {{{0}, {1}}}, %m1, {{{0}, {2}}}", byte, thread_a, thread_b), 2), in);
    expect_sums(op, out, f, f.regs_a + f.regs_b + f.regs_c + 2, product(f, scaled_a, scaled_b, c));
  }
}

}  // namespace
}  // namespace hpml::sim::exec
