#pragma once
// Barriers in shared memory (PTX ISA 9.0, 9.7.13.15): 64-bit objects that count arrivals and bytes of asynchronous
// copies. The executor gives them meaning (exec/mbarrier.cpp).
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kMbarrierSection = "Parallel Synchronization: mbarrier";

// .sem and .scope come together; the scope is that of a block or a cluster.
inline bool mbarrier_legal(const Mods& m, Sem ordered) {
  const bool place = m.space == Space::generic || m.space == Space::shared;
  const bool plain = m.sem == Sem::weak && m.scope == Scope::none;
  const bool in_block = m.scope == Scope::cta || m.scope == Scope::cluster;
  return place && (plain || ((m.sem == ordered || m.sem == Sem::relaxed) && in_block));
}
inline bool mbarrier_plain(const Mods& m, Ty, Ty) { return mbarrier_legal(m, Sem::relaxed) && m.sem == Sem::weak; }
inline bool mbarrier_release(const Mods& m, Ty, Ty) { return mbarrier_legal(m, Sem::release); }
inline bool mbarrier_acquire(const Mods& m, Ty, Ty) { return mbarrier_legal(m, Sem::acquire); }
inline bool mbarrier_relaxed(const Mods& m, Ty, Ty) { return mbarrier_legal(m, Sem::relaxed); }

struct MbarrierBase {
  using types = Types<Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::atom_shared; }
  static constexpr Control control = Control::mbarrier;
};

struct MbarrierInit : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::init;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "init",
                             .syntax = "mbarrier.init{.shared{::cta}}.b64 [addr], count",
                             .section = kMbarrierSection,
                             .accept = Accept::space,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_plain,
                             .min_operands = 2,
                             .max_operands = 2};
};
struct MbarrierInval : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::inval;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "inval",
                             .syntax = "mbarrier.inval{.shared{::cta}}.b64 [addr]",
                             .section = kMbarrierSection,
                             .accept = Accept::space,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_plain,
                             .min_operands = 1,
                             .max_operands = 1};
};
struct MbarrierExpectTx : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::expect_tx;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "expect_tx",
                             .syntax = "mbarrier.expect_tx{.sem.scope}{.space}.b64 [addr], bytes",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = mbarrier_relaxed,
                             .min_operands = 2,
                             .max_operands = 2};
};
struct MbarrierCompleteTx : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::complete_tx;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "complete_tx",
                             .syntax = "mbarrier.complete_tx{.sem.scope}{.space}.b64 [addr], bytes",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = mbarrier_relaxed,
                             .min_operands = 2,
                             .max_operands = 2};
};

// arrive and arrive_drop; .noComplete promises that the phase stays open, .expect_tx adds bytes first: the third operand
// is an arrival count, or the bytes.
struct MbarrierArrive : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "arrive",
                             .syntax = "mbarrier.arrive{.sem.scope}{.space}.b64 state, [addr]{, count}",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_release,
                             .min_operands = 2,
                             .max_operands = 3};
};
struct MbarrierArriveNoComplete : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "arrive noComplete",
                             .syntax = "mbarrier.arrive.noComplete{.release.cta}{.shared{::cta}}.b64 state, [addr], count",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_release,
                             .min_operands = 3,
                             .max_operands = 3};
};
struct MbarrierArriveExpectTx : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive_expect_tx;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "arrive expect_tx",
                             .syntax = "mbarrier.arrive.expect_tx{.sem.scope}{.space}.b64 state, [addr], bytes",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = mbarrier_release,
                             .min_operands = 3,
                             .max_operands = 3};
};
struct MbarrierArriveDrop : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive_drop;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "arrive_drop",
                             .syntax = "mbarrier.arrive_drop{.sem.scope}{.space}.b64 state, [addr]{, count}",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_release,
                             .min_operands = 2,
                             .max_operands = 3};
};
struct MbarrierArriveDropNoComplete : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive_drop;
  static constexpr Spec spec{
      .mnemonic = "mbarrier",
      .fixed = "arrive_drop noComplete",
      .syntax = "mbarrier.arrive_drop.noComplete{.release.cta}{.shared{::cta}}.b64 state, [addr], count",
      .section = kMbarrierSection,
      .accept = Accept::space | Accept::sem | Accept::scope,
      .min_ptx = 70,
      .min_sm = 80,
      .legal = mbarrier_release,
      .min_operands = 3,
      .max_operands = 3};
};
struct MbarrierArriveDropExpectTx : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::arrive_drop_expect_tx;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "arrive_drop expect_tx",
                             .syntax = "mbarrier.arrive_drop.expect_tx{.sem.scope}{.space}.b64 state, [addr], bytes",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = mbarrier_release,
                             .min_operands = 3,
                             .max_operands = 3};
};

// Mods::mode 1: .parity, the phase is named by its parity instead of the state an arrival returned.
struct MbarrierTestWait : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::test_wait;
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "test_wait",
                             .syntax = "mbarrier.test_wait{.parity}{.sem.scope}{.shared{::cta}}.b64 p, [addr], phase",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::sem | Accept::scope | Accept::opt_mode,
                             .modes = {"parity"},
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_acquire,
                             .min_operands = 3,
                             .max_operands = 3};
};
struct MbarrierTryWait : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::try_wait;
  static constexpr Spec spec{
      .mnemonic = "mbarrier",
      .fixed = "try_wait",
      .syntax = "mbarrier.try_wait{.parity}{.sem.scope}{.shared{::cta}}.b64 p, [addr], phase{, time_hint}",
      .section = kMbarrierSection,
      .accept = Accept::space | Accept::sem | Accept::scope | Accept::opt_mode,
      .modes = {"parity"},
      .min_ptx = 78,
      .min_sm = 90,
      .legal = mbarrier_acquire,
      .min_operands = 3,
      .max_operands = 4};
};
struct MbarrierPendingCount : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::pending_count;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Spec spec{.mnemonic = "mbarrier",
                             .fixed = "pending_count",
                             .syntax = "mbarrier.pending_count.b64 count, state",
                             .section = kMbarrierSection,
                             .min_ptx = 70,
                             .min_sm = 80,
                             .min_operands = 2,
                             .max_operands = 2};
};

// An arrival when all copies of the thread so far are done. Without .noinc it first raises the pending count by one.
struct CpAsyncMbarrierArrive : MbarrierBase {
  static constexpr Mbarrier mbarrier = Mbarrier::copies_arrive;
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async mbarrier arrive",
                             .syntax = "cp.async.mbarrier.arrive{.noinc}{.shared{::cta}}.b64 [addr]",
                             .section = kMbarrierSection,
                             .accept = Accept::space | Accept::opt_mode,
                             .modes = {"noinc"},
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = mbarrier_plain,
                             .min_operands = 1,
                             .max_operands = 1};
};

using MbarrierOps =
    OpList<MbarrierInit, MbarrierInval, MbarrierExpectTx, MbarrierCompleteTx, MbarrierArrive, MbarrierArriveNoComplete,
           MbarrierArriveExpectTx, MbarrierArriveDrop, MbarrierArriveDropNoComplete, MbarrierArriveDropExpectTx,
           MbarrierTestWait, MbarrierTryWait, MbarrierPendingCount, CpAsyncMbarrierArrive>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
