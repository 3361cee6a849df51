#pragma once
// Loads, stores and address conversion (PTX ISA 9.0, 9.7.9). The executor moves the data (exec room); here is what may
// be written and which latency class the generic form has: the executor picks the class of the space an access really
// goes to.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

using MemoryTypes = Types<Ty::b8, Ty::b16, Ty::b32, Ty::b64, Ty::b128, Ty::u8, Ty::u16, Ty::u32, Ty::u64, Ty::s8,
                          Ty::s16, Ty::s32, Ty::s64, Ty::f32, Ty::f64>;
inline constexpr Accept kAccess = Accept::space | Accept::cache | Accept::sem | Accept::scope | Accept::vec;

// 16 bytes per lane at most, 32 in global memory; .b128 only alone.
inline bool width_legal(const Mods& m, Ty type) {
  const bool wide = (m.space == Space::global || m.space == Space::generic) && bits(type) >= 32;
  return type == Ty::b128 ? m.vec == 1 : m.vec * bits(type) <= (wide ? 256 : 128);
}
// Ordered accesses name a scope, the others must not; and they go to the caches as they must.
inline bool access_legal(const Mods& m, Ty type, Sem ordered) {
  const bool is_ordered = m.sem == Sem::relaxed || m.sem == ordered;
  const bool is_plain = m.sem == Sem::weak || m.sem == Sem::volatile_;
  if (m.sem == Sem::mmio) {
    return m.scope == Scope::sys && m.vec == 1 && m.cache == Cache::none;
  }
  if (!width_legal(m, type) || !(is_ordered || is_plain)) {
    return false;
  }
  const bool cache_fits = m.sem == Sem::weak || m.cache == Cache::none;
  return cache_fits && is_ordered == (m.scope != Scope::none);
}
inline bool ld_legal(const Mods& m, Ty type, Ty) {
  const bool cache_fits = m.cache != Cache::wb && m.cache != Cache::wt;
  const bool nc_fits = m.cache != Cache::nc || m.space == Space::global;
  const bool readonly_space = m.space == Space::constant || m.space == Space::param;
  return access_legal(m, type, Sem::acquire) && cache_fits && nc_fits && !(readonly_space && m.sem != Sem::weak);
}
inline bool st_legal(const Mods& m, Ty type, Ty) {
  const bool cache_fits = m.cache == Cache::none || m.cache == Cache::wb || m.cache == Cache::cg ||
                          m.cache == Cache::cs || m.cache == Cache::wt;
  return access_legal(m, type, Sem::release) && cache_fits && m.space != Space::constant &&
         !(m.space == Space::param && m.sem != Sem::weak);
}

struct Ld {
  static constexpr Spec spec{.mnemonic = "ld",
                             .syntax = "ld{.sem}{.scope}{.space}{.cop}{.nc}{.vec}.type d, [a]",
                             .section = "Data Movement: ld",
                             .accept = kAccess,
                             .legal = ld_legal,
                             .min_operands = 2,
                             .max_operands = 3};
  using types = MemoryTypes;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::ld;
};
struct Ldu {
  static constexpr Spec spec{.mnemonic = "ldu",
                             .syntax = "ldu{.space}{.vec}.type d, [a]",
                             .section = "Data Movement: ldu",
                             .accept = Accept::space | Accept::vec,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal =
                                 [](const Mods& m, Ty type, Ty) {
                                   return (m.space == Space::generic || m.space == Space::global) && m.vec <= 4 &&
                                          m.vec * bits(type) <= 128;
                                 },
                             .min_operands = 2,
                             .max_operands = 2};
  using types = MemoryTypes;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::ld;
};
struct St {
  static constexpr Spec spec{.mnemonic = "st",
                             .syntax = "st{.sem}{.scope}{.space}{.cop}{.vec}.type [a], b",
                             .section = "Data Movement: st",
                             .accept = kAccess,
                             .legal = st_legal,
                             .min_operands = 2,
                             .max_operands = 3};
  using types = MemoryTypes;
  static constexpr Lat latency(Ty) { return Lat::st_global; }
  static constexpr Mem mem = Mem::st;
};

// Hints: no effect on values.
inline bool global_or_local(const Mods& m, Ty, Ty) {
  return m.space == Space::generic || m.space == Space::global || m.space == Space::local;
}
struct Prefetch {
  static constexpr Spec spec{.mnemonic = "prefetch",
                             .syntax = "prefetch{.space}.level [a]",
                             .section = "Data Movement: prefetch",
                             .accept = Accept::space | Accept::mode,
                             .modes = {"L1", "L2", "L2::evict_last", "L2::evict_normal"},
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal = global_or_local,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::prefetch;
};
struct Prefetchu {
  static constexpr Spec spec{.mnemonic = "prefetchu",
                             .fixed = "L1",
                             .syntax = "prefetchu.L1 [a]",
                             .section = "Data Movement: prefetchu",
                             .min_ptx = 20,
                             .min_sm = 20,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::prefetch;
};
struct Applypriority {
  static constexpr Spec spec{
      .mnemonic = "applypriority",
      .fixed = "L2::evict_normal",
      .syntax = "applypriority{.global}.L2::evict_normal [a], 128",
      .section = "Data Movement: applypriority",
      .accept = Accept::space,
      .min_ptx = 74,
      .min_sm = 80,
      .legal = [](const Mods& m, Ty, Ty) { return m.space == Space::generic || m.space == Space::global; },
      .min_operands = 2,
      .max_operands = 2};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::ld_global; }
  static constexpr Mem mem = Mem::prefetch;
};

using AddressTypes = Types<Ty::u32, Ty::u64>;
inline bool names_a_space(const Mods& m, Ty, Ty) { return m.space != Space::generic; }
struct CvtaFromSpace {
  static constexpr Spec spec{.mnemonic = "cvta",
                             .syntax = "cvta.space.size p, a",
                             .section = "Data Movement: cvta",
                             .accept = Accept::space,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal = names_a_space,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = AddressTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  static constexpr Mem mem = Mem::cvta_from;
};
struct CvtaToSpace {
  static constexpr Spec spec{.mnemonic = "cvta",
                             .fixed = "to",
                             .syntax = "cvta.to.space.size p, a",
                             .section = "Data Movement: cvta",
                             .accept = Accept::space,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal = names_a_space,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = AddressTypes;
  static constexpr Lat latency(Ty) { return Lat::none; }
  static constexpr Mem mem = Mem::cvta_to;
};
struct Isspacep {
  static constexpr Spec spec{.mnemonic = "isspacep",
                             .syntax = "isspacep.space p, a",
                             .section = "Data Movement: isspacep",
                             .accept = Accept::space,
                             .min_ptx = 20,
                             .min_sm = 20,
                             .legal = names_a_space,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Mem mem = Mem::isspacep;
};

struct Getctarank {
  static constexpr Spec spec{.mnemonic = "getctarank",
                             .syntax = "getctarank{.shared::cluster}.type d, a",
                             .section = "Data Movement: getctarank",
                             .ignored = "shared::cluster",
                             .min_ptx = 78,
                             .min_sm = 90,
                             .min_operands = 2,
                             .max_operands = 2};
  using types = Types<Ty::u32, Ty::u64>;
  static constexpr Lat latency(Ty) { return Lat::int_alu; }
  static constexpr Mem mem = Mem::cta_rank;
};

using MemoryOps = OpList<Ld, Ldu, St, Prefetch, Prefetchu, Applypriority, CvtaFromSpace, CvtaToSpace, Isspacep, Getctarank>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
