// Functional mode: warp instructions per second on one core. The bar is 50 M/s on full warps; the limit is the lane
// loop itself (isa_bench), the rest is the instruction loop's own work.
#include <benchmark/benchmark.h>

#include <cstring>
#include <string>

#include "simulator/exec/grid.hpp"
#include "simulator/ir/program.hpp"
#include "simulator/ptx/parser.hpp"

namespace {

using namespace hpml::sim;

// In front of each kernel below.
constexpr char kPrologue[] = ".version 7.5\n.target sm_70\n.address_size 64\n";

// y[i] = a * x[i] + y[i], grid-stride.
constexpr char kSaxpy[] = R"(
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .pred %p<3>;
  .reg .f32 %f<5>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  mov.u32 %r6, %nctaid.x;
  mul.lo.s32 %r7, %r6, %r3;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
LOOP:
  mul.wide.s32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  ld.global.f32 %f2, [%rd5];
  fma.rn.f32 %f3, %f1, 0f40000000, %f2;
  st.global.f32 [%rd5], %f3;
  add.s32 %r5, %r5, %r7;
  setp.lt.s32 %p2, %r5, %r1;
  @%p2 bra LOOP;
DONE:
  ret;
})";

// A chain of dependent arithmetic, no memory.
constexpr char kArith[] = R"(
.visible .entry arith(.param .u64 out, .param .u64 unused, .param .u32 n) {
  .reg .pred %p<3>;
  .reg .f32 %f<5>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.f32 %f1, 0f3F800000;
  mov.u32 %r3, 0;
LOOP:
  fma.rn.f32 %f1, %f1, 0f3F7FFFFE, 0f3F800000;
  add.s32 %r2, %r2, %r3;
  mul.lo.s32 %r2, %r2, 1664525;
  xor.b32 %r2, %r2, %r3;
  shl.b32 %r4, %r2, 3;
  add.f32 %f2, %f1, %f1;
  add.s32 %r3, %r3, 1;
  setp.lt.s32 %p1, %r3, %r1;
  @%p1 bra LOOP;
  st.global.u32 [%rd1], %r2;
  ret;
})";

// What a tiled matrix product does: a 16x16 block reads a row and a column of its two tiles and adds the products.
constexpr char kTile[] = R"(
.visible .entry tile(.param .u64 out, .param .u64 unused, .param .u32 n) {
  .reg .pred %p<3>;
  .reg .f32 %f<9>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 a[1024];
  .shared .align 4 .b8 b[1024];
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %tid.y;
  mov.u32 %r4, a;
  mov.u32 %r5, b;
  shl.b32 %r6, %r3, 6;
  add.s32 %r4, %r4, %r6;
  shl.b32 %r7, %r2, 2;
  add.s32 %r5, %r5, %r7;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r8, 0;
LOOP:
  ld.shared.f32 %f2, [%r4];
  ld.shared.f32 %f3, [%r5];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  ld.shared.f32 %f4, [%r4+4];
  ld.shared.f32 %f5, [%r5+64];
  fma.rn.f32 %f1, %f4, %f5, %f1;
  add.s32 %r8, %r8, 1;
  setp.lt.s32 %p1, %r8, %r1;
  @%p1 bra LOOP;
  st.global.f32 [%rd1], %f1;
  ret;
})";

class Rig {
 public:
  explicit Rig(const char* text, const std::string& kernel)
      : memory_(std::move(memory::AddressSpace::create(uint64_t{1} << 32)).value()) {
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(ptx::parse(std::string(kPrologue) + text, "bench.ptx")).value());
    module_ = std::move(std::move(ir::Program::link(std::move(modules))).value().lower(kernel)).value();
  }
  uint64_t buffer(uint64_t bytes) { return memory_->allocate(memory::Kind::device, bytes); }
  uint64_t run(exec::Extent grid, exec::Extent block, uint64_t x, uint64_t y, uint32_t n) {
    std::byte params[24] = {};
    std::memcpy(params, &x, 8);
    std::memcpy(params + 8, &y, 8);
    std::memcpy(params + 16, &n, 4);
    exec::Launch launch;
    launch.module = &module_;
    launch.grid = grid;
    launch.block = block;
    launch.params = params;
    exec::Services services;
    services.memory = memory_.get();
    auto g = exec::Grid::create(launch, services);
    g->run_rest();
    return g->counters().warp_instructions;
  }

 private:
  std::unique_ptr<memory::AddressSpace> memory_;
  ir::Module module_;
};

void report(benchmark::State& state, uint64_t instructions) {
  state.counters["warp_instr_per_s"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
}

void FullWarpSaxpy(benchmark::State& state) {
  Rig rig(kSaxpy, "saxpy");
  const uint32_t n = 1 << 20;
  const uint64_t x = rig.buffer(n * 4), y = rig.buffer(n * 4);
  uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += rig.run({n / 256}, {256}, x, y, n);
  }
  report(state, instructions);
}
BENCHMARK(FullWarpSaxpy)->Unit(benchmark::kMillisecond);

void FullWarpArithmetic(benchmark::State& state) {
  Rig rig(kArith, "arith");
  const uint64_t out = rig.buffer(4096);
  uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += rig.run({1}, {64}, out, 0, 100'000);
  }
  report(state, instructions);
}
BENCHMARK(FullWarpArithmetic)->Unit(benchmark::kMillisecond);

void SharedTile(benchmark::State& state) {
  Rig rig(kTile, "tile");
  const uint64_t out = rig.buffer(4096);
  uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += rig.run({4}, {16, 16}, out, 0, 20'000);
  }
  report(state, instructions);
}
BENCHMARK(SharedTile)->Unit(benchmark::kMillisecond);

void OneThreadSaxpy(benchmark::State& state) {
  Rig rig(kSaxpy, "saxpy");
  const uint32_t n = 1 << 18;
  const uint64_t x = rig.buffer(n * 4), y = rig.buffer(n * 4);
  uint64_t instructions = 0;
  for (auto _ : state) {
    instructions += rig.run({1}, {1}, x, y, n);
  }
  report(state, instructions);
}
BENCHMARK(OneThreadSaxpy)->Unit(benchmark::kMillisecond);

}  // namespace
