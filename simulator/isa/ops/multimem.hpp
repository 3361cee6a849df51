#pragma once
// Accesses to multicast memory, whose address stands for one place on each GPU of a group (PTX ISA 9.0, 9.7.9.14,
// 9.7.13.18). A group of one GPU is all there is here: a reducing load reads that one place, a store and a reduction
// change it.
#include "simulator/isa/ops/atomics.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kMultimemSection = "Parallel Synchronization: multimem";
inline bool multimem_place(const Mods& m) { return m.space == Space::generic || m.space == Space::global; }

constexpr Spec multimem_spec(std::string_view fixed, std::string_view syntax) {
  return {.mnemonic = "multimem",
          .fixed = fixed,
          .syntax = syntax,
          .section = kMultimemSection,
          .accept = Accept::sem | Accept::scope | Accept::space | Accept::vec,
          .min_ptx = 81,
          .min_sm = 90,
          .min_operands = 2,
          .max_operands = 2};
}
constexpr Spec multimem_load(std::string_view op) {
  Spec spec = multimem_spec("ld_reduce", "multimem.ld_reduce{.sem}{.scope}{.global}.op{.acc::f32}{.vec}.type d, [a]");
  spec.accept = spec.accept | Accept::mode;
  spec.modes = {op};
  spec.ignored = "acc::f32 acc::f16";
  spec.legal = [](const Mods& m, Ty type, Ty) {
    const bool packed = bits(type) <= 32;
    return multimem_place(m) && (m.vec == 1 || packed) && m.vec * bits(type) <= 128 && m.sem != Sem::volatile_ &&
           m.sem != Sem::release;
  };
  return spec;
}
using MultimemSums = Types<Ty::u32, Ty::s32, Ty::u64, Ty::f16, Ty::f16x2, Ty::bf16, Ty::bf16x2, Ty::f32, Ty::f64>;
using MultimemExtremes =
    Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64, Ty::f16, Ty::f16x2, Ty::bf16, Ty::bf16x2>;
using MultimemBits = Types<Ty::b32, Ty::b64>;
inline constexpr std::string_view kMultimemAdd = "add", kMultimemMin = "min", kMultimemMax = "max", kMultimemAnd = "and",
                                  kMultimemOr = "or", kMultimemXor = "xor";
template <const std::string_view& kWord, class T>
struct MultimemLoad {
  using types = T;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::ld;
  static constexpr Spec spec = multimem_load(kWord);
};

struct MultimemStore {
  using types = Types<Ty::b32, Ty::b64, Ty::u32, Ty::u64, Ty::s32, Ty::s64, Ty::f32, Ty::f64, Ty::f16, Ty::f16x2,
                      Ty::bf16, Ty::bf16x2>;
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Mem mem = Mem::st;
  static constexpr Spec spec = [] {
    Spec s = multimem_spec("st", "multimem.st{.sem}{.scope}{.global}{.vec}.type [a], b");
    s.legal = [](const Mods& m, Ty type, Ty) {
      return multimem_place(m) && m.vec * bits(type) <= 128 && m.sem != Sem::volatile_ && m.sem != Sem::acquire;
    };
    return s;
  }();
};

template <class Op>
struct MultimemRed : Red, Op {
  static constexpr Spec spec = [] {
    Spec s = multimem_spec("red", "multimem.red{.sem}{.scope}{.global}.op{.vec}.type [a], b");
    s.accept = s.accept | Accept::mode;
    s.modes = {Op::word};
    s.legal = [](const Mods& m, Ty type, Ty) {
      return multimem_place(m) && (m.vec == 1 || bits(type) <= 32) && m.vec * bits(type) <= 128 &&
             (m.sem == Sem::weak || m.sem == Sem::relaxed || m.sem == Sem::release);
    };
    return s;
  }();
};

