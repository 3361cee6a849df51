#pragma once
// Instructions that order or advise what this machine does in order anyway: proxy fences, dependent launches, register
// counts; and the barrier of a cluster (PTX ISA 9.0, 9.7.9, 9.7.13, 9.7.18).
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kFenceSection = "Parallel Synchronization: fence";
inline constexpr std::string_view kPolicySection = "Data Movement: createpolicy";

struct OrderHint {
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Mem mem = Mem::fence;
};

struct FenceProxy : OrderHint {
  static constexpr Spec spec{.mnemonic = "fence",
                             .fixed = "proxy",
                             .syntax = "fence.proxy.alias; fence.proxy.async{.space}",
                             .section = kFenceSection,
                             .accept = Accept::mode | Accept::space,
                             .modes = {"alias", "async"},
                             .min_ptx = 75,
                             .min_sm = 70,
                             .legal = [](const Mods& m, Ty, Ty) {
                               const bool async = m.mode != 0;
                               return m.space == Space::generic ||
                                      (async && (m.space == Space::global || m.space == Space::shared));
                             },
                             .min_operands = 0,
                             .max_operands = 0};
};
struct FenceProxyAsyncGeneric : OrderHint {
  static constexpr Spec spec{
      .mnemonic = "fence",
      .sequence = "proxy async::generic acquire|release sync_restrict::shared::cluster|sync_restrict::shared::cta cluster",
      .syntax = "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster; "
                "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster",
      .section = kFenceSection,
      .min_ptx = 86,
      .min_sm = 90,
      .legal = [](const Mods& m, Ty, Ty) { return m.mode == 0 || m.mode == 3; },
      .min_operands = 0,
      .max_operands = 0};
};
struct FenceProxyTensormapRelease : OrderHint {
  static constexpr Spec spec{.mnemonic = "fence",
                             .fixed = "proxy tensormap::generic release",
                             .syntax = "fence.proxy.tensormap::generic.release.scope",
                             .section = kFenceSection,
                             .accept = Accept::scope,
                             .min_ptx = 83,
                             .min_sm = 90,
                             .required = Accept::scope,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct FenceProxyTensormapAcquire : OrderHint {
  static constexpr Spec spec{.mnemonic = "fence",
                             .fixed = "proxy tensormap::generic acquire",
                             .syntax = "fence.proxy.tensormap::generic.acquire.scope [addr], 128",
                             .section = kFenceSection,
                             .accept = Accept::scope,
                             .min_ptx = 83,
                             .min_sm = 90,
                             .required = Accept::scope,
                             .min_operands = 2,
                             .max_operands = 2};
};
struct FenceMbarrierInit : OrderHint {
  static constexpr Spec spec{.mnemonic = "fence",
                             .fixed = "mbarrier_init release cluster",
                             .syntax = "fence.mbarrier_init.release.cluster",
                             .section = kFenceSection,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct FenceRestricted : OrderHint {
  static constexpr Spec spec{
      .mnemonic = "fence",
      .sequence = "acquire|release sync_restrict::shared::cluster|sync_restrict::shared::cta cluster",
      .syntax = "fence.acquire.sync_restrict::shared::cluster.cluster; fence.release.sync_restrict::shared::cta.cluster",
      .section = kFenceSection,
      .min_ptx = 86,
      .min_sm = 90,
      .legal = [](const Mods& m, Ty, Ty) { return m.mode == 0 || m.mode == 3; },
      .min_operands = 0,
      .max_operands = 0};
};
struct MembarProxy : OrderHint {
  static constexpr Spec spec{.mnemonic = "membar",
                             .fixed = "proxy alias",
                             .syntax = "membar.proxy.alias",
                             .section = "Parallel Synchronization: membar",
                             .min_ptx = 75,
                             .min_sm = 70,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct Discard : OrderHint {
  static constexpr Spec spec{
      .mnemonic = "discard",
      .fixed = "L2",
      .syntax = "discard{.global}.L2 [a], 128",
      .section = "Data Movement: discard",
      .accept = Accept::space,
      .min_ptx = 74,
      .min_sm = 80,
      .legal = [](const Mods& m, Ty, Ty) { return m.space == Space::generic || m.space == Space::global; },
      .min_operands = 2,
      .max_operands = 2};
};
struct BulkPrefetch : OrderHint {
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async bulk prefetch L2 global",
                             .syntax = "cp.async.bulk.prefetch.L2.global{.level::cache_hint} [a], size{, cache-policy}",
                             .section = "Data Movement: Asynchronous Copy",
                             .accept = Accept::cache,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty) { return m.cache == Cache::none; },
                             .min_operands = 2,
                             .max_operands = 3};
};

// A cache policy has no meaning here, and no instruction looks at one: the register keeps what it held.
struct CachePolicy : OrderHint {
  using types = Types<Ty::b64>;
};
struct CreatePolicyFractional : CachePolicy {
  static constexpr Spec spec{
      .mnemonic = "createpolicy",
      .sequence = "fractional L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
                  "L2::evict_first|L2::evict_unchanged?",
      .syntax = "createpolicy.fractional.primary{.secondary}.b64 policy{, fraction}",
      .section = kPolicySection,
      .min_ptx = 74,
      .min_sm = 80,
      .min_operands = 1,
      .max_operands = 2};
};
struct CreatePolicyRange : CachePolicy {
  static constexpr Spec spec{
      .mnemonic = "createpolicy",
      .sequence = "range global? L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged "
                  "L2::evict_first|L2::evict_unchanged?",
      .syntax = "createpolicy.range{.global}.primary{.secondary}.b64 policy, [a], primary-size, total-size",
      .section = kPolicySection,
      .min_ptx = 74,
      .min_sm = 80,
      .min_operands = 4,
      .max_operands = 4};
};
struct CreatePolicyCvt : CachePolicy {
  static constexpr Spec spec{.mnemonic = "createpolicy",
                             .fixed = "cvt L2",
                             .syntax = "createpolicy.cvt.L2.b64 policy, access-property",
                             .section = kPolicySection,
                             .min_ptx = 74,
                             .min_sm = 80,
                             .min_operands = 2,
                             .max_operands = 2};
};

struct ControlHint {
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Control control = Control::nop;
};
struct GridDepControl : ControlHint {
  using types = Types<Ty::none>;
  static constexpr Spec spec{.mnemonic = "griddepcontrol",
                             .syntax = "griddepcontrol.action",
                             .section = "Parallel Synchronization: griddepcontrol",
                             .accept = Accept::mode,
                             .modes = {"launch_dependents", "wait"},
                             .min_ptx = 78,
                             .min_sm = 90,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct SetMaxNReg : ControlHint {
  using types = Types<Ty::u32>;
  static constexpr Spec spec{.mnemonic = "setmaxnreg",
                             .fixed = "sync aligned",
                             .syntax = "setmaxnreg.action.sync.aligned.u32 count",
                             .section = "Miscellaneous: setmaxnreg",
                             .accept = Accept::mode,
                             .modes = {"inc", "dec"},
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 1,
                             .max_operands = 1};
};

// wgmma.mma_async is complete when the next instruction runs, so its groups have no members.
struct WarpgroupOrder : ControlHint {
  using types = Types<Ty::none>;
  static constexpr Spec spec{.mnemonic = "wgmma",
                             .sequence = "fence|commit_group sync aligned",
                             .syntax = "wgmma.fence.sync.aligned; wgmma.commit_group.sync.aligned",
                             .section = "Asynchronous Warpgroup Level Matrix: wgmma",
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct WarpgroupWait : ControlHint {
  using types = Types<Ty::none>;
  static constexpr Spec spec{.mnemonic = "wgmma",
                             .fixed = "wait_group sync aligned",
                             .syntax = "wgmma.wait_group.sync.aligned N",
                             .section = "Asynchronous Warpgroup Level Matrix: wgmma",
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 1,
                             .max_operands = 1};
};

// The barrier of a cluster, apart from the numbered ones of its blocks.
inline bool cluster_arrive_legal(const Mods& m, Ty, Ty) {
  return m.sem == Sem::weak || m.sem == Sem::release || m.sem == Sem::relaxed;
}
struct ClusterArrive {
  static constexpr Lat latency(Ty) { return Lat::barrier; }
  static constexpr Control control = Control::cluster_arrive;
  using types = Types<Ty::none>;
  static constexpr Spec spec{.mnemonic = "barrier",
                             .fixed = "cluster arrive",
                             .syntax = "barrier.cluster.arrive{.sem}{.aligned}",
                             .section = "Parallel Synchronization: barrier.cluster",
                             .accept = Accept::sem,
                             .ignored = "aligned",
                             .min_ptx = 78,
                             .min_sm = 90,
                             .legal = cluster_arrive_legal,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct ClusterWait {
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::barrier; }
  static constexpr Control control = Control::cluster_wait;
  static constexpr Spec spec{
      .mnemonic = "barrier",
      .fixed = "cluster wait",
      .syntax = "barrier.cluster.wait{.acquire}{.aligned}",
      .section = "Parallel Synchronization: barrier.cluster",
      .accept = Accept::sem,
      .ignored = "aligned",
      .min_ptx = 78,
      .min_sm = 90,
      .legal = [](const Mods& m, Ty, Ty) { return m.sem == Sem::weak || m.sem == Sem::acquire; },
      .min_operands = 0,
      .max_operands = 0};
};

using HintOps = OpList<FenceProxy, FenceProxyAsyncGeneric, FenceProxyTensormapRelease, FenceProxyTensormapAcquire,
                       FenceMbarrierInit, FenceRestricted, MembarProxy, Discard, BulkPrefetch, CreatePolicyFractional,
                       CreatePolicyRange, CreatePolicyCvt, GridDepControl, SetMaxNReg, WarpgroupOrder, WarpgroupWait,
                       ClusterArrive, ClusterWait>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
