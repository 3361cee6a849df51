// Matrices between memory and fragments: wmma.load, wmma.store and wmma.mma in every layout and space, ldmatrix,
// stmatrix, movmatrix (PTX ISA 9.0, 9.7.14.4, 9.7.14.5.15 to 17).
#include <fmt/format.h>

#include "simulator/tests/exec/matrix_reference.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr int kPadding = 16;  // elements between the rows of a matrix in memory, beyond its own

// Bytes of a matrix in memory: rows (or columns) `stride` elements apart.
std::vector<uint8_t> in_memory(const Matrix& m, Element type, bool columns, int stride) {
  const int bits = isa::bits(type), lines = columns ? m.cols : m.rows;
  std::vector<uint8_t> out(static_cast<size_t>(lines * stride * bits / 8));
  for (int r = 0; r < m.rows; ++r) {
    for (int c = 0; c < m.cols; ++c) {
      const uint64_t raw = to_bits(type, m.at(r, c));
      const int at = (columns ? c * stride + r : r * stride + c) * bits;
      for (int bit = 0; bit < bits; ++bit) {
        out[static_cast<size_t>((at + bit) / 8)] |= static_cast<uint8_t>((raw >> bit & 1) << ((at + bit) % 8));
      }
    }
  }
  return out;
}
double number_at(const std::vector<uint8_t>& bytes, Element type, int index) {
  const auto size = static_cast<size_t>(isa::bits(type) / 8);
  uint64_t raw = 0;
  std::memcpy(&raw, &bytes[static_cast<size_t>(index) * size], size);
  return from_bits(type, raw);
}

int stride_of(int rows, int cols, Element type, bool columns) {
  const int line = columns ? rows : cols;
  return isa::bits(type) >= 8 ? line + kPadding : line;
}

std::string registers(const std::string& name, int count) {
  std::string out = "{";
  for (int i = 0; i < count; ++i) {
    out += fmt::format("{}%{}{}", i == 0 ? "" : ", ", name, i);
  }
  return out + "}";
}

struct Layouts {
  bool a, b, c, d;
};

