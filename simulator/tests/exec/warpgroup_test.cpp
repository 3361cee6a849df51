// wgmma.mma_async: matrices in shared memory in each of the layouts that a descriptor can name, against the product of
// the matrices. The layouts are written here as the manual's canonical ones (PTX ISA 9.0, 9.7.15.5): units of 16 bytes,
// numbered within a pattern and then spread by the two offsets of the descriptor.
#include <fmt/format.h>

#include "simulator/tests/exec/matrix_reference.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr uint64_t kNear = 1024, kFar = 18 * 1024;  // multiples of every pattern
constexpr uint32_t kSharedBytes = 80 * 1024, kPlaceOfB = 40 * 1024;

enum class Layout { none, bytes128, bytes64, bytes32 };
// From one unit to the next that does not lie beside it, and from eight lines to the next eight.
uint64_t far_unit(bool transposed) { return transposed ? kNear : kFar; }
uint64_t far_line(bool transposed) { return transposed ? kFar : kNear; }
uint64_t descriptor(uint64_t start, Layout layout, bool transposed) {
  uint64_t leading = far_unit(transposed), stride = far_line(transposed);
  if (layout == Layout::none && transposed) {
    std::swap(leading, stride);
  }
  return start / 16 | leading / 16 << 16 | stride / 16 << 32 | static_cast<uint64_t>(layout) << 62;
}

// Byte of element (row, k) from the start of the matrix; `row` of a, or column of b.
uint64_t byte_of(Layout layout, bool transposed, int bits, int row, int k) {
  const uint64_t units = layout == Layout::none       ? 1
                         : layout == Layout::bytes128 ? 8
                         : layout == Layout::bytes64  ? 4
                                                      : 2;
  const auto line = static_cast<uint64_t>(transposed ? k : row),
             byte = static_cast<uint64_t>((transposed ? row : k) * bits / 8);
  const uint64_t unit = byte / 16, in_line = line % 8 * units * 16;
  const uint64_t at =
      byte % 16 + unit % units * 16 + unit / units * far_unit(transposed) + in_line + line / 8 * far_line(transposed);
  return at ^ (at >> 7 & (units - 1)) << 4;
}

struct Product {
  Layout layout;
  bool a_in_registers, transposed;
};

void put_element(std::vector<uint8_t>& shared, uint64_t at, int bits, int k, uint64_t raw) {
  if (bits < 8) {
    shared[at] = static_cast<uint8_t>(shared[at] | raw << (k % 8));
  } else {
    std::memcpy(&shared[at], &raw, static_cast<size_t>(bits / 8));
  }
}

// 128 threads copy `image` to shared memory; each has its registers of a and c in `in` and stores d to `out`.
std::string warpgroup_kernel(const isa::Variant& v, const std::string& a, const std::string& b,
                             const std::string& more) {
  const MatrixForm& f = *v.matrix;
  std::string text = fmt::format(
      ".visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out) {{\n.shared .align 1024 .b8 s[{0}];\n"
      ".reg .b32 %t, %w, %a<4>, %d<128>; .reg .b64 %x, %y; .reg .pred %p;\nmov.u32 %t, %tid.x; ld.param.u64 %x, "
      "[image]; mul.wide.u32 %y, %t, 4; add.u64 %x, %x, %y; shl.b32 %t, %t, 2;\nL: ld.global.u32 %w, [%x];\n"
      ".reg .b32 %s; mov.u32 %s, s; add.u32 %s, %s, %t; st.shared.u32 [%s], %w; add.u32 %t, %t, 512; add.u64 %x, %x, "
      "512; setp.lt.u32 %p, %t, {0}; @%p bra L;\nbar.sync 0; mov.u32 %t, %tid.x; ld.param.u64 %x, [in]; mul.wide.u32 "
      "%y, %t, {1}; add.u64 %x, %x, %y;\n",
      kSharedBytes, 4 * (4 + f.regs_d));
  for (int i = 0; i < 4; ++i) {
    text += fmt::format("ld.global.b32 %a{}, [%x+{}];\n", i, 4 * i);
  }
  for (int i = 0; i < f.regs_d; ++i) {
    text += fmt::format("ld.global.b32 %d{}, [%x+{}];\n", i, 16 + 4 * i);
  }
  text += fmt::format("setp.eq.u32 %p, %t, %t; wgmma.fence.sync.aligned;\n{} {}, {}, {}, %p{};\n",
                      dotted(v, false, false), list("%d", f.regs_d), a, b, more);
  text += fmt::format(
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\nld.param.u64 %x, [out]; mul.wide.u32 %y, %t, "
      "{}; add.u64 %x, %x, %y;\n",
      4 * f.regs_d);
  for (int i = 0; i < f.regs_d; ++i) {
    text += fmt::format("st.global.b32 [%x+{}], %d{};\n", 4 * i, i);
  }
  return text + "ret;\n}\n";
}

