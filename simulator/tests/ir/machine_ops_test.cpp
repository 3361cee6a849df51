// Question: does a kernel get as many machine instructions as ptxas gives it, and in an order like its own? Counts are
// those of the .text sections that ptxas 13.0 makes for sm_75 of listings/kernels.ptx (16 bytes an instruction,
// trailing NOPs and the final self-branch left out).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ir {
namespace {

Program program_of(const std::string& text) {
  auto parsed = ptx::parse(text, "test.ptx");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed).value());
  return std::move(Program::link(std::move(modules))).value();
}

Function kernel(const std::string& body, const std::string& options = "") {
  const std::string head = ".version 7.5\n.target sm_70" + options + "\n.address_size 64\n";
  const Program program = program_of(head +
                                     ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<20>; .reg .b64 %rd<20>; "
                                     ".reg .f32 %f<20>; .reg .pred %p<4>;\n.shared .align 16 .b8 tile[4096];\n" +
                                     body + "\nret;\n}");
  auto module = program.lower("k");
  EXPECT_TRUE(module.ok()) << module.error().to_string();
  return std::move(module->functions.front());
}

int count(const Function& function) {
  int total = 0;
  for (const Inst& inst : function.code) {
    total += inst.lat == isa::Lat::none ? 0 : inst.machine_ops;
  }
  return total;
}

const Inst& on_line(const Function& function, int line) {
  return *std::find_if(function.code.begin(), function.code.end(), [&](const Inst& i) { return i.ptx_line == line; });
}
size_t place(const Function& function, int line) {
  return static_cast<size_t>(&on_line(function, line) - function.code.data());
}
constexpr int kFirstLine = 7;  // of the body handed to kernel()

TEST(MachineOps, AreWithinATenthOfWhatPtxasMakesOfTheLabKernels) {
  std::ifstream file(HPML_SOURCE_DIR "/simulator/tests/ir/listings/kernels.ptx");
  std::stringstream text;
  text << file.rdbuf();
  const Program program = program_of(text.str());
  const std::vector<std::pair<std::string, int>> listed = {
      {"vector_add", 15}, {"tiled_matmul", 81}, {"convolution", 72}, {"block_sum", 67}, {"stencil", 35}};
  for (const auto& [name, ptxas] : listed) {
    const auto module = program.lower(name);
    ASSERT_TRUE(module.ok()) << module.error().to_string();
    const int ours = count(module->functions.front());
    EXPECT_NEAR(ours, ptxas, 0.1 * ptxas) << name << ": ours " << ours << ", ptxas " << ptxas;
  }
}

TEST(MachineOps, ProductAndSumOfAnAddressAreOne) {
  const Function f = kernel(R"(ld.global.u32 %r1, [%rd1];
mul.wide.s32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
add.s64 %rd4, %rd5, %rd2;
st.global.u32 [%rd3], %r1;
st.global.u32 [%rd4], %r1;)");
  EXPECT_EQ(on_line(f, kFirstLine + 1).machine_ops, 0);
  EXPECT_EQ(on_line(f, kFirstLine + 2).machine_ops, 1);
  EXPECT_EQ(on_line(f, kFirstLine + 3).machine_ops, 1);
}

TEST(MachineOps, AProductThatIsReadElsewhereStays) {
  const Function f = kernel(R"(ld.global.u32 %r1, [%rd1];
mul.wide.s32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u64 [%rd3], %rd2;)");
  EXPECT_EQ(on_line(f, kFirstLine + 1).machine_ops, 1);
  EXPECT_EQ(on_line(f, kFirstLine + 2).machine_ops, 2);
}

TEST(MachineOps, SixtyFourBitArithmeticTakesSeveral) {
  const Function f = kernel(R"(xor.b64 %rd2, %rd1, %rd3;
mul.lo.s64 %rd4, %rd2, %rd3;
st.global.u64 [%rd1], %rd4;)");
  EXPECT_EQ(on_line(f, kFirstLine).machine_ops, 2);
  EXPECT_EQ(on_line(f, kFirstLine + 1).machine_ops, 4);
}

// ptxas 13.0, sm_75: FSETP, FMUL, MUFU, FMUL, unless subnormals are flushed.
TEST(MachineOps, ApproximationsThatKeepSubnormalsAreScaledBeforeAndAfter) {
  const Function f = kernel(R"(ld.global.f32 %f1, [%rd1];
sqrt.approx.f32 %f2, %f1;
sqrt.approx.ftz.f32 %f3, %f1;
rcp.approx.f32 %f4, %f1;
sin.approx.ftz.f32 %f5, %f1;
st.global.v4.f32 [%rd1], {%f2, %f3, %f4, %f5};)");
  const auto helpers = [&](int line) { return static_cast<int>(on_line(f, kFirstLine + line).helpers); };
  EXPECT_EQ((std::vector<int>{helpers(1), helpers(2), helpers(3), helpers(4)}), (std::vector<int>{3, 0, 6, 1}));
}

