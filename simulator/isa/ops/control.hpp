#pragma once
// Control flow (PTX ISA 9.0, 9.7.12) and miscellaneous (9.7.19). The executor gives them meaning (exec/control.cpp).
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

struct Bra {
  static constexpr Spec spec{.mnemonic = "bra",
                             .syntax = "@p bra{.uni} target",
                             .section = "Control Flow: bra",
                             .accept = Accept::uni,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::bra;
};
struct BrxIdx {
  static constexpr Spec spec{.mnemonic = "brx",
                             .fixed = "idx",
                             .syntax = "brx.idx{.uni} index, targets",
                             .section = "Control Flow: brx.idx",
                             .accept = Accept::uni,
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::brx;
};
struct Call {
  static constexpr Spec spec{.mnemonic = "call",
                             .syntax = "call{.uni} (ret), func, (params){, proto}",
                             .section = "Control Flow: call",
                             .accept = Accept::uni,
                             .min_operands = 1,
                             .max_operands = 4};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::call;
};
struct Ret {
  static constexpr Spec spec{.mnemonic = "ret",
                             .syntax = "ret{.uni}",
                             .section = "Control Flow: ret",
                             .accept = Accept::uni,
                             .min_operands = 0,
                             .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::ret;
};
struct Exit {
  static constexpr Spec spec{
      .mnemonic = "exit", .syntax = "exit", .section = "Control Flow: exit", .min_operands = 0, .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::exit;
};
struct Trap {
  static constexpr Spec spec{
      .mnemonic = "trap", .syntax = "trap", .section = "Miscellaneous: trap", .min_operands = 0, .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::special; }
  static constexpr Control control = Control::trap;
};
struct Brkpt {
  static constexpr Spec spec{.mnemonic = "brkpt",
                             .syntax = "brkpt",
                             .section = "Miscellaneous: brkpt",
                             .min_sm = 11,
                             .min_operands = 0,
                             .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::special; }
  static constexpr Control control = Control::brkpt;
};
struct Nanosleep {
  static constexpr Spec spec{.mnemonic = "nanosleep",
                             .syntax = "nanosleep.u32 t",
                             .section = "Miscellaneous: nanosleep",
                             .min_ptx = 63,
                             .min_sm = 70,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::u32>;
  static constexpr Lat latency(Ty) { return Lat::special; }
  static constexpr Control control = Control::nanosleep;
};

// Triggers events of a profiler that is not there.
struct Pmevent {
  static constexpr Spec spec{.mnemonic = "pmevent",
                             .syntax = "pmevent{.mask} a",
                             .section = "Miscellaneous: pmevent",
                             .ignored = "mask",
                             .min_ptx = 14,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::special; }
  static constexpr Control control = Control::nop;
};

using ControlOps = OpList<Bra, BrxIdx, Call, Ret, Exit, Trap, Brkpt, Nanosleep, Pmevent>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
