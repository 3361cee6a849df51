#pragma once
// Words of the PTX ISA shared by every room: types, spaces, modifiers, latency classes (PTX ISA 9.0, chapters 5-9).
#include <cstdint>
#include <optional>
#include <string_view>

namespace hpml::sim::isa {

using LaneMask = uint32_t;  // bit i = lane i
inline constexpr int kWarpSize = 32;
inline constexpr LaneMask kFullMask = 0xffffffffu;

// Generic-address windows, above the 47 bits of a host pointer, inside the 49-bit unified space. The shared window is
// that of the cluster: bits 24 to 31 of an address in it are 0 for the block's own memory, or one more than the rank of
// the block in its cluster whose memory is meant.
inline constexpr uint64_t kSharedWindow = uint64_t{1} << 48;
inline constexpr uint64_t kSharedWindowSize = uint64_t{1} << 32;
inline constexpr int kSharedRankShift = 24;
inline constexpr uint64_t kSharedOffsetMask = (uint64_t{1} << kSharedRankShift) - 1;
inline constexpr uint32_t kMostSharedRank = 254;
inline constexpr uint64_t kLocalWindow = kSharedWindow + (uint64_t{1} << 40);
inline constexpr uint64_t kLocalWindowSize = uint64_t{1} << 24;

enum class Ty : uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  u16x2,
  s16x2,
  f32x2,
  e4m3x2,
  e5m2x2,
  e2m3x2,
  e3m2x2,
  e2m1x2,
  ue8m0x2,
};
std::optional<Ty> parse_type(std::string_view word);  // "u32" -> Ty::u32
std::string_view name(Ty type);
int bits(Ty type);  // 1 for pred, 0 for none
bool is_signed(Ty type);
bool is_float(Ty type);

enum class Space : uint8_t { generic, global, shared, local, constant, param };
std::string_view name(Space space);

enum class Cmp : uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp : uint8_t { none, and_, or_, xor_ };
enum class Rnd : uint8_t { none, rn, rz, rm, rp, rna, rs, rni, rzi, rmi, rpi };
enum class Sem : uint8_t { weak, volatile_, relaxed, acquire, release, acq_rel, mmio, sc };
enum class Scope : uint8_t { none, cta, cluster, gpu, sys };
enum class Cache : uint8_t { none, ca, cg, cs, lu, cv, wb, wt, nc };

// The modifiers of one instruction, decoded. Structural, so that a loop can be compiled for one value of it.
struct Mods {
  Cmp cmp = Cmp::none;
  BoolOp boolop = BoolOp::none;
  Rnd rnd = Rnd::none;
  bool ftz = false, sat = false, nan = false, xorsign_abs = false, abs = false, relu = false, satfinite = false;
  uint8_t mode =
      0;  // op-specific word (prmt mode, shf clamp/wrap, testp kind, shfl/vote/match mode): index in Spec::modes
  Space space = Space::generic;
  bool of_cluster = false;  // .shared::cluster: may be the memory of another block
  Sem sem = Sem::weak;
  Scope scope = Scope::none;
  Cache cache = Cache::none;
  uint8_t vec = 1;  // .v2 .v4 .v8
  friend bool operator==(const Mods&, const Mods&) = default;
};

// Latency classes. Cycles and issue interval of each are in gpus/*.toml; every class exactly once, no default.
enum class Lat : uint8_t {
  none,       // no machine instruction: ld.param, cvta, register copies
  int_alu,    // add, sub, logic, shift, compare, min/max, selp, prmt, lop3
  int_mul,    // mul, mad (IMAD)
  int_div,    // div, rem: subroutine
  fp32,       // add, mul, fma, min/max, compare
  fp32_div,   // div.rn: subroutine
  fp32_sqrt,  // sqrt.rn, rcp.rn: subroutine
  fp16,
  fp64,
  fp64_div,  // div, sqrt, rcp: subroutine
  mufu,      // rcp, rsqrt, sqrt, sin, cos, lg2, ex2, tanh .approx
  conv,      // conversions but for 64-bit types
  conv64,    // conversions from or to 64-bit types
  popc,      // popc
  flo,       // clz, bfind, brev
  shuffle,   // shfl
  vote,      // vote, match, redux, activemask
  branch,    // bra, call, ret, exit
  barrier,   // bar, barrier
  membar,    // membar, fence
  tensor,    // mma, wmma
  libm32,    // a whole __nv_*f math function called as one instruction (toolkit-free front end)
  libm64,    // a whole __nv_* double math function
  ld_global,
  st_global,
  ld_shared,
  st_shared,
  ld_local,
  st_local,
  ld_const,
  atom_global,
  atom_shared,
  special,  // special-register reads that are no copies (clock, globaltimer), nanosleep, trap
};
inline constexpr int kLatCount = static_cast<int>(Lat::special) + 1;
std::string_view name(Lat lat);
std::optional<Lat> parse_lat(std::string_view word);

// Kinds of thread instructions that are counted apart: the profiler's floating-point operations
// (smsp__sass_thread_inst_executed_op_*), and the sums of 8-bit products, for which it has no counter.
enum class ThreadOp : uint8_t { none, fadd, fmul, ffma, dadd, dmul, dfma, hadd, hmul, hfma, dp4a, dp2a };
inline constexpr int kThreadOpCount = static_cast<int>(ThreadOp::dp2a) + 1;

}  // namespace hpml::sim::isa