// load a, b, c; multiply; store d; all through memory of `space` ("" generic, ".global").
std::string wmma_kernel(const isa::Variant& v, const Layouts& cols, const std::string& space, const int (&stride)[4]) {
  const MatrixForm& f = *v.matrix;
  const std::string shape = fmt::format("m{}n{}k{}", f.m, f.n, f.k);
  const auto word = [](bool col) { return col ? "col" : "row"; };
  std::string text = ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {\n";
  const auto declare = [&](char name, Element type, int regs) {
    text += fmt::format(".reg .b64 %p{0}; .reg .b{1} %{0}<{2}>; ld.param.u64 %p{0}, [p{0}];\n", name,
                        type == Element::f64 ? 64 : 32, regs);
  };
  const auto load = [&](char name, Element type, int regs, bool col, int at) {
    declare(name, type, regs);
    text += fmt::format("wmma.load.{0}.sync.aligned.{1}.{2}{3}.{4} {5}, [%p{0}], {6};\n", name, word(col), shape, space,
                        isa::name(type), registers(std::string(1, name), regs), at);
  };
  load('a', f.a, f.regs_a, cols.a, stride[0]);
  load('b', f.b, f.regs_b, cols.b, stride[1]);
  load('c', f.c, f.regs_c, cols.c, stride[2]);
  declare('d', f.d, f.regs_d);
  text += fmt::format("{} {}, {}, {}, {};\n", dotted(v, cols.a, cols.b), registers("d", f.regs_d),
                      registers("a", f.regs_a), registers("b", f.regs_b), registers("c", f.regs_c));
  text += fmt::format("wmma.store.d.sync.aligned.{}.{}{}.{} [%pd], {}, {};\nret;\n}}\n", word(cols.d), shape, space,
                      isa::name(f.d), registers("d", f.regs_d), stride[3]);
  return text;
}

void check_wmma(const isa::Variant& v, const Layouts& cols, const std::string& space, std::mt19937& random) {
  const MatrixForm& f = *v.matrix;
  const Matrix a = random_matrix(f.m, f.k, f.a, random), b = random_matrix(f.k, f.n, f.b, random),
               c = random_matrix(f.m, f.n, f.c, random), expected = product(f, a, b, c);
  const int stride[4] = {stride_of(f.m, f.k, f.a, cols.a), stride_of(f.k, f.n, f.b, cols.b),
                         stride_of(f.m, f.n, f.c, cols.c), stride_of(f.m, f.n, f.d, cols.d)};
  PtxRig rig(wmma_kernel(v, cols, space, stride));
  const size_t bytes = static_cast<size_t>((cols.d ? f.n : f.m) * stride[3] * isa::bits(f.d) / 8);
  const uint64_t d = rig.upload(std::vector<uint8_t>(bytes));
  const Grid& grid =
      rig.run("k", {1, 1, 1}, {32, 1, 1},
              {rig.upload(in_memory(a, f.a, cols.a, stride[0])), rig.upload(in_memory(b, f.b, cols.b, stride[1])),
               rig.upload(in_memory(c, f.c, cols.c, stride[2])), d});
  ASSERT_EQ(grid.trap() ? grid.trap()->message : "", "") << v.spec->syntax;
  const auto out = rig.download<uint8_t>(d, bytes);
  for (int i = 0; i < f.m; ++i) {
    for (int j = 0; j < f.n; ++j) {
      ASSERT_EQ(number_at(out, f.d, cols.d ? j * stride[3] + i : i * stride[3] + j), expected.at(i, j))
          << dotted(v, cols.a, cols.b) << " row " << i << " column " << j;
    }
  }
}

TEST(MatrixMemory, WmmaMultipliesInEveryLayout) {
  std::mt19937 random(3);
  const auto all = forms(MatrixOp::multiply, true);
  ASSERT_GE(all.size(), 26u);
  for (const isa::Variant* v : all) {
    const bool free = v->spec->sequence.find("row|col") != std::string_view::npos;
    for (int layout = 0; layout < 16; ++layout) {
      const Layouts cols{free && (layout & 1) != 0, !free || (layout & 2) != 0, (layout & 4) != 0, (layout & 8) != 0};
      check_wmma(*v, cols, layout % 3 == 0 ? ".global" : "", random);
      if (HasFatalFailure()) {
        return;
      }
    }
  }
}

// Every element of a fragment is where every lane that holds it thinks it is: doubling each register's elements doubles
// the product, which fails when a copy of an element is used but not all copies were changed.
TEST(MatrixMemory, ElementwiseWorkOnOpaqueFragmentsReachesEveryElement) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pd) {
  .reg .b64 %pa, %pb, %pd; .reg .b32 %a<8>, %b<8>; .reg .f32 %d<8>;
  ld.param.u64 %pa, [pa]; ld.param.u64 %pb, [pb]; ld.param.u64 %pd, [pd];
  wmma.load.a.sync.aligned.row.m16n16k16.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%pa];
  wmma.load.b.sync.aligned.col.m16n16k16.f16 {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, [%pb];
  add.f16x2 %a0, %a0, %a0; add.f16x2 %a1, %a1, %a1; add.f16x2 %a2, %a2, %a2; add.f16x2 %a3, %a3, %a3;
  add.f16x2 %a4, %a4, %a4; add.f16x2 %a5, %a5, %a5; add.f16x2 %a6, %a6, %a6; add.f16x2 %a7, %a7, %a7;
  mov.f32 %d0, 0f00000000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;
  mov.f32 %d4, %d0; mov.f32 %d5, %d0; mov.f32 %d6, %d0; mov.f32 %d7, %d0;
  wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7}, {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7},
    {%b0,%b1,%b2,%b3,%b4,%b5,%b6,%b7}, {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7};
  wmma.store.d.sync.aligned.row.m16n16k16.f32 [%pd], {%d0,%d1,%d2,%d3,%d4,%d5,%d6,%d7};
  ret;
})");
  std::mt19937 random(4);
  const Matrix a = random_matrix(16, 16, Element::f16, random), b = random_matrix(16, 16, Element::f16, random);
  const uint64_t d = rig.upload(std::vector<float>(256));
  rig.run("k", {1, 1, 1}, {32, 1, 1},
          {rig.upload(in_memory(a, Element::f16, false, 16)), rig.upload(in_memory(b, Element::f16, true, 16)), d});
  const auto out = rig.download<float>(d, 256);
  MatrixForm form;
  const Matrix expected = product(form, a, b, Matrix(16, 16));
  for (size_t i = 0; i < 256; ++i) {
    ASSERT_EQ(out[i], 2 * expected.v[i]) << i;
  }
}

