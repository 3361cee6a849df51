#pragma once
// Asynchronous reductions, and stores whose bytes an mbarrier counts (PTX ISA 9.0, 9.7.9.12 st.async, 9.7.9.25.4.2
// cp.reduce.async.bulk, 9.7.13.17 red.async). What is sent to another block's shared memory is there at once.
#include "simulator/isa/ops/async_copy.hpp"
#include "simulator/isa/ops/atomics.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// --- copies that combine what they bring with what is there ---
constexpr Spec reduce_spec(std::string_view fixed, std::string_view op, std::string_view syntax, int8_t operands) {
  return {.mnemonic = "cp",
          .fixed = fixed,
          .syntax = syntax,
          .section = kAsyncCopySection,
          .accept = Accept::mode | Accept::cache,
          .modes = {op},
          .min_ptx = 80,
          .min_sm = 90,
          .legal = [](const Mods& m, Ty, Ty) { return m.cache == Cache::none; },
          .min_operands = operands,
          .max_operands = static_cast<int8_t>(operands + 1)};
}
inline constexpr std::string_view kToGlobal = "reduce async bulk global shared::cta bulk_group";
inline constexpr std::string_view kHalvesToGlobal = "reduce async bulk global shared::cta bulk_group noftz";
inline constexpr std::string_view kToGlobalSyntax =
    "cp.reduce.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}.op{.noftz}.type [dst], [src], size{, "
    "cache-policy}";
template <class Op, class T>
struct ReduceToGlobal : BulkCopy, Op {
  using types = T;
  static constexpr bool kNoFtz = std::is_same_v<Op, AtomicAddHalf>;
  static constexpr Spec spec = reduce_spec(kNoFtz ? kHalvesToGlobal : kToGlobal, Op::word, kToGlobalSyntax, 3);
  static constexpr Lat latency(Ty) { return Lat::st_global; }
};
template <class Op, class T>
struct ReduceToShared : BulkCopy, Op {
  using types = T;
  static constexpr Spec spec =
      reduce_spec("reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes", Op::word,
                  "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.op.type [dst], [src], "
                  "size, [mbar]",
                  4);
  static constexpr Lat latency(Ty) { return Lat::st_shared; }
};

// --- copies to the shared memory of other blocks of the cluster ---
struct BulkWithinShared : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::st_shared; }
  static constexpr Spec spec{
      .mnemonic = "cp",
      .sequence = "async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
      .syntax = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [dst], [src], size, [mbar]",
      .section = kAsyncCopySection,
      .min_ptx = 80,
      .min_sm = 90,
      .min_operands = 4,
      .max_operands = 4};
};
// To each block of the cluster that the mask names, at the same place in its memory.
struct BulkMulticast : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Spec spec{.mnemonic = "cp",
                             .sequence = "async bulk shared::cluster global mbarrier::complete_tx::bytes "
                                         "multicast::cluster",
                             .syntax = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                                       "multicast::cluster{.level::cache_hint} [dst], [src], size, [mbar], mask{, "
                                       "cache-policy}",
                             .section = kAsyncCopySection,
                             .accept = Accept::cache,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty) { return m.cache == Cache::none; },
                             .min_operands = 5,
                             .max_operands = 6};
};

// --- a store or a reduction by each lane, counted by an mbarrier ---
inline bool counted_place(const Mods& m) { return m.space == Space::generic || m.space == Space::shared; }
struct StAsync {
  using types = Types<Ty::b32, Ty::b64, Ty::u32, Ty::u64, Ty::s32, Ty::s64, Ty::f32, Ty::f64>;
  static constexpr Lat latency(Ty) { return Lat::st_shared; }
  static constexpr Mem mem = Mem::st;
  static constexpr Spec spec{
      .mnemonic = "st",
      .fixed = "async mbarrier::complete_tx::bytes",
      .syntax = "st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [mbar]",
      .section = "Data Movement: st.async",
      .accept = Accept::space | Accept::vec | Accept::sem,
      .min_ptx = 81,
      .min_sm = 90,
      .legal = [](const Mods& m, Ty type, Ty) {
        return counted_place(m) && m.sem == Sem::weak && m.vec * bits(type) <= 128;
      },
      .min_operands = 3,
      .max_operands = 3};
};
template <class Op, class T>
struct RedAsync : Op {
  using types = T;
  static constexpr Lat latency(Ty) { return Lat::atom_shared; }
  static constexpr Mem mem = Mem::red;
  static constexpr Spec spec{
      .mnemonic = "red",
      .fixed = "async mbarrier::complete_tx::bytes",
      .syntax = "red.async.relaxed.cluster{.shared::cluster}.mbarrier::complete_tx::bytes.op.type [a], b, [mbar]",
      .section = "Parallel Synchronization: red.async",
      .accept = Accept::space | Accept::sem | Accept::scope | Accept::mode,
      .modes = {Op::word},
      .min_ptx = 81,
      .min_sm = 90,
      .legal = [](const Mods& m, Ty, Ty) {
        return counted_place(m) && m.sem == Sem::relaxed && m.scope == Scope::cluster;
      },
      .min_operands = 3,
      .max_operands = 3};
};

using Words32 = Types<Ty::b32>;
using Counts = Types<Ty::u32>;
using Numbers32 = Types<Ty::u32, Ty::s32>;
using Halves = Types<Ty::f16, Ty::bf16>;
using SharedSums = Types<Ty::u32, Ty::s32, Ty::u64>;
using AsyncSums = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;

using AsyncReduceOps =
    OpList<ReduceToGlobal<AtomicAnd, AtomicAnd::types>, ReduceToGlobal<AtomicOr, AtomicOr::types>,
           ReduceToGlobal<AtomicXor, AtomicXor::types>, ReduceToGlobal<AtomicAdd, AtomicAdd::types>,
           ReduceToGlobal<AtomicInc, Counts>, ReduceToGlobal<AtomicDec, Counts>, ReduceToGlobal<AtomicMin, AtomicMin::types>,
           ReduceToGlobal<AtomicMax, AtomicMax::types>, ReduceToGlobal<AtomicAddHalf, Halves>, ReduceToGlobal<AtomicMinHalf, Halves>,
           ReduceToGlobal<AtomicMaxHalf, Halves>, ReduceToShared<AtomicAnd, Words32>, ReduceToShared<AtomicOr, Words32>,
           ReduceToShared<AtomicXor, Words32>, ReduceToShared<AtomicAdd, SharedSums>, ReduceToShared<AtomicInc, Counts>,
           ReduceToShared<AtomicDec, Counts>, ReduceToShared<AtomicMin, Numbers32>, ReduceToShared<AtomicMax, Numbers32>,
           BulkWithinShared, BulkMulticast, StAsync, RedAsync<AtomicAnd, Words32>, RedAsync<AtomicOr, Words32>,
           RedAsync<AtomicXor, Words32>, RedAsync<AtomicAdd, AsyncSums>, RedAsync<AtomicInc, Counts>, RedAsync<AtomicDec, Counts>,
           RedAsync<AtomicMin, Numbers32>, RedAsync<AtomicMax, Numbers32>>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
