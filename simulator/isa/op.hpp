#pragma once
// What one PTX instruction is made of. An instruction is a struct in ops/<chapter>.hpp:
//
//   struct Shl {                                          // lane op: eval is called once per active lane
//     static constexpr Spec spec{.mnemonic = "shl", .syntax = "shl.type d, a, b", .section = "Logic and Shift: shl"};
//     using types = Types<Ty::b16, Ty::b32, Ty::b64>;     // legal type suffixes; TypePairs<...> where there are two
//     static constexpr Lat latency(Ty) { return Lat::int_alu; }
//     template <class T> static constexpr T eval(Mods, T a, uint32_t b) { ... }   // the signature is the operand list
//   };
//
// and its name in the OpList at the bottom of the same header. Nothing else is edited: decoder, operand checker,
// executor, `gpusim isa` and docs/isa.md derive from it.
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "simulator/isa/types.hpp"

namespace hpml::sim::isa {

struct MatrixForm;  // matrix/form.hpp

// Optional suffix categories an op accepts besides its types and fixed words.
enum class Accept : uint32_t {
  nothing = 0,
  rnd = 1u << 0,      // .rn .rz .rm .rp
  rnd_int = 1u << 1,  // .rni .rzi .rmi .rpi
  ftz = 1u << 2,
  sat = 1u << 3,
  nan = 1u << 4,  // .NaN
  xorsign_abs = 1u << 5,
  cmp = 1u << 6,  // required where accepted
  boolop = 1u << 7,
  mode = 1u << 8,      // one of Spec::modes; required where accepted
  opt_mode = 1u << 9,  // one of Spec::modes, optional: mode index 0 is "none of them", first word is 1
  space = 1u << 10,    // .global .shared .local .const .param (and ::cta forms); absent = generic
  cache = 1u << 11,  // .ca .cg .cs .lu .cv .wb .wt .nc, L1::/L2:: hints and cache-policy words are accepted and ignored
  sem = 1u << 12,    // .volatile .weak .relaxed .acquire .release .acq_rel .sc .mmio
  scope = 1u << 13,  // .cta .cluster .gpu .sys
  vec = 1u << 14,    // .v2 .v4 .v8
  uni = 1u << 15,    // .uni
  rna = 1u << 16,
  relu = 1u << 17,
  satfinite = 1u << 18,
  abs = 1u << 19,  // .abs without .xorsign
  rs = 1u << 20,   // .rs: rounding by random bits
};
constexpr Accept operator|(Accept a, Accept b) {
  return static_cast<Accept>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool accepts(Accept set, Accept one) {
  return (static_cast<uint32_t>(set) & static_cast<uint32_t>(one)) != 0;
}

struct Spec {
  std::string_view mnemonic;    // root: "mul"
  std::string_view fixed = "";  // words that must be there, space separated: "wide", "sync aligned"
  // Instead of `fixed` and type suffixes, where order tells words apart (mma): "sync aligned row|col m8n8k4 f32 trans?".
  // A choice a|b or an optional word? gives one bit of Mods::mode, in order: the second word, or the word is there.
  std::string_view sequence = "";
  std::string_view syntax;      // the manual's line
  std::string_view section;     // of the PTX ISA manual, 9.7.x title
  Accept accept = Accept::nothing;
  std::array<std::string_view, 16> modes = {};  // words of Accept::mode, in the order of Mods::mode
  std::string_view ignored = "";                // words accepted without meaning here, space separated ("sync" of vote)
  ThreadOp thread_op = ThreadOp::none;
  int min_ptx = 10;  // 10 = PTX ISA 1.0
  int min_sm = 10;
  std::string_view approx = "";       // error bound of .approx forms, from the manual
  Accept required = Accept::nothing;  // accepted categories of which one word must be there (.rn of fma)
  // Combinations of accepted words that are illegal all the same; null: every combination is legal.
  bool (*legal)(const Mods&, Ty, Ty) = nullptr;
  int8_t min_operands = -1, max_operands = -1;  // ops without an eval to read them off; -1 = not checked
};

// Type suffix lists. An instruction whose meaning does not depend on a type uses Types<Ty::none>; one with several
// type suffixes lists its combinations, in the order they are written.
template <Ty... T>
struct Types {};
template <Ty A, Ty B>
struct TypePair {};
template <class... P>
struct TypePairs {};
template <Ty... T>
struct TypeTuple {};
template <class... T>
struct TypeTuples {};

// --- operand kinds that are not plain numbers ------------------------------------------------------------------
struct F16 {
  uint16_t bits;
};  // IEEE binary16
struct BF16 {
  uint16_t bits;
};  // bfloat16
struct F16x2 {
  uint32_t bits;
};
struct BF16x2 {
  uint32_t bits;
};
struct B128 {
  uint64_t low, high;
};
struct Carry {
  bool bit;
};  // the condition code CC.CF: implicit operand of addc, subc, madc

template <class T>
struct WithCarry {  // implicit second result of add.cc and relatives
  T value;
  bool carry;
};
template <class A, class B>
struct Two {  // d|p results
  A first;
  B second;
};

struct OrNot {  // p|q results where q is the complement of p
  bool first;
};
template <class T>
struct Four {  // the elements of a vector destination
  std::array<T, 4> values;
};

// --- shapes other than lane ops --------------------------------------------------------------------------------
enum class Shape : uint8_t { lane, warp, mem, control };

enum class Mem : uint8_t {
  none,
  ld,
  st,
  atom,
  red,
  prefetch,
  cvta_to,
  cvta_from,
  isspacep,
  cta_rank,  // getctarank
  fence,
  copy_async,
  copy_bulk
};
enum class Control : uint8_t {
  none,
  bra,
  brx,
  call,
  ret,
  exit,
  bar_sync,
  bar_arrive,
  bar_red,
  bar_warp_sync,
  cluster_arrive,
  cluster_wait,
  trap,
  brkpt,
  nanosleep,
  nop,
  mbarrier,   // mbarrier.*, cp.async.mbarrier.arrive
  copy_group,  // cp.async.commit_group, wait_group, wait_all
  alloca,
  stack_save,
  stack_restore
};
// Mods::mode of a Control::copy_group.
inline constexpr uint8_t kCommitGroup = 0, kWaitGroup = 1, kWaitAll = 2;

// What cp.reduce.async.bulk.tensor does to each element, in the order of its words.
enum class TensorReduction : uint8_t { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };

// Which operation on a barrier object in shared memory a Control::mbarrier is.
enum class Mbarrier : uint8_t {
  none,
  init,
  inval,
  expect_tx,
  complete_tx,
  arrive,
  arrive_drop,
  arrive_expect_tx,
  arrive_drop_expect_tx,
  test_wait,
  try_wait,
  pending_count,
  copies_arrive
};
// Warp-wide instructions: all sources of all member lanes are read before any destination is written.
enum class Warp : uint8_t { none, shfl, vote, match, redux, activemask, elect, matrix };

// --- what the executor runs ------------------------------------------------------------------------------------
// Where an operand's 32 lane values lie: an offset into the warp's registers, or, with kConstBit, into the kernel's
// constant pool (immediates, broadcast once at decode time). Lane arrays are 64-byte aligned; element size 2, 4 or 8;
// a predicate is one 32-bit lane mask.
using Slot = uint32_t;
inline constexpr Slot kConstBit = 0x8000'0000u;
inline constexpr Slot kNoSlot = 0xffff'ffffu;
inline constexpr size_t kMaxSources = 5;  // lop3 with a predicate: a, b, c, the table, q
using DestinationSlots = std::array<Slot, 4>;
using SourceSlots = std::array<Slot, kMaxSources>;
inline constexpr DestinationSlots kNoDestinations = {kNoSlot, kNoSlot, kNoSlot, kNoSlot};
inline constexpr SourceSlots kNoSources = {kNoSlot, kNoSlot, kNoSlot, kNoSlot, kNoSlot};

struct LaneInst;
// Executes one lane op for the lanes of `active`.
using RunFn = void (*)(std::byte* regs, const std::byte* consts, LaneMask active, const LaneInst& inst);
// One lane of an atomic: returns the new value from the old value and operands b, c (raw bits of the type).
using RmwFn = uint64_t (*)(uint64_t old, uint64_t b, uint64_t c);

// An atomic of several lanes: lane i updates the word at origin + address[i]. Operands lie side by side, as wide as the
// word; no c: every lane has the third operand `third`. `old` null: the old values are not wanted.
struct LaneUpdate {
  uintptr_t origin = 0;
  const uint64_t* address = nullptr;
  const std::byte* b = nullptr;
  const std::byte* c = nullptr;
  uint64_t third = 0;
  std::byte* old = nullptr;
};
// Updates by the lanes of `active` in ascending order.
using UpdateFn = void (*)(const LaneUpdate& update, LaneMask active);

struct LaneInst {
  RunFn run = nullptr;                     // lane ops only
  DestinationSlots dst = kNoDestinations;  // absent results go to a scratch slot
  SourceSlots src = kNoSources;
  Mods mods;
  uint8_t dst_bytes = 0;  // container of dst[0] / src[0] where it may be wider than the type (cvt, ld, st)
  uint8_t src_bytes = 0;
  uint8_t negate = 0;    // bit i: predicate source i is !p
  Slot carry = kNoSlot;  // the warp's CC.CF mask
};

// Video instructions name parts of their operands (r1.b3, r2.h10); the parts of all come packed in one more source, of
// which the op reads what selectors.hpp writes. scalar: one part each; halves, bytes: two or four of the parts of b:a.
enum class Selectors : uint8_t { none, scalar, halves, bytes };

struct OperandSpec {
  Ty type = Ty::none;         // by width and kind of the C++ parameter: pred, b16, b32, b64, f32...
  bool may_be_wider = false;  // a wider register is legal (ld, st, cvt)
};

inline constexpr size_t kMaxTypes = 4;

// One (op, types) combination.
struct Variant {
  const Spec* spec = nullptr;
  std::array<Ty, kMaxTypes> types = {Ty::none, Ty::none, Ty::none, Ty::none};
  Shape shape = Shape::lane;
  Lat latency = Lat::none;
  RunFn run = nullptr;
  Mem mem = Mem::none;
  RmwFn rmw = nullptr;
  UpdateFn update = nullptr;  // rmw for many lanes; null: its word has neither 4 nor 8 bytes
  Control control = Control::none;
  Warp warp = Warp::none;
  Mbarrier mbarrier = Mbarrier::none;
  int dst_count = 0, src_count = 0;  // explicit operands of lane ops
  std::array<OperandSpec, 4> dst = {};
  std::array<OperandSpec, kMaxSources> src = {};
  bool uses_carry = false, sets_carry = false;
  bool scalar_only = false;
  const MatrixForm* matrix = nullptr;  // Warp::matrix
  Selectors selectors = Selectors::none;  // not none: the last source is not written as an operand
};

// All variants, compiled for the widest vector ISA this CPU has (x86-64-v4, v3, or the portable baseline). The result
// does not depend on which: only the speed does.
std::span<const Variant> variants();
// "x86-64-v4", "x86-64-v3" or "baseline"
std::string_view vector_level();
// For tests and benchmarks: the tables of one level, empty when this CPU or build lacks it.
std::span<const Variant> variants_of_level(std::string_view level);

}  // namespace hpml::sim::isa
