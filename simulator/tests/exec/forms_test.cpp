// Question: do the memory, atomic and warp forms beyond the usual ones move the right bytes?
#include <limits>

#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

// One thread; `statements` find the buffer's address in %p and registers %r, %d, %h, %q, %c.
std::string forms_kernel(const std::string& statements) {
  return ".shared .align 16 .b8 tile[64];\n.visible .entry k(.param .u64 p) {\n"
         ".reg .b64 %p, %d<12>; .reg .b32 %r<12>; .reg .b16 %h<20>; .reg .b128 %q<4>; .reg .pred %c<4>;\n"
         "ld.param.u64 %p, [p];\n" +
         statements + "ret;\n}\n";
}

template <class T>
std::vector<T> run(const std::string& statements, const std::vector<T>& buffer, uint32_t threads = 1) {
  PtxRig rig(forms_kernel(statements));
  const uint64_t address = rig.upload(buffer);
  Grid& grid = rig.run("k", {1}, {threads}, {address});
  EXPECT_FALSE(grid.trap().has_value()) << grid.trap()->message;
  return rig.download<T>(address, buffer.size());
}

using Words = std::vector<uint32_t>;
using Doubles = std::vector<uint64_t>;

TEST(WideMemory, B128MovesSixteenBytes) {
  EXPECT_EQ(run<uint64_t>("ld.global.b128 %q0, [%p]; mov.b128 {%d0, %d1}, %q0; mov.b128 %q1, {%d1, %d0};"
                          "st.global.b128 [%p+16], %q1;",
                          {1, 2, 0, 0}),
            (Doubles{1, 2, 2, 1}));
}

