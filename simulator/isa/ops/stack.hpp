#pragma once
// Stack of a size known at run time (PTX ISA 9.0, 9.7.11 "Stack Manipulation Instructions"): alloca, stacksave,
// stackrestore. Pointers are addresses of local memory.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kStackSection = "Stack Manipulation";

struct StackOp {
  using types = Types<Ty::u32, Ty::u64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
};
struct Alloca : StackOp {
  static constexpr Control control = Control::alloca;
  static constexpr Spec spec{.mnemonic = "alloca",
                             .syntax = "alloca.type ptr, size{, alignment}",
                             .section = kStackSection,
                             .min_ptx = 73,
                             .min_sm = 52,
                             .min_operands = 2,
                             .max_operands = 3};
};
struct StackSave : StackOp {
  static constexpr Control control = Control::stack_save;
  static constexpr Spec spec{.mnemonic = "stacksave",
                             .syntax = "stacksave.type d",
                             .section = kStackSection,
                             .min_ptx = 73,
                             .min_sm = 52,
                             .min_operands = 1,
                             .max_operands = 1};
};
struct StackRestore : StackOp {
  static constexpr Control control = Control::stack_restore;
  static constexpr Spec spec{.mnemonic = "stackrestore",
                             .syntax = "stackrestore.type a",
                             .section = kStackSection,
                             .min_ptx = 73,
                             .min_sm = 52,
                             .min_operands = 1,
                             .max_operands = 1};
};

using StackOps = OpList<Alloca, StackSave, StackRestore>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
