// Random straight-line PTX programs, and a hash of what each computes. The program is a function of its seed alone, so a
// real GPU and the simulator can be compared without any file between them.
//   random_ptx first=1 count=64      "seed hash" per program
//   random_ptx first=7 print=1       the PTX of program 7
#include <cuda.h>

#include <string>
#include <vector>

#include "bench.cuh"

#define CHECK_DRIVER(call) check_driver((call), #call)

static void check_driver(CUresult error, const char* call) {
  if (error != CUDA_SUCCESS) {
    const char* text = nullptr;
    cuGetErrorString(error, &text);
    fprintf(stderr, "%s: %s\n", call, text != nullptr ? text : "unknown error");
    exit(1);
  }
}

constexpr int kThreads = 64, kInstructions = 60, kRegisters = 8;

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  uint32_t below(uint32_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % n;
  }

 private:
  uint64_t state_;
};

// %d is the destination, %a %b %c sources of the kind that follows: r 32 bits, l 64 bits, f single, g double; %i a small
// number. Only instructions whose result is fixed to the last bit.
constexpr const char* kTemplates[] = {
    "add.u32 %dr, %ar, %br;",
    "sub.s32 %dr, %ar, %br;",
    "mul.lo.u32 %dr, %ar, %br;",
    "mul.hi.s32 %dr, %ar, %br;",
    "mad.lo.u32 %dr, %ar, %br, %cr;",
    "mul24.lo.u32 %dr, %ar, %br;",
    "and.b32 %dr, %ar, %br;",
    "xor.b32 %dr, %ar, %br;",
    "lop3.b32 %dr, %ar, %br, %cr, 0xd6;",
    "shl.b32 %dr, %ar, %i;",
    "shr.s32 %dr, %ar, %br;",
    "shf.l.wrap.b32 %dr, %ar, %br, %cr;",
    "min.s32 %dr, %ar, %br;",
    "max.u32 %dr, %ar, %br;",
    "popc.b32 %dr, %ar;",
    "clz.b32 %dr, %ar;",
    "brev.b32 %dr, %ar;",
    "bfe.s32 %dr, %ar, %i, 9;",
    "bfi.b32 %dr, %ar, %br, %i, 7;",
    "prmt.b32 %dr, %ar, %br, %cr;",
    "sad.u32 %dr, %ar, %br, %cr;",
    "abs.s32 %dr, %ar;",
    "slct.s32.s32 %dr, %ar, %br, %cr;",
    "setp.lt.s32 p, %ar, %br; selp.b32 %dr, %ar, %cr, p;",
    "setp.gtu.f32 p, %af, %bf; selp.b32 %dr, %ar, %br, p;",
    "{ .reg .b32 t; or.b32 t, %br, 1; div.u32 %dr, %ar, t; }",
    "{ .reg .b32 t; or.b32 t, %br, 2; rem.s32 %dr, %ar, t; }",
    "add.u64 %dl, %al, %bl;",
    "mul.lo.u64 %dl, %al, %bl;",
    "mul.wide.u32 %dl, %ar, %br;",
    "mad.wide.s32 %dl, %ar, %br, %cl;",
    "shr.u64 %dl, %al, %i;",
    "xor.b64 %dl, %al, %bl;",
    "cvt.s64.s32 %dl, %ar;",
    "cvt.u32.u64 %dr, %al;",
    "add.rn.f32 %df, %af, %bf;",
    "sub.rz.f32 %df, %af, %bf;",
    "mul.rn.f32 %df, %af, %bf;",
    "fma.rn.f32 %df, %af, %bf, %cf;",
    "fma.rm.ftz.f32 %df, %af, %bf, %cf;",
    "div.rn.f32 %df, %af, %bf;",
    "sqrt.rn.f32 %df, %af;",
    "rcp.rn.f32 %df, %af;",
    "min.f32 %df, %af, %bf;",
    "cvt.rn.f32.s32 %df, %ar;",
    "cvt.rzi.s32.f32 %dr, %af;",
    "cvt.rni.f32.f32 %df, %af;",
    "add.rn.f64 %dg, %ag, %bg;",
    "mul.rn.f64 %dg, %ag, %bg;",
    "fma.rn.f64 %dg, %ag, %bg, %cg;",
    "cvt.f64.f32 %dg, %af;",
    "cvt.rn.f32.f64 %df, %ag;",
    "cvt.rn.f64.s32 %dg, %ar;",
};