void expect_product(const isa::Variant& v, const Product& c, std::mt19937& random) {
  const MatrixForm& f = *v.matrix;
  const int bits = isa::bits(f.a), rows = 64;
  const Matrix a = random_matrix(rows, f.k, f.a, random), b = random_matrix(f.k, f.n, f.b, random),
               sum = random_matrix(rows, f.n, f.c, random);
  std::vector<uint8_t> shared(kSharedBytes);
  for (int k = 0; k < f.k; ++k) {
    for (int row = 0; row < rows; ++row) {
      put_element(shared, byte_of(c.layout, c.transposed, bits, row, k), bits, k, to_bits(f.a, a.at(row, k)));
    }
    for (int col = 0; col < f.n; ++col) {
      put_element(shared, kPlaceOfB + byte_of(c.layout, c.transposed, bits, col, k), bits, k,
                  to_bits(f.b, b.at(k, col)));
    }
  }
  const int per = 32 / bits, words = 4 + f.regs_d, sum_bits = isa::bits(f.d);
  std::vector<uint32_t> in(static_cast<size_t>(128 * words));
  const auto sum_at = [&](int thread, int i) {
    return std::pair{thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2), i / 4 * 8 + thread % 4 * 2 + i % 2};
  };
  for (int thread = 0; thread < 128; ++thread) {
    uint32_t* own = &in[static_cast<size_t>(thread * words)];
    for (int i = 0; i < 4 * per; ++i) {
      const int reg = i / per, row = thread / 32 * 16 + thread % 32 / 4 + 8 * (reg % 2);
      own[reg] |= static_cast<uint32_t>(to_bits(f.a, a.at(row, reg / 2 * 4 * per + thread % 4 * per + i % per)))
                  << i % per * bits;
    }
    for (int i = 0; i < f.n / 2; ++i) {
      const auto [row, col] = sum_at(thread, i);
      own[4 + i * sum_bits / 32] |= static_cast<uint32_t>(to_bits(f.c, sum.at(row, col))) << i * sum_bits % 32;
    }
  }
  const bool floats = f.d != Element::s32, half = f.a == Element::f16 || f.a == Element::bf16;
  std::string more = floats ? ", 1, -1" : "";
  if (half) {
    more += fmt::format("{}, {}", c.a_in_registers ? "" : c.transposed ? ", 1" : ", 0", c.transposed ? 1 : 0);
  }
  const std::string text = warpgroup_kernel(
      v, c.a_in_registers ? "{%a0, %a1, %a2, %a3}" : fmt::format("{}", descriptor(0, c.layout, c.transposed)),
      fmt::format("{}", descriptor(kPlaceOfB, c.layout, c.transposed)), more);
  PtxRig rig(text);
  const uint64_t out = rig.upload(std::vector<uint32_t>(static_cast<size_t>(128 * f.regs_d)));
  const Grid& grid = rig.run("k", {1, 1, 1}, {128, 1, 1}, {rig.upload(shared), rig.upload(in), out});
  ASSERT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  const auto words_out = rig.download<uint32_t>(out, static_cast<size_t>(128 * f.regs_d));
  Matrix signed_b = b;
  for (double& x : signed_b.v) {
    x = floats ? -x : x;
  }
  const Matrix expected = product(f, a, signed_b, sum);
  for (int thread = 0; thread < 128; ++thread) {
    for (int i = 0; i < f.n / 2; ++i) {
      const auto [row, col] = sum_at(thread, i);
      const uint64_t raw = words_out[static_cast<size_t>(thread * f.regs_d + i * sum_bits / 32)] >> i * sum_bits % 32;
      ASSERT_EQ(from_bits(f.d, raw & (sum_bits == 16 ? 0xffff : 0xffff'ffff)), expected.at(row, col))
          << v.spec->syntax << " layout " << static_cast<int>(c.layout) << " thread " << thread << " element " << i;
    }
  }
}

std::vector<const isa::Variant*> dense_of_width(int n) {
  std::vector<const isa::Variant*> out;
  for (const isa::Variant* v :
       forms_where([](const MatrixForm& f) { return f.op == MatrixOp::warpgroup && !f.sparse; })) {
    if (v->matrix->n == n) {
      out.push_back(v);
    }
  }
  return out;
}

TEST(Warpgroup, ReadsEveryLayoutOfADescriptor) {
  std::mt19937 random(5);
  const auto all = dense_of_width(16);
  ASSERT_EQ(all.size(), 17u);
  for (const isa::Variant* v : all) {
    const bool half = v->matrix->a == Element::f16 || v->matrix->a == Element::bf16;
    for (const Layout layout : {Layout::none, Layout::bytes128, Layout::bytes64, Layout::bytes32}) {
      expect_product(*v, {layout, false, false}, random);
      if (half) {
        expect_product(*v, {layout, false, true}, random);
      }
    }
    expect_product(*v, {Layout::bytes128, true, false}, random);
  }
  for (const isa::Variant* v : dense_of_width(136)) {
    expect_product(*v, {Layout::bytes32, false, false}, random);
  }
}

TEST(Warpgroup, WithoutAccumulationTheOldSumIsNotRead) {
  PtxRig rig(
      ".visible .entry k(.param .u64 out) {\n.shared .align 128 .b8 s[4096]; .reg .b32 %d<4>, %t; .reg .b64 %x, %y; "
      ".reg "
      ".pred %p;\nmov.b32 %d0, 0x3f800000; mov.b32 %d1, %d0; mov.b32 %d2, %d0; mov.b32 %d3, %d0; setp.ne.u32 %p, %d0, "
      "%d0;\nwgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%d0, %d1, %d2, %d3}, 0, 0, %p, 1, 1;\nld.param.u64 "
      "%x, "
      "[out]; mov.u32 %t, %tid.x; mul.wide.u32 %y, %t, 4; add.u64 %x, %x, %y; st.global.b32 [%x], %d3; ret;\n}\n");
  const uint64_t out = rig.upload(std::vector<uint32_t>(128, 7));
  ASSERT_FALSE(rig.run("k", {1, 1, 1}, {128, 1, 1}, {out}).trap().has_value());
  EXPECT_EQ(rig.download<uint32_t>(out, 128), std::vector<uint32_t>(128, 0));
}

TEST(Warpgroup, AMatrixBeyondSharedMemoryTraps) {
  PtxRig rig(
      ".visible .entry k() {\n.shared .align 128 .b8 s[1024]; .reg .b32 "
      "%d<4>;\nwgmma.mma_async.sync.aligned.m64n8k8.f32."
      "tf32.tf32 {%d0, %d1, %d2, %d3}, 64, 0, 1, 1, 1; ret;\n}\n");
  const Grid& grid = rig.run("k", {1, 1, 1}, {128, 1, 1}, {});
  ASSERT_TRUE(grid.trap().has_value());
  EXPECT_NE(grid.trap()->message.find("matrix descriptor"), std::string::npos) << grid.trap()->message;
}

}  // namespace
}  // namespace hpml::sim::exec
