#pragma once
// Asynchronous copies (PTX ISA 9.0, 9.7.9.25): cp.async and its groups. The executor moves the data at once; that nobody
// may look before a wait is the timing model's business.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kAsyncCopySection = "Data Movement: Asynchronous Copy";

struct CpAsync {
  static constexpr Spec spec{
      .mnemonic = "cp",
      .fixed = "async global",
      .syntax = "cp.async.cop.shared{::cta}.global{.level::cache_hint}{.level::prefetch_size} [dst], [src], cp-size{, "
                "src-size | ignore-src}{, cache-policy}",
      .section = kAsyncCopySection,
      .accept = Accept::space | Accept::cache,
      .min_ptx = 70,
      .min_sm = 80,
      .required = Accept::space | Accept::cache,
      .legal = [](const Mods& m, Ty, Ty) {
        return m.space == Space::shared && (m.cache == Cache::ca || m.cache == Cache::cg);
      },
      .min_operands = 3,
      .max_operands = 5};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::copy_async;
};

// One thread copies a contiguous range (9.7.9.25.4): to shared memory, its bytes counted by an mbarrier, or from it. No
// tensor maps.
struct BulkCopy {
  using types = Types<Ty::none>;
  static constexpr Mem mem = Mem::copy_bulk;
};
struct BulkToShared : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async bulk global mbarrier::complete_tx::bytes",
                             .syntax = "cp.async.bulk.shared::{cta,cluster}.global.mbarrier::complete_tx::bytes"
                                       "{.level::cache_hint} [dst], [src], size, [mbar]{, cache-policy}",
                             .section = kAsyncCopySection,
                             .accept = Accept::space | Accept::cache,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .required = Accept::space,
                             .legal = [](const Mods& m, Ty, Ty) {
                               return m.space == Space::shared && m.cache == Cache::none;
                             },
                             .min_operands = 4,
                             .max_operands = 5};
};
struct BulkFromShared : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Spec spec{.mnemonic = "cp",
                             .sequence = "async bulk global shared::cta bulk_group",
                             .syntax = "cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint} [dst], [src], "
                                       "size{, cache-policy}",
                             .section = kAsyncCopySection,
                             .accept = Accept::cache,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty) { return m.cache == Cache::none; },
                             .min_operands = 3,
                             .max_operands = 4};
};

struct CopyGroup {
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::branch; }
  static constexpr Control control = Control::copy_group;
};
struct CpAsyncGroup : CopyGroup {
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async",
                             .syntax = "cp.async.commit_group; cp.async.wait_all",
                             .section = kAsyncCopySection,
                             .accept = Accept::mode,
                             .modes = {"commit_group", "wait_group", "wait_all"},
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = [](const Mods& m, Ty, Ty) { return m.mode != kWaitGroup; },
                             .min_operands = 0,
                             .max_operands = 0};
};
struct CpAsyncWaitGroup : CopyGroup {
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async",
                             .syntax = "cp.async.wait_group N",
                             .section = kAsyncCopySection,
                             .accept = Accept::mode,
                             .modes = {"commit_group", "wait_group", "wait_all"},
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = [](const Mods& m, Ty, Ty) { return m.mode == kWaitGroup; },
                             .min_operands = 1,
                             .max_operands = 1};
};

struct CpAsyncBulkCommit : CopyGroup {
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async bulk",
                             .syntax = "cp.async.bulk.commit_group",
                             .section = kAsyncCopySection,
                             .accept = Accept::mode,
                             .modes = {"commit_group"},
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 0,
                             .max_operands = 0};
};
struct CpAsyncBulkWait : CopyGroup {
  static constexpr Spec spec{.mnemonic = "cp",
                             .fixed = "async bulk",
                             .syntax = "cp.async.bulk.wait_group{.read} N",
                             .section = kAsyncCopySection,
                             .accept = Accept::mode,
                             .modes = {"commit_group", "wait_group"},
                             .ignored = "read",
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty) { return m.mode == kWaitGroup; },
                             .min_operands = 1,
                             .max_operands = 1};
};

using AsyncCopyOps =
    OpList<CpAsync, BulkToShared, BulkFromShared, CpAsyncGroup, CpAsyncWaitGroup, CpAsyncBulkCommit, CpAsyncBulkWait>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