static std::string instruction(Random& random) {
  constexpr uint32_t kCount = sizeof kTemplates / sizeof kTemplates[0];
  std::string out = "  ";
  for (const char* c = kTemplates[random.below(kCount)]; *c != 0; ++c) {
    if (*c != '%') {
      out += *c;
    } else if (*++c == 'i') {
      out += std::to_string(random.below(32));
    } else {
      out += std::string("%") + *++c + std::to_string(random.below(kRegisters));
    }
  }
  return out + "\n";
}

// Every thread starts from numbers of its own, and stores a mixture of all registers; NaNs, whose payload is free, as one.
static std::string program(uint64_t seed) {
  Random random(seed);
  std::string text = ".version 6.5\n.target sm_52\n.address_size 64\n.visible .entry k(.param .u64 out) {\n"
                     "  .reg .b32 %r<8>, t, u; .reg .b64 %l<8>, address, sum, w; .reg .f32 %f<8>; .reg .f64 %g<8>;"
                     " .reg .pred p;\n  mov.u32 t, %tid.x;\n";
  for (int i = 0; i < kRegisters; ++i) {
    const std::string n = std::to_string(i);
    std::string numbers[3];  // drawn one after the other: operands of + have no order
    for (std::string& number : numbers) {
      number = std::to_string(random.below(1u << 30) | 1);
    }
    text += "  mad.lo.u32 %r" + n + ", t, " + numbers[0] + ", " + numbers[1] + ";\n  mul.wide.u32 %l" + n + ", %r" + n +
            ", " + numbers[2] + ";\n  cvt.rn.f32.s32 %f" + n + ", %r" + n + ";\n  cvt.rn.f64.s64 %g" + n + ", %l" + n +
            ";\n";
  }
  for (int i = 0; i < kInstructions; ++i) {
    text += instruction(random);
  }
  text += "  mov.u64 sum, 0;\n";
  for (int i = 0; i < kRegisters; ++i) {
    const std::string n = std::to_string(i);
    text += "  mul.lo.u64 sum, sum, 31; cvt.u64.u32 w, %r" + n + "; add.u64 sum, sum, w; add.u64 sum, sum, %l" + n +
            ";\n  setp.nan.f32 p, %f" + n + ", %f" + n + "; mov.b32 u, %f" + n +
            "; selp.b32 u, 77, u, p; cvt.u64.u32 w, u; add.u64 sum, sum, w;\n  setp.nan.f64 p, %g" + n + ", %g" + n +
            "; mov.b64 w, %g" + n + "; selp.b64 w, 99, w, p; add.u64 sum, sum, w;\n";
  }
  return text + "  ld.param.u64 address, [out]; mul.wide.u32 w, t, 8; add.u64 address, address, w;\n"
                "  st.global.u64 [address], sum;\n  ret;\n}\n";
}

static uint64_t run(const std::string& text, uint64_t* out) {
  CUmodule module;
  CUfunction kernel;
  CHECK_DRIVER(cuModuleLoadData(&module, text.c_str()));
  CHECK_DRIVER(cuModuleGetFunction(&kernel, module, "k"));
  void* arguments[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(kernel, 1, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr));
  uint64_t host[kThreads];
  CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  CHECK_DRIVER(cuModuleUnload(module));
  uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a, by words
  for (const uint64_t word : host) {
    hash = (hash ^ word) * 0x100000001b3u;
  }
  return hash;
}

int main(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  static char mode[] = "random";  // the words behind a mode are arguments: there is one mode
  words.insert(words.begin() + 1, mode);
  const Arguments arguments(static_cast<int>(words.size()), words.data());
  const int first = arguments.integer("first", 1);
  if (arguments.integer("print", 0) != 0) {
    fputs(program(static_cast<uint64_t>(first)).c_str(), stdout);
    return 0;
  }
  uint64_t* out = device_array<uint64_t>(kThreads);
  for (int seed = first; seed < first + arguments.integer("count", 64); ++seed) {
    printf("%d %016llx\n", seed,
           static_cast<unsigned long long>(run(program(static_cast<uint64_t>(seed)), out)));
  }
}
