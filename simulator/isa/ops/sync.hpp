#pragma once
// Barriers and fences (PTX ISA 9.0, 9.7.13). The executor gives them meaning.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kSyncSection = "Parallel Synchronization: bar, barrier";

// bar.X is barrier.X.aligned (all threads of a warp execute the same one); ".cta" is the only level.
struct BlockBarrier {
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::barrier; }
};
struct BarSync : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "bar",
                             .fixed = "sync",
                             .syntax = "bar{.cta}.sync a{, b}",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_operands = 1,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_sync;
};
struct BarArrive : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "bar",
                             .fixed = "arrive",
                             .syntax = "bar{.cta}.arrive a, b",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_ptx = 20,
                             .min_sm = 20,
                             .min_operands = 2,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_arrive;
};
struct BarrierSync : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "sync",
                             .syntax = "barrier{.cta}.sync a{, b}",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 1,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_sync;
};
struct BarrierSyncAligned : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "sync aligned",
                             .syntax = "barrier{.cta}.sync.aligned a{, b}",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 1,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_sync;
};
struct BarrierArrive : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "arrive",
                             .syntax = "barrier{.cta}.arrive a, b",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 2,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_arrive;
};
struct BarrierArriveAligned : BlockBarrier {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "arrive aligned",
                             .syntax = "barrier{.cta}.arrive.aligned a, b",
                             .section = kSyncSection,
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 2,
                             .max_operands = 2};
  static constexpr Control control = Control::bar_arrive;
};

// Mods::mode: 0 popc (.u32 destination), 1 and, 2 or (.pred).
inline bool reduction_legal(const Mods& m, Ty type, Ty) { return (m.mode == 0) == (type == Ty::u32); }
struct BarrierReduction {
  using types = Types<Ty::u32, Ty::pred>;
  static constexpr Lat latency(Ty) { return Lat::barrier; }
  static constexpr Control control = Control::bar_red;
};
struct BarRed : BarrierReduction {
  static constexpr Spec spec{.mnemonic = "bar",
                             .fixed = "red",
                             .syntax = "bar{.cta}.red.op.type d, a{, b}, {!}c",
                             .section = kSyncSection,
                             .accept = Accept::mode,
                             .modes = {"popc", "and", "or"},
                             .ignored = "cta",
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal = reduction_legal,
                             .min_operands = 3,
                             .max_operands = 4};
};
struct BarrierRed : BarrierReduction {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "red",
                             .syntax = "barrier{.cta}.red.op.type d, a{, b}, {!}c",
                             .section = kSyncSection,
                             .accept = Accept::mode,
                             .modes = {"popc", "and", "or"},
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .legal = reduction_legal,
                             .min_operands = 3,
                             .max_operands = 4};
};
struct BarrierRedAligned : BarrierReduction {
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "red aligned",
                             .syntax = "barrier{.cta}.red.aligned.op.type d, a{, b}, {!}c",
                             .section = kSyncSection,
                             .accept = Accept::mode,
                             .modes = {"popc", "and", "or"},
                             .ignored = "cta",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .legal = reduction_legal,
                             .min_operands = 3,
                             .max_operands = 4};
};

struct BarWarpSync {
  static constexpr Spec spec{.mnemonic = "bar",
                             .fixed = "warp sync",
                             .syntax = "bar.warp.sync membermask",
                             .section = "Parallel Synchronization: bar.warp.sync",
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::barrier; }
  static constexpr Control control = Control::bar_warp_sync;
};

struct Membar {
  static constexpr Spec spec{.mnemonic = "membar",
                             .syntax = "membar.level",
                             .section = "Parallel Synchronization: membar",
                             .accept = Accept::mode,
                             .modes = {"cta", "gl", "sys"},
                             .min_ptx = 14,
                             .min_sm = 10,
                             .min_operands = 0,
                             .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::membar; }
  static constexpr Mem mem = Mem::fence;
};
struct Fence {
  static constexpr Spec spec{.mnemonic = "fence",
                             .syntax = "fence{.sem}.scope",
                             .section = "Parallel Synchronization: fence",
                             .accept = Accept::sem | Accept::scope,
                             .min_ptx = 60,
                             .min_sm = 70,
                             .required = Accept::scope,
                             .legal =
                                 [](const Mods& m, Ty, Ty) {
                                   return m.sem == Sem::weak || m.sem == Sem::sc || m.sem == Sem::acq_rel ||
                                          m.sem == Sem::acquire || m.sem == Sem::release;
                                 },
                             .min_operands = 0,
                             .max_operands = 0};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::membar; }
  static constexpr Mem mem = Mem::fence;
};

using SyncOps = OpList<BarSync, BarArrive, BarrierSync, BarrierSyncAligned, BarrierArrive, BarrierArriveAligned, BarRed,
                       BarrierRed, BarrierRedAligned, BarWarpSync, Membar, Fence>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