// The takeover of a cluster that has not started (9.7.13.16): a launch here starts all its clusters itself, so every
// request is answered with no.
struct QueryCanceled {
  using types = Types<Ty::b128>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Spec spec{.mnemonic = "clusterlaunchcontrol",
                             .fixed = "query_cancel is_canceled pred",
                             .syntax = "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, response",
                             .section = "Parallel Synchronization: clusterlaunchcontrol",
                             .min_ptx = 86,
                             .min_sm = 100};
  template <class T>
  static constexpr bool eval(Mods, T response) {
    return (response.low & 1) != 0;
  }
};
struct TryCancel {
  using types = Types<Ty::b128>;
  static constexpr Lat latency(Ty) { return Lat::st_shared; }
  static constexpr Mem mem = Mem::st;
  static constexpr Spec spec{
      .mnemonic = "clusterlaunchcontrol",
      .fixed = "try_cancel async mbarrier::complete_tx::bytes",
      .syntax = "clusterlaunchcontrol.try_cancel.async{.shared::cta}.mbarrier::complete_tx::bytes.b128 [a], [mbar]",
      .section = "Parallel Synchronization: clusterlaunchcontrol",
      .accept = Accept::space,
      .min_ptx = 86,
      .min_sm = 100,
      .legal = [](const Mods& m, Ty, Ty) { return m.space == Space::generic || m.space == Space::shared; },
      .min_operands = 2,
      .max_operands = 2};
};

// Stores and reductions in global memory that nothing waits for (9.7.9.12, 9.7.13.17).
inline bool async_global(const Mods& m) {
  return m.space == Space::global && (m.scope == Scope::gpu || m.scope == Scope::sys);
}
struct StAsyncGlobal {
  using types = Types<Ty::b8, Ty::b16, Ty::b32, Ty::b64, Ty::u8, Ty::u16, Ty::u32, Ty::u64, Ty::s8, Ty::s16, Ty::s32,
                      Ty::s64, Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Mem mem = Mem::st;
  static constexpr Spec spec{.mnemonic = "st",
                             .sequence = "async mmio? release",
                             .syntax = "st.async{.mmio}.release.scope.global.type [a], b",
                             .section = "Data Movement: st.async",
                             .accept = Accept::space | Accept::scope,
                             .min_ptx = 87,
                             .min_sm = 100,
                             .legal = [](const Mods& m, Ty, Ty) { return async_global(m); },
                             .min_operands = 2,
                             .max_operands = 2};
};
template <class Op, class T>
struct RedAsyncGlobal : Red, Op {
  using types = T;
  static constexpr Spec spec{.mnemonic = "red",
                             .fixed = "async release",
                             .syntax = "red.async{.mmio}.release.scope.global.op.type [a], b",
                             .section = "Parallel Synchronization: red.async",
                             .accept = Accept::space | Accept::scope | Accept::mode,
                             .modes = {Op::word},
                             .ignored = "mmio",
                             .min_ptx = 87,
                             .min_sm = 100,
                             .legal = [](const Mods& m, Ty, Ty) { return async_global(m); },
                             .min_operands = 2,
                             .max_operands = 2};
};

using MultimemOps =
    OpList<MultimemLoad<kMultimemAdd, MultimemSums>, MultimemLoad<kMultimemMin, MultimemExtremes>,
           MultimemLoad<kMultimemMax, MultimemExtremes>, MultimemLoad<kMultimemAnd, MultimemBits>,
           MultimemLoad<kMultimemOr, MultimemBits>, MultimemLoad<kMultimemXor, MultimemBits>, MultimemStore,
           MultimemRed<AtomicAdd>, MultimemRed<AtomicAddHalf>, MultimemRed<AtomicMin>, MultimemRed<AtomicMinHalf>,
           MultimemRed<AtomicMax>, MultimemRed<AtomicMaxHalf>, MultimemRed<AtomicAnd>, MultimemRed<AtomicOr>,
           MultimemRed<AtomicXor>, QueryCanceled, TryCancel, StAsyncGlobal,
           RedAsyncGlobal<AtomicAnd, Types<Ty::b32>>, RedAsyncGlobal<AtomicOr, Types<Ty::b32>>,
           RedAsyncGlobal<AtomicXor, Types<Ty::b32>>,
           RedAsyncGlobal<AtomicAdd, Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>>,
           RedAsyncGlobal<AtomicInc, Types<Ty::u32>>, RedAsyncGlobal<AtomicDec, Types<Ty::u32>>,
           RedAsyncGlobal<AtomicMin, Types<Ty::u32, Ty::s32>>, RedAsyncGlobal<AtomicMax, Types<Ty::u32, Ty::s32>>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
