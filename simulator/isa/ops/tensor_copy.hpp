#pragma once
// Copies of boxes of a tensor (PTX ISA 9.0, 9.7.9.25.5): a tensor map says where its elements lie in global memory and
// how a box of them lies in shared memory. They are bulk copies with a list of coordinates. Modes other than .tile are
// not here.
#include "simulator/isa/ops/async_copy.hpp"
#include "simulator/isa/ops/atomics.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr std::string_view kTensorSection = "Data Movement: Tensor copy";

constexpr Spec tensor_spec(std::string_view sequence, std::string_view syntax, int8_t operands) {
  return {.mnemonic = "cp",
          .sequence = sequence,
          .syntax = syntax,
          .section = kTensorSection,
          .accept = Accept::cache,
          .min_ptx = 80,
          .min_sm = 90,
          .legal = [](const Mods& m, Ty, Ty) { return m.cache == Cache::none; },
          .min_operands = operands,
          .max_operands = static_cast<int8_t>(operands + 1)};
}

struct TensorToShared : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Spec spec = tensor_spec(
      "async bulk tensor 1d|2d|3d|4d|5d shared::cluster|shared::cta global tile? mbarrier::complete_tx::bytes "
      "cta_group::1?",
      "cp.async.bulk.tensor.dim.shared::{cluster,cta}.global{.tile}.mbarrier::complete_tx::bytes{.level::cache_hint} "
      "[dst], [map, {coordinates}], [mbar]{, cache-policy}",
      3);
};
struct TensorMulticast : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Spec spec = tensor_spec(
      "async bulk tensor 1d|2d|3d|4d|5d shared::cluster global tile? mbarrier::complete_tx::bytes multicast::cluster "
      "cta_group::1?",
      "cp.async.bulk.tensor.dim.shared::cluster.global{.tile}.mbarrier::complete_tx::bytes.multicast::cluster"
      "{.level::cache_hint} [dst], [map, {coordinates}], [mbar], mask{, cache-policy}",
      4);
};
struct TensorFromShared : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Spec spec = tensor_spec(
      "async bulk tensor 1d|2d|3d|4d|5d global shared::cta tile? bulk_group",
      "cp.async.bulk.tensor.dim.global.shared::cta{.tile}.bulk_group{.level::cache_hint} [map, {coordinates}], "
      "[src]{, cache-policy}",
      2);
};
// The type of the elements is the tensor map's.
struct TensorReduce : BulkCopy {
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Spec spec = tensor_spec(
      "reduce async bulk tensor 1d|2d|3d|4d|5d global shared::cta add|min|max|inc|dec|and|or|xor tile? bulk_group",
      "cp.reduce.async.bulk.tensor.dim.global.shared::cta.op{.tile}.bulk_group{.level::cache_hint} [map, "
      "{coordinates}], [src]{, cache-policy}",
      2);
};

struct TensorHint {
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::fence;
};
struct TensorPrefetch : TensorHint {
  static constexpr Spec spec =
      tensor_spec("async bulk prefetch tensor 1d|2d|3d|4d|5d L2 global tile?",
                  "cp.async.bulk.prefetch.tensor.dim.L2.global{.tile}{.level::cache_hint} [map, {coordinates}]{, "
                  "cache-policy}",
                  1);
};
struct MapPrefetch : TensorHint {
  static constexpr Spec spec{.mnemonic = "prefetch",
                             .fixed = "tensormap",
                             .syntax = "prefetch{.const,.param}.tensormap [a]",
                             .section = "Data Movement: prefetch",
                             .accept = Accept::space,
                             .min_ptx = 80,
                             .min_sm = 90,
                             .legal = [](const Mods& m, Ty, Ty) {
                               return m.space == Space::generic || m.space == Space::constant ||
                                      m.space == Space::param;
                             },
                             .min_operands = 1,
                             .max_operands = 1};
};

using TensorOps =
    OpList<TensorToShared, TensorMulticast, TensorFromShared, TensorReduce, TensorPrefetch, MapPrefetch>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