// 8 rows of 16 bytes per matrix, 48 bytes apart; lane i gives the address of row i. The value of an element says where
// it was: matrix * 64 + row * 8 + column.
std::string move_kernel(const std::string& op, int count, bool load) {
  std::string text = fmt::format(R"(
.visible .entry k(.param .u64 p) {{
  .reg .b64 %p, %x, %y; .reg .b32 %t, %s, %o, %r<{}>; .reg .b16 %h; .shared .align 16 .b8 rows[1536];
  ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mov.u32 %o, rows; mad.lo.u32 %s, %t, 48, %o;
)",
                                 std::max(count, 1));
  const auto each = [&](const char* line) {
    for (int i = 0; i < 8; ++i) {
      text += fmt::format(fmt::runtime(line), i * 2);
    }
  };
  text += "mul.wide.u32 %x, %t, 16; add.u64 %x, %x, %p;\n";
  if (load) {
    each("ld.global.b16 %h, [%x+{0}]; st.shared.b16 [%s+{0}], %h;\n");
    text += "bar.warp.sync 0xffffffff;\n" + fmt::format("{} {}, [%s];\n", op, registers("r", count));
    text += fmt::format("mul.wide.u32 %y, %t, {}; add.u64 %y, %y, %p;\n", count * 4);
    for (int i = 0; i < count; ++i) {
      text += fmt::format("st.global.b32 [%y+{}], %r{};\n", 512 + i * 4, i);
    }
  } else {
    for (int i = 0; i < count; ++i) {
      text += fmt::format("mul.wide.u32 %y, %t, {}; add.u64 %y, %y, %p; ld.global.b32 %r{}, [%y+{}];\n", count * 4, i,
                          512 + i * 4);
    }
    text += fmt::format("{} [%s], {};\nbar.warp.sync 0xffffffff;\n", op, registers("r", count));
    each("ld.shared.b16 %h, [%s+{0}]; st.global.b16 [%x+{0}], %h;\n");
  }
  return text + "ret;\n}\n";
}

// Lane l holds elements 2 * (l % 4) and the next of row l / 4; with .trans, of column l / 4.
uint16_t held(int matrix, int lane, int e, bool trans) {
  const int across = lane % 4 * 2 + e, along = lane / 4;
  return static_cast<uint16_t>(matrix * 64 + (trans ? across * 8 + along : along * 8 + across));
}

TEST(MatrixMemory, LdmatrixAndStmatrixMoveRowsToLanesAndBack) {
  for (const int count : {1, 2, 4}) {
    for (const bool trans : {false, true}) {
      for (const bool load : {true, false}) {
        const std::string op = fmt::format("{}matrix.sync.aligned.m8n8.x{}{}.shared.b16", load ? "ld" : "st", count,
                                           trans ? ".trans" : "");
        PtxRig rig(move_kernel(op, count, load));
        std::vector<uint16_t> rows(256), lanes(static_cast<size_t>(64 * count));
        for (size_t i = 0; i < rows.size(); ++i) {
          rows[i] = static_cast<uint16_t>(i);
        }
        for (int lane = 0; lane < 32; ++lane) {
          for (int i = 0; i < 2 * count; ++i) {
            lanes[static_cast<size_t>(lane * 2 * count + i)] = held(i / 2, lane, i % 2, trans);
          }
        }
        std::vector<uint16_t> memory = load ? rows : std::vector<uint16_t>(256);
        const std::vector<uint16_t> second = load ? std::vector<uint16_t>(lanes.size()) : lanes;
        memory.insert(memory.end(), second.begin(), second.end());
        const uint64_t p = rig.upload(memory);
        const Grid& grid = rig.run("k", {1, 1, 1}, {32, 1, 1}, {p});
        ASSERT_EQ(grid.trap() ? grid.trap()->message : "", "") << op;
        const auto out = rig.download<uint16_t>(p, memory.size());
        if (load) {
          EXPECT_EQ(std::vector<uint16_t>(out.begin() + 256, out.end()), lanes) << op;
        } else {
          rows.resize(static_cast<size_t>(64 * count));
          EXPECT_EQ(std::vector<uint16_t>(out.begin(), out.begin() + 64 * count), rows) << op;
        }
      }
    }
  }
}

TEST(MatrixMemory, MovmatrixTransposes) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 p) {
  .reg .b64 %p, %x; .reg .b32 %t, %r<2>;
  ld.param.u64 %p, [p]; mov.u32 %t, %tid.x; mul.wide.u32 %x, %t, 4; add.u64 %x, %x, %p;
  ld.global.b32 %r0, [%x]; movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0; st.global.b32 [%x], %r1;
  ret;
})");
  std::vector<uint16_t> in;
  for (int lane = 0; lane < 32; ++lane) {
    in.push_back(held(0, lane, 0, false));
    in.push_back(held(0, lane, 1, false));
  }
  const uint64_t p = rig.upload(in);
  rig.run("k", {1, 1, 1}, {32, 1, 1}, {p});
  const auto out = rig.download<uint16_t>(p, 64);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[static_cast<size_t>(lane * 2)], held(0, lane, 0, true));
    EXPECT_EQ(out[static_cast<size_t>(lane * 2 + 1)], held(0, lane, 1, true));
  }
}

TEST(MatrixMemory, LoadsCountTheSectorsOfTheWholeMatrix) {
  PtxRig rig(R"(
.visible .entry k(.param .u64 p) {
  .reg .b64 %p; .reg .b32 %a<8>;
  ld.param.u64 %p, [p];
  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%p], 64;
  ret;
})");
  Grid& grid = rig.prepare("k", {1, 1, 1}, {32, 1, 1}, {rig.upload(std::vector<uint16_t>(16 * 64))});
  Warp& warp = grid.block(grid.start_block(0)).warp(0);
  Effects effects;
  do {
    warp.step(effects);
  } while (!effects.has_access);
  EXPECT_EQ(effects.lat, isa::Lat::ld_global);
  EXPECT_EQ(effects.access.line_count, 16);    // rows 128 bytes apart
  EXPECT_EQ(effects.access.sector_count, 16);  // of 32 bytes each
  EXPECT_EQ(grid.counters().global_ld.bytes, 512u);
}

}  // namespace
}  // namespace hpml::sim::exec
