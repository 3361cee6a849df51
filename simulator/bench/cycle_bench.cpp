// Cycle mode: warp instructions timed per second with one and two threads of the host, through the device as the
// runtime uses it. The bar is 0.5 M/s on one core; published simulators do 0.003 to 0.026 M/s (simulator_timing section
// 12).
#include <benchmark/benchmark.h>

#include <cstring>

#include "simulator/device/api.hpp"

namespace {

using namespace hpml::sim;

constexpr char kVectorAdd[] = R"(
.version 7.5
.target sm_70
.address_size 64
.visible .entry vector_add(.param .u64 x, .param .u64 y, .param .u64 z, .param .u32 n) {
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u64 %rd3, [z];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4;
  add.s64 %rd6, %rd2, %rd4;
  add.s64 %rd7, %rd3, %rd4;
  ld.global.f32 %f1, [%rd5];
  ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd7], %f3;
DONE:
  ret;
})";

// A naive product of two n x n matrices in one pass over k: arithmetic, cached loads, a loop.
constexpr char kMatrixProduct[] = R"(
.version 7.5
.target sm_70
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>;
  .reg .f32 %f<5>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  shl.b32 %r3, %r2, 5;
  mov.u32 %r4, %tid.x;
  add.s32 %r5, %r3, %r4;
  mov.u32 %r6, %ctaid.y;
  mul.lo.s32 %r7, %r6, %r1;
  mul.wide.u32 %rd4, %r7, 4;
  add.s64 %rd5, %rd1, %rd4;
  mul.wide.u32 %rd6, %r5, 4;
  add.s64 %rd7, %rd2, %rd6;
  mul.wide.u32 %rd8, %r1, 4;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r8, 0;
LOOP:
  ld.global.f32 %f2, [%rd5];
  ld.global.f32 %f3, [%rd7];
  fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s64 %rd5, %rd5, 4;
  add.s64 %rd7, %rd7, %rd8;
  add.s32 %r8, %r8, 1;
  setp.lt.u32 %p1, %r8, %r1;
  @%p1 bra LOOP;
  add.s32 %r9, %r7, %r5;
  mul.wide.u32 %rd9, %r9, 4;
  add.s64 %rd10, %rd3, %rd9;
  st.global.f32 [%rd10], %f1;
  ret;
})";

void run(benchmark::State& state, const char* text, const char* name, device::Dim3 grid, device::Dim3 block, uint32_t n,
         uint64_t bytes) {
  device::Options options;
  options.gpu = "v100";
  options.gpu_dir = HPML_SOURCE_DIR "/simulator/gpus";
  options.mode = device::Mode::cycle;
  options.threads = static_cast<int>(state.range(0));
  auto created = device::Device::create(options);
  if (!created.ok()) {
    state.SkipWithError(created.error().to_string().c_str());
    return;
  }
  device::Device& gpu = **created;
  const auto module = gpu.load_module({{text, "bench.ptx"}}, {});
  device::LaunchRequest request;
  request.kernel = gpu.find_kernel(*module, name).value();
  request.grid = grid;
  request.block = block;
  std::byte params[32] = {};
  for (size_t i = 0; i < 3; ++i) {
    const uint64_t address = gpu.memory().allocate(memory::Kind::device, bytes);
    std::memcpy(params + i * 8, &address, sizeof address);
  }
  std::memcpy(params + 24, &n, sizeof n);
  request.params = std::span(params).first(28);
  const uint64_t before = gpu.warp_instructions();
  for (auto _ : state) {
    benchmark::DoNotOptimize(gpu.launch(request).duration);
  }
  state.counters["warp_instr_per_s"] =
      benchmark::Counter(static_cast<double>(gpu.warp_instructions() - before), benchmark::Counter::kIsRate);
}

void CycleVectorAdd(benchmark::State& state) {
  const uint32_t n = 1 << 18;
  run(state, kVectorAdd, "vector_add", {n / 256, 1, 1}, {256, 1, 1}, n, n * 4);
}
BENCHMARK(CycleVectorAdd)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

void CycleMatrixProduct(benchmark::State& state) {
  const uint32_t n = 128;
  run(state, kMatrixProduct, "product", {n / 32, n, 1}, {32, 1, 1}, n, uint64_t{n} * n * 4);
}
BENCHMARK(CycleMatrixProduct)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
