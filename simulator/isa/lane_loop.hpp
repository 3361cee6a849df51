#pragma once
// The one lane loop: operand fetch, mask, write-back, for every lane op. Compiled once per vector ISA level, so
// everything here and in ops/ lives in an inline namespace named after the level (no function of one level can be
// linked into another).
//
// Three paths, same results: all 32 lanes (the loop the compiler vectorises), some lanes (compute all, blend: eval is
// total, so idle lanes do no harm), one lane (scalar; single-thread kernels live here).
#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "simulator/isa/op.hpp"

#ifndef HPML_SIMD_LEVEL
#define HPML_SIMD_LEVEL baseline
#endif
#define HPML_SIMD_NS inline namespace HPML_SIMD_LEVEL

#if defined(__clang__)
#define HPML_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define HPML_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace hpml::sim::isa {
HPML_SIMD_NS {

// C++ type of a PTX type.
template <Ty T>
struct CppOf;
#define HPML_CPP_OF(ty, cpp) \
  template <>                \
  struct CppOf<Ty::ty> {     \
    using type = cpp;        \
  }
HPML_CPP_OF(pred, bool);
HPML_CPP_OF(b8, uint8_t);
HPML_CPP_OF(u8, uint8_t);
HPML_CPP_OF(s8, int8_t);
HPML_CPP_OF(b16, uint16_t);
HPML_CPP_OF(u16, uint16_t);
HPML_CPP_OF(s16, int16_t);
HPML_CPP_OF(b32, uint32_t);
HPML_CPP_OF(u32, uint32_t);
HPML_CPP_OF(s32, int32_t);
HPML_CPP_OF(b64, uint64_t);
HPML_CPP_OF(u64, uint64_t);
HPML_CPP_OF(s64, int64_t);
HPML_CPP_OF(f32, float);
HPML_CPP_OF(f64, double);
HPML_CPP_OF(f16, F16);
HPML_CPP_OF(bf16, BF16);
HPML_CPP_OF(f16x2, F16x2);
HPML_CPP_OF(bf16x2, BF16x2);
HPML_CPP_OF(tf32, uint32_t);
#undef HPML_CPP_OF
template <Ty T>
using Cpp = typename CppOf<T>::type;

// --- where one operand's lanes are ---
inline const std::byte* lanes_of(const std::byte* regs, const std::byte* consts, Slot slot) {
  return (slot & kConstBit) != 0 ? consts + (slot & ~kConstBit) : regs + slot;
}
inline LaneMask load_mask(const std::byte* p) {
  LaneMask m;
  std::memcpy(&m, p, sizeof m);
  return m;
}
inline void store_mask(std::byte* p, LaneMask active, LaneMask value) {
  const LaneMask old = load_mask(p);
  const LaneMask merged = (old & ~active) | (value & active);
  std::memcpy(p, &merged, sizeof merged);
}

template <class A>
inline constexpr bool kIsMask = std::is_same_v<A, bool> || std::is_same_v<A, Carry>;

// One source operand: a typed lane array, or a mask whose bit is the lane's value.
template <class A>
struct Source {
  const A* lanes;
  explicit Source(const std::byte* p) : lanes(reinterpret_cast<const A*>(p)) {}
  A operator[](int lane) const { return lanes[lane]; }
};
template <>
struct Source<bool> {
  LaneMask mask;
  explicit Source(const std::byte* p) : mask(load_mask(p)) {}
  bool operator[](int lane) const { return ((mask >> lane) & 1u) != 0; }
};
template <>
struct Source<Carry> {
  LaneMask mask;
  explicit Source(const std::byte* p) : mask(load_mask(p)) {}
  Carry operator[](int lane) const { return {((mask >> lane) & 1u) != 0}; }
};

// One destination: collects 32 results, then writes those of the active lanes.
template <class R>
struct Sink {
  alignas(64) R values[kWarpSize];
  void set(int lane, R value) { values[lane] = value; }
  void commit(std::byte* p, LaneMask active) const {
    R* out = reinterpret_cast<R*>(p);
    if (active == kFullMask) {
      std::memcpy(out, values, sizeof values);
      return;
    }
    HPML_LANE_LOOP
    for (int lane = 0; lane < kWarpSize; ++lane) {
      out[lane] = ((active >> lane) & 1u) != 0 ? values[lane] : out[lane];
    }
  }
  static void commit_one(std::byte* p, int lane, R value) { reinterpret_cast<R*>(p)[lane] = value; }
};
template <>
struct Sink<bool> {
  LaneMask mask = 0;
  void set(int lane, bool value) { mask |= LaneMask{value} << lane; }
  void commit(std::byte* p, LaneMask active) const { store_mask(p, active, mask); }
  static void commit_one(std::byte* p, int lane, bool value) { store_mask(p, 1u << lane, LaneMask{value} << lane); }
};

// Results: plain, with carry, or two.
template <class R>
struct Results {
  Sink<R> d;
  void set(int lane, R r) { d.set(lane, r); }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst) const { d.commit(regs + inst.dst[0], active); }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, R r) {
    Sink<R>::commit_one(regs + inst.dst[0], lane, r);
  }
};
template <class T>
struct Results<WithCarry<T>> {
  Sink<T> d;
  Sink<bool> cc;
  void set(int lane, WithCarry<T> r) {
    d.set(lane, r.value);
    cc.set(lane, r.carry);
  }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst) const {
    d.commit(regs + inst.dst[0], active);
    cc.commit(regs + inst.carry, active);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, WithCarry<T> r) {
    Sink<T>::commit_one(regs + inst.dst[0], lane, r.value);
    Sink<bool>::commit_one(regs + inst.carry, lane, r.carry);
  }
};
template <class A, class B>
struct Results<Two<A, B>> {
  Sink<A> first;
  Sink<B> second;
  void set(int lane, Two<A, B> r) {
    first.set(lane, r.first);
    second.set(lane, r.second);
  }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst) const {
    first.commit(regs + inst.dst[0], active);
    second.commit(regs + inst.dst[1], active);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, Two<A, B> r) {
    Sink<A>::commit_one(regs + inst.dst[0], lane, r.first);
    Sink<B>::commit_one(regs + inst.dst[1], lane, r.second);
  }
};

