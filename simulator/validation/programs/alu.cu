// One warp, one instruction: cycles from an instruction to one that needs its result (`alu latency`), and cycles per
// instruction when none needs another (`alu interval`). Every instruction of the table below is measured; the results
// are named after the machine instruction it becomes. Operands change from link to link where a compiler could
// otherwise fold a chain of two into one, and from lane to lane, so that none goes to the unit for uniform values.
#include "bench.cuh"

constexpr int kFew = 64, kMany = 320;
constexpr int kStreams = 8;  // independent chains: more than any latency / interval of a warp's own instructions

struct Int {
  using Type = uint32_t;
  static __device__ Type seed(int i) { return 3u * i + 0x12345677u; }
};
struct Float {
  using Type = float;
  static __device__ Type seed(int i) { return 1.0f + 0.0001f * i; }
};
struct Double {
  using Type = double;
  static __device__ Type seed(int i) { return 1.0 + 0.0001 * i; }
};

#define OP(NAME, BASE, REG, TEXT)                                 \
  struct NAME : BASE {                                            \
    static constexpr const char* name = #NAME;                    \
    static constexpr int instructions = 1;                        \
    static __device__ void step(Type& a, Type b, Type c) {        \
      asm volatile(TEXT : "+" REG(a) : REG(b), REG(c) : "memory"); \
    }                                                             \
  };

// Half of two, of which the other is a LOP3: sums alone would be gathered, three to an instruction.
struct IADD3 : Int {
  static constexpr const char* name = "IADD3";
  static constexpr int instructions = 2;
  static __device__ void step(Type& a, Type b, Type c) {
    asm volatile("add.s32 %0, %0, %1;\n\txor.b32 %0, %0, %2;" : "+r"(a) : "r"(b), "r"(c) : "memory");
  }
};
OP(LOP3, Int, "r", "lop3.b32 %0, %0, %1, %2, 0x6a;")
OP(IMAD, Int, "r", "mad.lo.s32 %0, %0, %1, %2;")
OP(POPC, Int, "r", "popc.b32 %0, %0;")
OP(FLO, Int, "r", "bfind.u32 %0, %0;")
OP(IDIV, Int, "r", "div.s32 %0, %1, %0;")
OP(FADD, Float, "f", "add.f32 %0, %0, %1;")
OP(FMUL, Float, "f", "mul.f32 %0, %0, %1;")
OP(FFMA, Float, "f", "fma.rn.f32 %0, %0, %1, %2;")
OP(FMNMX, Float, "f", "min.f32 %0, %0, %1;")
OP(HFMA2, Int, "r", "fma.rn.f16x2 %0, %0, %1, %2;")
OP(DADD, Double, "d", "add.f64 %0, %0, %1;")
OP(DMUL, Double, "d", "mul.f64 %0, %0, %1;")
OP(DFMA, Double, "d", "fma.rn.f64 %0, %0, %1, %2;")
OP(MUFU, Float, "f", "ex2.approx.ftz.f32 %0, %0;")
OP(RCP, Float, "f", "rcp.approx.f32 %0, %0;")
OP(SIN, Float, "f", "sin.approx.f32 %0, %0;")
OP(LG2, Float, "f", "lg2.approx.f32 %0, %0;")
OP(EX2, Float, "f", "ex2.approx.f32 %0, %0;")
OP(RSQ, Float, "f", "rsqrt.approx.f32 %0, %0;")
OP(FDIV, Float, "f", "div.rn.f32 %0, %1, %0;")
OP(DDIV, Double, "d", "div.rn.f64 %0, %1, %0;")

template <class Op, int kLinks>
__global__ void latency(typename Op::Type* sink, long long* cycles, int seed) {
  typename Op::Type a = Op::seed(seed + threadIdx.x), operands[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    operands[i] = Op::seed(seed + threadIdx.x + i + 1);
  }
  const long long begin = cycle_now();
#pragma unroll
  for (int i = 0; i < kLinks; ++i) {
    Op::step(a, operands[i % 4], operands[(i + 1) % 4]);
  }
  sink[threadIdx.x] = a;
  *cycles = cycle_now() - begin;
}

template <class Op, int kRounds>
__global__ void interval(typename Op::Type* sink, long long* cycles, int seed) {
  typename Op::Type a[kStreams];
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    a[i] = Op::seed(seed + threadIdx.x + i);
  }
  const typename Op::Type b = Op::seed(seed + threadIdx.x + 9), c = Op::seed(seed + threadIdx.x + 10);
  const long long begin = cycle_now();
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int i = 0; i < kStreams; ++i) {
      Op::step(a[i], b, c);
    }
  }
#pragma unroll
  for (int i = 0; i < kStreams; ++i) {
    sink[threadIdx.x + 32 * i] = a[i];
  }
  *cycles = cycle_now() - begin;
}

static void* sink;
static long long* cycles;

template <class Kernel>
static double cycles_of(Kernel kernel) {
  kernel();
  check_kernel();
  kernel();  // the second time the instructions are in the caches
  check_kernel();
  return static_cast<double>(read_back(cycles));
}

template <class Op>
static void measure(bool dependent) {
  typename Op::Type* out = static_cast<typename Op::Type*>(sink);
  double few, many;
  if (dependent) {
    few = cycles_of([out] { latency<Op, kFew><<<1, 32>>>(out, cycles, 1); });
    many = cycles_of([out] { latency<Op, kMany><<<1, 32>>>(out, cycles, 1); });
  } else {
    few = cycles_of([out] { interval<Op, kFew / kStreams><<<1, 32>>>(out, cycles, 1); });
    many = cycles_of([out] { interval<Op, kMany / kStreams><<<1, 32>>>(out, cycles, 1); });
  }
  result(Op::name, (many - few) / (kMany - kFew) / Op::instructions, "cycles");
}

template <class... Ops>
static void measure_all(bool dependent) {
  (measure<Ops>(dependent), ...);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  if (!arguments.is("latency") && !arguments.is("interval")) {
    arguments.unknown("latency interval");
  }
  sink = device_array<double>(32 * kStreams);
  cycles = device_array<long long>(1);
  measure_all<IADD3, LOP3, IMAD, POPC, FLO, IDIV, FADD, FMUL, FFMA, FMNMX, HFMA2, DADD, DMUL, DFMA, MUFU, RCP, SIN, LG2,
              EX2, RSQ, FDIV, DDIV>(arguments.is("latency"));
}
