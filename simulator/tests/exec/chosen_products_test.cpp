// A key chooses the same products of a matrix instruction as of dp4a, whose change is made in PTX.
#include "simulator/exec/detail/chosen_products.hpp"

#include <gtest/gtest.h>

#include <random>

#include "simulator/isa/decode.hpp"
#include "simulator/ptx/perturb.hpp"
#include "simulator/ptx/printer.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

constexpr uint64_t kKey = 0x9e37'79b9'85eb'ca6b;

const isa::MatrixForm& form(const std::vector<std::string>& words) {
  const auto decoded = isa::decode("mma", words, 4);
  EXPECT_TRUE(decoded.ok());
  return *decoded->variant->matrix;
}

MatrixValues random_values(const isa::MatrixForm& f, uint32_t seed) {
  std::mt19937 random(seed);
  MatrixValues v;
  for (std::vector<uint64_t>* part : {&v.a, &v.b, &v.d}) {
    part->resize(part == &v.a ? f.m * f.columns_a() : part == &v.b ? f.k * f.n : f.m * f.n);
    for (uint64_t& raw : *part) {
      raw = random() & (part == &v.d ? 0xffff'ffff : 0xff);
    }
  }
  return v;
}

// d of a thread for each pair of rows of words: the sum of their dp4a, as the change of PTX leaves it.
std::vector<uint32_t> by_dp4a(const std::string& types, const isa::MatrixForm& f, const MatrixValues& v) {
  const std::string text =
      ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pd) {"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;"
      "ld.param.u64 %rd1, [pa]; ld.param.u64 %rd2, [pb]; ld.param.u64 %rd3, [pd];"
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x;"
      "mad.lo.u32 %r4, %r1, %r3, %r2; mad.wide.u32 %rd3, %r4, 4, %rd3;"
      "mul.lo.u32 %r1, %r1, K; mul.lo.u32 %r2, %r2, K;"
      "cvt.u64.u32 %rd4, %r1; add.u64 %rd1, %rd1, %rd4;"
      "cvt.u64.u32 %rd4, %r2; add.u64 %rd2, %rd2, %rd4;"
      "ld.global.u32 %r5, [%rd3]; mov.u32 %r6, 0;"
      "again: ld.global.u32 %r7, [%rd1]; ld.global.u32 %r8, [%rd2];"
      "dp4a." +
      types +
      " %r5, %r7, %r8, %r5;"
      "add.u64 %rd1, %rd1, 4; add.u64 %rd2, %rd2, 4; add.u32 %r6, %r6, 4;"
      "setp.lt.u32 %p1, %r6, K; @%p1 bra again; st.global.u32 [%rd3], %r5; ret; }";
  std::string sized = text;
  for (size_t at = sized.find(", K;"); at != std::string::npos; at = sized.find(", K;")) {
    sized.replace(at, 4, ", " + std::to_string(f.k) + ";");
  }
  const std::string header = ".version 7.5\n.target sm_70\n.address_size 64\n";
  auto module = ptx::parse(header + sized, "test.ptx");
  EXPECT_TRUE(module.ok()) << module.error().to_string();
  ptx::perturb(*module, {ptx::Perturbation::Path::dp4a, kKey});
  const std::string changed = ptx::print(*module);
  PtxRig rig(changed.substr(changed.find(".visible")));
  const uint64_t a = rig.upload(std::vector<uint8_t>(v.a.begin(), v.a.end())),
                 b = rig.upload(std::vector<uint8_t>(v.b.begin(), v.b.end())),
                 d = rig.upload(std::vector<uint32_t>(v.d.begin(), v.d.end()));
  EXPECT_FALSE(rig.run("k", {f.m, 1, 1}, {f.n, 1, 1}, {a, b, d}).trap());
  return rig.download<uint32_t>(d, v.d.size());
}

TEST(ChosenProducts, AreThoseThatTheSameKeyChoosesOfDp4a) {
  for (const std::string type : {"s8", "u8"}) {
    const isa::MatrixForm& f = form({"sync", "aligned", "m16n8k32", "row", "col", "s32", type, type, "s32"});
    MatrixValues v = random_values(f, 1);
    const std::vector<uint32_t> wanted = by_dp4a(type == "s8" ? "s32.s32" : "u32.u32", f, v);
    v.c = v.d;
    multiply(f, {}, isa::Rnd::none, false, v);
    const std::vector<uint64_t> plain = v.d;
    add_chosen_products(f, kKey, v);
    EXPECT_EQ(std::vector<uint32_t>(v.d.begin(), v.d.end()), wanted) << type;
    EXPECT_NE(v.d, plain);
  }
}

TEST(ChosenProducts, AnotherKeyChoosesOthers) {
  const isa::MatrixForm& f = form({"sync", "aligned", "m8n8k16", "row", "col", "s32", "s8", "s8", "s32"});
  MatrixValues one = random_values(f, 2), other = one;
  add_chosen_products(f, kKey, one);
  add_chosen_products(f, kKey + 2, other);
  EXPECT_NE(one.d, other.d);
}

TEST(ChosenProducts, NoneAreOfElementsThatAreNoBytes) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"sync", "aligned", "m8n8k32", "row", "col", "s32", "s4", "s4", "s32"},
        {"sync", "aligned", "m16n8k16", "row", "col", "f32", "f16", "f16", "f32"}}) {
    const isa::MatrixForm& f = form(words);
    MatrixValues v = random_values(f, 3);
    const std::vector<uint64_t> before = v.d;
    add_chosen_products(f, kKey, v);
    EXPECT_EQ(v.d, before);
  }
}

}  // namespace
}  // namespace hpml::sim::exec