// An op may compile its loop for fixed modifier values: `static void dispatch(Mods m, auto loop)` calls
// loop.template operator()<Mods{...}>() or loop(m). Default: one loop for "no modifiers", one for the rest.
template <class Op>
concept HasDispatch = requires { Op::kHasDispatch; };
template <class Op>
concept IsScalarOnly = requires { Op::kScalarOnly; };

template <class Op, class... Ts>
struct LaneRunner {
  template <class R, class... Args>
  static R signature_result(R (*)(Mods, Args...));
  template <class R, class... Args>
  static std::tuple<Args...> signature_args(R (*)(Mods, Args...));

  static constexpr auto kEval = &Op::template eval<Ts...>;
  using Result = decltype(signature_result(kEval));
  using Args = decltype(signature_args(kEval));
  static constexpr size_t kArgs = std::tuple_size_v<Args>;

  template <class A, size_t I>
  static Source<A> source(const std::byte* regs, const std::byte* consts, const LaneInst& inst) {
    if constexpr (std::is_same_v<A, Carry>) {
      return Source<A>(regs + inst.carry);
    } else {
      return Source<A>(lanes_of(regs, consts, inst.src[I]));
    }
  }

  template <class ModsOf, size_t... I>
  [[gnu::always_inline]] static inline void loop(std::byte* regs, const std::byte* consts, LaneMask active,
                                                 const LaneInst& inst, ModsOf mods_of, std::index_sequence<I...>) {
    const std::tuple<Source<std::tuple_element_t<I, Args>>...> src{
        source<std::tuple_element_t<I, Args>, I>(regs, consts, inst)...};
    if (std::has_single_bit(active)) {
      const int lane = std::countr_zero(active);
      Results<Result>::commit_one(regs, lane, inst, Op::template eval<Ts...>(mods_of(), std::get<I>(src)[lane]...));
      return;
    }
    Results<Result> out;
    if constexpr (IsScalarOnly<Op>) {
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        out.set(lane, Op::template eval<Ts...>(mods_of(), std::get<I>(src)[lane]...));
      }
    } else {
      HPML_LANE_LOOP
      for (int lane = 0; lane < kWarpSize; ++lane) {
        out.set(lane, Op::template eval<Ts...>(mods_of(), std::get<I>(src)[lane]...));
      }
    }
    out.commit(regs, active, inst);
  }

  static void run(std::byte* regs, const std::byte* consts, LaneMask active, const LaneInst& inst) {
    constexpr auto kSeq = std::make_index_sequence<kArgs>{};
    auto with = [&](auto mods_of) __attribute__((always_inline)) { loop(regs, consts, active, inst, mods_of, kSeq); };
    if constexpr (HasDispatch<Op>) {
      Op::dispatch(inst.mods, with);
    } else {
      const Mods m = inst.mods;
      if (m == Mods{}) {
        with([] { return Mods{}; });
      } else {
        with([m] { return m; });
      }
    }
  }
};

// Modifier value fixed at compile time, for Op::dispatch: with(fixed<Mods{.cmp = Cmp::eq}>).
template <Mods M>
struct FixedMods {
  constexpr Mods operator()() const { return M; }
};

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