TEST(WideMemory, EightWordsAndFourDoublesMoveThirtyTwoBytes) {
  EXPECT_EQ(run<uint32_t>("ld.global.v8.b32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%p];"
                          "st.global.v8.b32 [%p+32], {%r7, %r6, %r5, %r4, %r3, %r2, %r1, %r0};",
                          {1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0}),
            (Words{1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(
      run<uint64_t>("ld.global.v4.b64 {%d0, %d1, %d2, %d3}, [%p]; st.global.v4.b64 [%p+32], {%d3, %d2, %d1, %d0};",
                    {1, 2, 3, 4, 0, 0, 0, 0}),
      (Doubles{1, 2, 3, 4, 4, 3, 2, 1}));
  EXPECT_EQ(run<uint32_t>("ld.global.v8.b32 {%r0, _, _, _, _, _, _, %r7}, [%p]; st.global.v2.b32 [%p], {%r7, %r0};",
                          {1, 2, 3, 4, 5, 6, 7, 8}),
            (Words{8, 1, 3, 4, 5, 6, 7, 8}));
}

TEST(VectorMoves, ReadAllElementsBeforeTheyWriteOne) {
  EXPECT_EQ(
      run<uint32_t>("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%p]; mov.v4.b32 {%r0, %r1, %r2, %r3}, {%r3, %r0, 7, %r2};"
                    "mov.v2.u32 {%r4, %r5}, {%r1, %r0}; st.global.v4.b32 [%p], {%r0, %r1, %r2, %r3};"
                    "st.global.v2.b32 [%p+16], {%r4, %r5};",
                    {1, 2, 3, 4, 0, 0}),
      (Words{4, 1, 7, 3, 1, 4}));
  EXPECT_EQ(run<uint32_t>("mov.v4.u32 {%r0, %r1, %r2, %r3}, %ntid; st.global.v4.b32 [%p], {%r0, %r1, %r2, %r3};",
                          {9, 9, 9, 9}),
            (Words{1, 1, 1, 0}));
}

// The bytes of a copy are there for the load after the wait, whatever was stored before, and a copy does not overtake
// the load of what it overwrites.
TEST(AsyncCopies, KeepTheirPlaceAmongAccessesOfSharedMemory) {
  const std::string wait = "cp.async.commit_group; cp.async.wait_group 0;";
  EXPECT_EQ(run<uint64_t>("st.shared.v2.b64 [tile], {7, 8}; cp.async.ca.shared.global [tile], [%p], 8;" + wait +
                              "ld.shared.v2.b64 {%d0, %d1}, [tile]; st.global.v2.b64 [%p], {%d0, %d1};",
                          {1, 2}),
            (Doubles{1, 8}));
  EXPECT_EQ(
      run<uint32_t>("st.shared.b32 [tile], 7; ld.shared.b32 %r0, [tile]; cp.async.ca.shared.global [tile], [%p], 4;" +
                        wait + "ld.shared.b32 %r1, [tile]; st.global.v2.b32 [%p], {%r0, %r1};",
                    {1, 2}),
      (Words{7, 1}));
  EXPECT_EQ(run<uint32_t>("st.global.b32 [%p], 5; cp.async.ca.shared.global [tile], [%p], 4;" + wait +
                              "ld.shared.b32 %r0, [tile]; st.global.b32 [%p+4], %r0;",
                          {1, 2}),
            (Words{5, 5}));
}

TEST(WideAtomics, ExchangeAndCompareSixteenBytes) {
  const std::string load = "ld.global.b128 %q0, [%p+16]; ld.global.b128 %q1, [%p+32];";
  EXPECT_EQ(
      run<uint64_t>(load + "atom.global.exch.b128 %q2, [%p], %q0; st.global.b128 [%p+16], %q2;", {1, 2, 3, 4, 5, 6}),
      (Doubles{3, 4, 1, 2, 5, 6}));
  EXPECT_EQ(run<uint64_t>(load + "atom.global.cas.b128 %q2, [%p], %q0, %q1; st.global.b128 [%p+16], %q2;",
                          {3, 4, 3, 4, 5, 6}),
            (Doubles{5, 6, 3, 4, 5, 6}));
  EXPECT_EQ(run<uint64_t>(load + "atom.global.cas.b128 _, [%p], %q0, %q1;", {3, 7, 3, 4, 5, 6}),
            (Doubles{3, 7, 3, 4, 5, 6}));
  EXPECT_EQ(run<uint64_t>("st.shared.v2.b64 [tile], {7, 8}; ld.global.b128 %q0, [%p];"
                          "atom.shared.exch.b128 %q1, [tile], %q0; st.global.b128 [%p], %q1;",
                          {1, 2}),
            (Doubles{7, 8}));
}

TEST(VectorAtomics, AddElementByElement) {
  EXPECT_EQ(run<float>("ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%p+16];"
                       "atom.global.add.v4.f32 {%r4, %r5, %r6, %r7}, [%p], {%r0, %r1, %r2, %r3};"
                       "st.global.v4.b32 [%p+16], {%r4, %r5, %r6, %r7};",
                       {1, 2, 3, 4, 10, 20, 30, 40}),
            (std::vector<float>{11, 22, 33, 44, 1, 2, 3, 4}));
  EXPECT_EQ(run<float>("ld.global.v2.b32 {%r0, %r1}, [%p+8]; red.global.add.v2.f32 [%p], {%r0, %r1};", {1, 2, 10, 20}),
            (std::vector<float>{11, 22, 10, 20}));
}

TEST(VectorAtomics, EightHalvesAreEightAtomics) {
  // f16: 1, 2, 4 are 0x3c00, 0x4000, 0x4400
  const std::vector<uint16_t> one(8, 0x3c00), result = {0x3c00, 0x4000, 0x4400, 0x3c00, 0x3c00, 0x4400, 0x3c00, 0x4000};
  std::vector<uint16_t> buffer = one;
  buffer.insert(buffer.end(), result.begin(), result.end());
  const auto out = run<uint16_t>(
      "ld.global.v4.b16 {%h0, %h1, %h2, %h3}, [%p+16];"
      "ld.global.v4.b16 {%h4, %h5, %h6, %h7}, [%p+24];"
      "atom.global.v8.f16.max.noftz {%h8, %h9, %h10, %h11, %h12, %h13, %h14, %h15}, [%p],"
      "{%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7};"
      "st.global.v4.b16 [%p+16], {%h8, %h9, %h10, %h11};"
      "st.global.v4.b16 [%p+24], {%h12, %h13, %h14, %h15};",
      buffer);
  EXPECT_EQ(std::vector<uint16_t>(out.begin(), out.begin() + 8), result);
  EXPECT_EQ(std::vector<uint16_t>(out.begin() + 8, out.end()), one);
}

TEST(Atomics, ACachePolicyIsNoOperandOfTheOperation) {
  EXPECT_EQ(run<uint32_t>("mov.b64 %d0, 1; atom.global.add.L2::cache_hint.u32 %r0, [%p], 5, %d0; "
                          "st.global.b32 [%p+4], %r0;",
                          {3, 0}),
            (Words{8, 3}));
}

// 32 lanes: lane i has the word i of the buffer, the result goes to word 32 + i.
std::vector<float> reduce(const std::string& op, const std::vector<float>& values) {
  std::vector<float> buffer = values;
  buffer.resize(64);
  std::vector<float> out = run<float>(
      "mov.u32 %r0, %laneid; mul.wide.u32 %d0, %r0, 4; add.u64 %d0, %d0, %p;"
      "ld.global.b32 %r1, [%d0]; " +
          op +
          " %r2, %r1, 0xffffffff;"
          "st.global.b32 [%d0+128], %r2;",
      buffer, 32);
  return {out.begin() + 32, out.end()};
}

TEST(ReduxOfFloats, TakesMinimaAndMaximaAsTheManualSays) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values(32, 1.5f);
  values[3] = -7;
  values[9] = 4;
  EXPECT_EQ(reduce("redux.sync.min.f32", values), std::vector<float>(32, -7.0f));
  EXPECT_EQ(reduce("redux.sync.max.f32", values), std::vector<float>(32, 4.0f));
  EXPECT_EQ(reduce("redux.sync.max.abs.f32", values), std::vector<float>(32, 7.0f));
  values[20] = nan;
  EXPECT_EQ(reduce("redux.sync.min.f32", values), std::vector<float>(32, -7.0f));
  EXPECT_TRUE(std::isnan(reduce("redux.sync.min.NaN.f32", values)[5]));
  EXPECT_TRUE(std::isnan(reduce("redux.sync.max.f32", std::vector<float>(32, nan))[0]));
  std::vector<float> zeros(32, 0.0f);
  zeros[31] = -0.0f;
  EXPECT_TRUE(std::signbit(reduce("redux.sync.min.f32", zeros)[0]));
  EXPECT_FALSE(std::signbit(reduce("redux.sync.max.f32", zeros)[0]));
}

TEST(SpecialRegisters, MayBeReadInOtherWidthsThanTheirOwn) {
  EXPECT_EQ(run<uint64_t>("mov.u16 %h0, %ntid.x; cvt.u64.u16 %d0, %h0; st.global.b64 [%p], %d0;"
                          "mov.u64 %d1, %gridid; st.global.b64 [%p+8], %d1;"
                          "mov.pred %c0, %is_explicit_cluster; selp.u64 %d2, 1, 0, %c0; st.global.b64 [%p+16], %d2;",
                          {0, 0, 9}),
            (Doubles{1, 1, 0}));
}

TEST(ParamAddresses, AreGenericInAWindowOfTheirOwn) {
  EXPECT_EQ(run<uint64_t>("mov.b64 %d0, p; cvta.param.u64 %d1, %d0; ld.b64 %d2, [%d1]; sub.u64 %d2, %d2, %p;"
                          "st.global.b64 [%p], %d2; isspacep.param %c0, %d1; isspacep.global %c1, %d1;"
                          "isspacep.param %c2, %p; selp.u64 %d3, 1, 0, %c0; selp.u64 %d4, 1, 0, %c1;"
                          "selp.u64 %d5, 1, 0, %c2; st.global.v2.b64 [%p+16], {%d3, %d4}; st.global.b64 [%p+8], %d5;",
                          {9, 9, 9, 9}),
            (Doubles{0, 0, 1, 0}));
}

TEST(VideoOperands, APartThatDoesNotExistIsRefused) {
  auto parsed =
      ptx::parse(".version 7.5\n.target sm_70\n.address_size 64\n" + forms_kernel("vadd.u32.u32.u32 %r0, %r1.b4, %r2;"),
                 "test.ptx");
  ASSERT_TRUE(parsed.ok());
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  auto program = ir::Program::link(std::move(modules));
  ASSERT_TRUE(program.ok());
  const auto lowered = program->lower("k");
  ASSERT_FALSE(lowered.ok());
  EXPECT_NE(lowered.error().to_string().find("a part or a sign of an operand of 'vadd' is not legal"),
            std::string::npos);
}

}  // namespace
}  // namespace hpml::sim::exec