// ptxas 13.0, sm_75: 18, 14, 24 and 17 instructions.
TEST(MachineOps, DivisionsTakeThreeOfTheSpecialUnitAndArithmeticAroundThem) {
  const Function f = kernel(R"(ld.global.v2.u32 {%r1, %r2}, [%rd1];
div.s32 %r3, %r1, 10;
div.u32 %r4, %r1, 10;
div.s32 %r5, %r1, %r2;
rem.u32 %r6, %r1, %r2;
st.global.v4.u32 [%rd1], {%r3, %r4, %r5, %r6};)");
  std::vector<int> counts;
  for (int line = 1; line <= 4; ++line) {
    const Inst& inst = on_line(f, kFirstLine + line);
    EXPECT_EQ(inst.machine_ops, 3);
    counts.push_back(inst.machine_ops + inst.helpers);
  }
  EXPECT_EQ(counts, (std::vector<int>{18, 14, 24, 17}));
}

TEST(MachineOps, NothingIsFoldedForADebugger) {
  const Function f = kernel(R"(ld.global.u32 %r1, [%rd1];
mul.wide.s32 %rd2, %r1, 4;
add.s64 %rd3, %rd1, %rd2;
st.global.u32 [%rd3], %r1;)",
                            ", debug");
  EXPECT_EQ(on_line(f, kFirstLine + 1).machine_ops, 1);
}

TEST(SharedLoads, FourNeighboursOfAnAlignedRowAreOne) {
  const Function f = kernel(R"(mov.u32 %r1, %tid.y;
shl.b32 %r2, %r1, 6;
mov.u32 %r3, tile;
add.s32 %r4, %r3, %r2;
ld.shared.f32 %f1, [%r4+4];
ld.shared.f32 %f0, [%r4];
ld.shared.f32 %f3, [%r4+12];
ld.shared.f32 %f2, [%r4+8];
add.f32 %f4, %f0, %f1;
add.f32 %f5, %f2, %f3;
add.f32 %f6, %f4, %f5;
st.shared.f32 [%r4], %f6;)");
  const Inst& wide = on_line(f, kFirstLine + 4);
  EXPECT_EQ(wide.mods.vec, 4);
  EXPECT_EQ(wide.offset, 0);
  EXPECT_EQ(std::count_if(f.code.begin(), f.code.end(), [](const Inst& i) { return i.mem == isa::Mem::ld; }), 1);
}

TEST(SharedLoads, StayApartWhereTheAddressMayBeOdd) {
  const Function f = kernel(R"(mov.u32 %r1, %tid.y;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, tile;
add.s32 %r4, %r3, %r2;
ld.shared.f32 %f1, [%r4];
ld.shared.f32 %f2, [%r4+4];
add.f32 %f4, %f1, %f2;
st.shared.f32 [%r4], %f4;)");
  EXPECT_EQ(std::count_if(f.code.begin(), f.code.end(), [](const Inst& i) { return i.mem == isa::Mem::ld; }), 2);
}

TEST(SharedLoads, StayApartAcrossAStore) {
  const Function f = kernel(R"(ld.shared.f32 %f1, [tile];
st.shared.f32 [tile+4], %f1;
ld.shared.f32 %f2, [tile+4];
st.shared.f32 [tile+8], %f2;)");
  EXPECT_EQ(std::count_if(f.code.begin(), f.code.end(), [](const Inst& i) { return i.mem == isa::Mem::ld; }), 2);
}

TEST(Schedule, LoadsStartBeforeTheUsesOfOtherLoads) {
  const Function f = kernel(R"(ld.global.f32 %f1, [%rd1];
add.f32 %f2, %f1, %f1;
ld.global.f32 %f3, [%rd1+4];
add.f32 %f4, %f3, %f2;
st.global.f32 [%rd1+8], %f4;)");
  EXPECT_LT(place(f, kFirstLine + 2), place(f, kFirstLine + 1));
}

TEST(Schedule, ALoadStaysBehindAStoreItMayRead) {
  const Function f = kernel(R"(ld.global.f32 %f1, [%rd1];
st.global.f32 [%rd2], %f1;
ld.global.f32 %f3, [%rd3];
add.f32 %f4, %f3, %f1;
st.global.f32 [%rd1+8], %f4;)");
  EXPECT_GT(place(f, kFirstLine + 2), place(f, kFirstLine + 1));
}

TEST(Schedule, NothingCrossesABarrierOrAClock) {
  const Function f = kernel(R"(mov.u32 %r5, %clock;
ld.global.f32 %f1, [%rd1];
add.f32 %f2, %f1, %f1;
mov.u32 %r6, %clock;
ld.global.f32 %f3, [%rd1+4];
bar.sync 0;
ld.global.f32 %f5, [%rd1+4];
add.f32 %f4, %f3, %f2;
add.f32 %f4, %f4, %f5;
st.global.f32 [%rd1+8], %f4;)");
  for (const int fence : {0, 3, 5}) {
    for (int line = 0; line < 10; ++line) {
      if (line != fence) {
        EXPECT_EQ(line < fence, place(f, kFirstLine + line) < place(f, kFirstLine + fence)) << line << " and " << fence;
      }
    }
  }
}

TEST(Schedule, KeepsTheOrderForADebugger) {
  const Function f = kernel(R"(ld.global.f32 %f1, [%rd1];
add.f32 %f2, %f1, %f1;
ld.global.f32 %f3, [%rd1+4];
add.f32 %f4, %f3, %f2;
st.global.f32 [%rd1+8], %f4;)",
                            ", debug");
  EXPECT_GT(place(f, kFirstLine + 2), place(f, kFirstLine + 1));
}

}  // namespace
}  // namespace hpml::sim::ir
