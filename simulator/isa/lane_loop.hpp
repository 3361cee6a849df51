#pragma once
// The one lane loop: operand fetch, mask, write-back, for every lane op. Compiled once per vector ISA level, so
// everything here and in ops/ lives in an inline namespace named after the level (no function of one level can be
// linked into another).
//
// Three paths, same results: all 32 lanes (the loop the compiler vectorises), some lanes (compute all, blend: eval is
// total, so idle lanes do no harm), one lane (scalar; single-thread kernels live here).
#include <bit>
#include <cstring>
#include <memory>
#include <tuple>
#include <type_traits>

#include "simulator/isa/lane_mask.hpp"
#include "simulator/isa/op.hpp"

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
HPML_CPP_OF(u16x2, uint32_t);
HPML_CPP_OF(s16x2, int32_t);
HPML_CPP_OF(f32x2, uint64_t);
HPML_CPP_OF(b128, B128);
HPML_CPP_OF(e4m3x2, uint16_t);
HPML_CPP_OF(e5m2x2, uint16_t);
HPML_CPP_OF(e2m3x2, uint16_t);
HPML_CPP_OF(e3m2x2, uint16_t);
HPML_CPP_OF(ue8m0x2, uint16_t);
HPML_CPP_OF(e2m1x2, uint16_t);
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
  explicit Source(const std::byte* p) : lanes(std::assume_aligned<64>(reinterpret_cast<const A*>(p))) {}
  A operator[](int lane) const { return lanes[lane]; }
};
struct MaskSource {
  LaneBytes bytes;
  MaskSource(const std::byte* p, bool negate) { expand_mask(load_mask(p) ^ (negate ? kFullMask : 0u), bytes); }
};
template <>
struct Source<bool> : MaskSource {
  using MaskSource::MaskSource;
  bool operator[](int lane) const { return bytes.at[lane] != 0; }
};
template <>
struct Source<Carry> : MaskSource {
  using MaskSource::MaskSource;
  Carry operator[](int lane) const { return {bytes.at[lane] != 0}; }
};

template <size_t Bytes>
using UnsignedOf =
    std::conditional_t<Bytes == 1, uint8_t,
                       std::conditional_t<Bytes == 2, uint16_t,
                                          std::conditional_t<Bytes == 4, uint32_t,
                                                             std::conditional_t<Bytes == 8, uint64_t, B128>>>>;

// Writes the lanes of `active` only; one copy per element size.
template <class Raw>
[[gnu::noinline]] inline void blend_lanes(const void* values, std::byte* p, LaneMask active) {
  const Raw* in = static_cast<const Raw*>(values);
  Raw* out = reinterpret_cast<Raw*>(p);
  HPML_LANE_LOOP
  for (int lane = 0; lane < kWarpSize; ++lane) {
    out[lane] = ((active >> lane) & 1u) != 0 ? in[lane] : out[lane];
  }
}

// Where the loop writes. With all lanes active that is the register itself: a destination is the same register as a
// source or disjoint from it, never a part. Otherwise the results are collected in `spare`, then blended in. Only the
// array is ever passed on by address: the rest of a Sink must stay in host registers for the loop to vectorise.
template <class R>
struct Spare {
  alignas(64) R values[kWarpSize];
};
template <>
struct Spare<bool> {
  LaneBytes bytes;
};

template <class R>
struct Sink {
  R* out;
  Sink(std::byte* p, LaneMask active, Spare<R>& spare)
      : out(std::assume_aligned<64>(active == kFullMask ? reinterpret_cast<R*>(p) : spare.values)) {}
  void set(int lane, R value) { out[lane] = value; }
  void commit(std::byte* p, LaneMask active, const Spare<R>& spare) const {
    if (active != kFullMask) {
      blend_lanes<UnsignedOf<sizeof(R)>>(spare.values, p, active);
    }
  }
  static void commit_one(std::byte* p, int lane, R value) { reinterpret_cast<R*>(p)[lane] = value; }
};
template <>
struct Sink<bool> {
  uint8_t* out;
  Sink(std::byte*, LaneMask, Spare<bool>& spare) : out(std::assume_aligned<32>(spare.bytes.at)) {}
  void set(int lane, bool value) { out[lane] = value ? 1 : 0; }
  void commit(std::byte* p, LaneMask active, const Spare<bool>& spare) const {
    store_mask(p, active, compress_mask(spare.bytes));
  }
  static void commit_one(std::byte* p, int lane, bool value) { store_mask(p, 1u << lane, LaneMask{value} << lane); }
};

// The destinations of one result: plain, with carry, two, or the four elements of a vector.
template <class R>
struct Results {
  struct Spares {
    Spare<R> d;
  };
  Sink<R> d;
  Results(std::byte* regs, LaneMask active, const LaneInst& inst, Spares& spares)
      : d(regs + inst.dst[0], active, spares.d) {}
  void set(int lane, R r) { d.set(lane, r); }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst, const Spares& spares) const {
    d.commit(regs + inst.dst[0], active, spares.d);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, R r) {
    Sink<R>::commit_one(regs + inst.dst[0], lane, r);
  }
};
template <class T>
struct Results<WithCarry<T>> {
  struct Spares {
    Spare<T> d;
    Spare<bool> cc;
  };
  Sink<T> d;
  Sink<bool> cc;
  Results(std::byte* regs, LaneMask active, const LaneInst& inst, Spares& spares)
      : d(regs + inst.dst[0], active, spares.d), cc(regs + inst.carry, active, spares.cc) {}
  void set(int lane, WithCarry<T> r) {
    d.set(lane, r.value);
    cc.set(lane, r.carry);
  }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst, const Spares& spares) const {
    d.commit(regs + inst.dst[0], active, spares.d);
    cc.commit(regs + inst.carry, active, spares.cc);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, WithCarry<T> r) {
    Sink<T>::commit_one(regs + inst.dst[0], lane, r.value);
    Sink<bool>::commit_one(regs + inst.carry, lane, r.carry);
  }
};
template <class A, class B>
struct Results<Two<A, B>> {
  struct Spares {
    Spare<A> first;
    Spare<B> second;
  };
  Sink<A> first;
  Sink<B> second;
  Results(std::byte* regs, LaneMask active, const LaneInst& inst, Spares& spares)
      : first(regs + inst.dst[0], active, spares.first), second(regs + inst.dst[1], active, spares.second) {}
  void set(int lane, Two<A, B> r) {
    first.set(lane, r.first);
    second.set(lane, r.second);
  }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst, const Spares& spares) const {
    first.commit(regs + inst.dst[0], active, spares.first);
    second.commit(regs + inst.dst[1], active, spares.second);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, Two<A, B> r) {
    Sink<A>::commit_one(regs + inst.dst[0], lane, r.first);
    Sink<B>::commit_one(regs + inst.dst[1], lane, r.second);
  }
};
template <>
struct Results<OrNot> {
  struct Spares {
    Spare<bool> d;
  };
  Sink<bool> d;
  Results(std::byte* regs, LaneMask active, const LaneInst& inst, Spares& spares)
      : d(regs + inst.dst[0], active, spares.d) {}
  void set(int lane, OrNot r) { d.set(lane, r.first); }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst, const Spares& spares) const {
    const LaneMask mask = compress_mask(spares.d.bytes);
    store_mask(regs + inst.dst[0], active, mask);
    store_mask(regs + inst.dst[1], active, ~mask);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, OrNot r) {
    Sink<bool>::commit_one(regs + inst.dst[0], lane, r.first);
    Sink<bool>::commit_one(regs + inst.dst[1], lane, !r.first);
  }
};
template <class T>
struct Results<Four<T>> {
  struct Spares {
    Spare<T> d[4];
  };
  Sink<T> d0, d1, d2, d3;
  Results(std::byte* regs, LaneMask active, const LaneInst& inst, Spares& spares)
      : d0(regs + inst.dst[0], active, spares.d[0]),
        d1(regs + inst.dst[1], active, spares.d[1]),
        d2(regs + inst.dst[2], active, spares.d[2]),
        d3(regs + inst.dst[3], active, spares.d[3]) {}
  void set(int lane, Four<T> r) {
    d0.set(lane, r.values[0]);
    d1.set(lane, r.values[1]);
    d2.set(lane, r.values[2]);
    d3.set(lane, r.values[3]);
  }
  void commit(std::byte* regs, LaneMask active, const LaneInst& inst, const Spares& spares) const {
    d0.commit(regs + inst.dst[0], active, spares.d[0]);
    d1.commit(regs + inst.dst[1], active, spares.d[1]);
    d2.commit(regs + inst.dst[2], active, spares.d[2]);
    d3.commit(regs + inst.dst[3], active, spares.d[3]);
  }
  static void commit_one(std::byte* regs, int lane, const LaneInst& inst, Four<T> r) {
    for (size_t i = 0; i < 4; ++i) {
      Sink<T>::commit_one(regs + inst.dst[i], lane, r.values[i]);
    }
  }
};

// --- registers wider than the instruction's type (cvt): LaneInst.dst_bytes, src_bytes; 0 = as wide as the type ---
template <class T>
using RawOf = std::conditional_t<std::is_integral_v<T>, T, UnsignedOf<sizeof(T)>>;

// The low bits of 32 container lanes as T.
template <class Container, class T>
inline void narrow_lanes(const std::byte* from, T* to) {
  const Container* lanes = reinterpret_cast<const Container*>(from);
  RawOf<T>* raw = reinterpret_cast<RawOf<T>*>(to);
  HPML_LANE_LOOP
  for (int lane = 0; lane < kWarpSize; ++lane) {
    raw[lane] = static_cast<RawOf<T>>(lanes[lane]);
  }
}
template <class T>
inline void narrow_lanes(const std::byte* from, unsigned bytes, T* to) {
  switch (bytes) {
    case 1: return narrow_lanes<uint8_t>(from, to);
    case 2: return narrow_lanes<uint16_t>(from, to);
    case 4: return narrow_lanes<uint32_t>(from, to);
    case 8: return narrow_lanes<uint64_t>(from, to);
  }
}
// 32 lanes of T into containers, sign- or zero-extended.
template <class Container, class T>
inline void widen_lanes(const T* from, std::byte* to, LaneMask active) {
  const RawOf<T>* raw = reinterpret_cast<const RawOf<T>*>(from);
  Container* lanes = reinterpret_cast<Container*>(to);
  HPML_LANE_LOOP
  for (int lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = ((active >> lane) & 1u) != 0 ? static_cast<Container>(raw[lane]) : lanes[lane];
  }
}
template <class T>
inline void widen_lanes(const T* from, std::byte* to, unsigned bytes, LaneMask active) {
  switch (bytes) {
    case 1: return widen_lanes<uint8_t>(from, to, active);
    case 2: return widen_lanes<uint16_t>(from, to, active);
    case 4: return widen_lanes<uint32_t>(from, to, active);
    case 8: return widen_lanes<uint64_t>(from, to, active);
  }
}

// An op may compile its loop for fixed modifier values: `static void dispatch(Mods m, auto with)` calls with(f) for an
// f that returns the modifiers, constant as far as the loop should know them. Default: one loop for "no modifiers", one
// for the rest.
template <class Op>
concept HasDispatch = requires {
  Op::kHasDispatch;
};
template <class Op>
concept IsScalarOnly = requires {
  Op::kScalarOnly;
};
// The op converts: its registers may be wider than its types.
template <class Op>
concept HasWideOperands = requires {
  Op::kWideOperands;
};
// The op works on predicates as whole lane masks.
template <class Op>
concept HasMaskForm = requires {
  &Op::eval_mask;
};

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
  static constexpr auto kSequence = std::make_index_sequence<kArgs>{};

  template <class A, size_t I>
  static Source<A> source(const std::byte* regs, const std::byte* consts, const LaneInst& inst) {
    if constexpr (std::is_same_v<A, Carry>) {
      return Source<A>(regs + inst.carry, false);
    } else if constexpr (std::is_same_v<A, bool>) {
      return Source<A>(lanes_of(regs, consts, inst.src[I]), ((inst.negate >> I) & 1u) != 0);
    } else {
      return Source<A>(lanes_of(regs, consts, inst.src[I]));
    }
  }

  template <class A, size_t I>
  static A one_source(const std::byte* regs, const std::byte* consts, const LaneInst& inst, int lane) {
    if constexpr (std::is_same_v<A, Carry>) {
      return {((load_mask(regs + inst.carry) >> lane) & 1u) != 0};
    } else if constexpr (std::is_same_v<A, bool>) {
      return (((load_mask(lanes_of(regs, consts, inst.src[I])) >> lane) ^ (inst.negate >> I)) & 1u) != 0;
    } else {
      return reinterpret_cast<const A*>(lanes_of(regs, consts, inst.src[I]))[lane];
    }
  }

  template <class ModsOf, size_t... I>
  [[gnu::always_inline]] static inline void loop(std::byte* regs, const std::byte* consts, LaneMask active,
                                                 const LaneInst& inst, ModsOf mods_of, std::index_sequence<I...>) {
    const std::tuple<Source<std::tuple_element_t<I, Args>>...> src{
        source<std::tuple_element_t<I, Args>, I>(regs, consts, inst)...};
    typename Results<Result>::Spares spares;
    Results<Result> out(regs, active, inst, spares);
    if constexpr (IsScalarOnly<Op>) {
      std::memset(static_cast<void*>(&spares), 0, sizeof spares);  // bytes of idle lanes must be masks too
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
    out.commit(regs, active, inst, spares);
  }

  // One lane: scalar, and one copy for all modifiers.
  template <size_t... I>
  static void run_one(std::byte* regs, const std::byte* consts, int lane, const LaneInst& inst,
                      std::index_sequence<I...>) {
    Results<Result>::commit_one(
        regs, lane, inst,
        Op::template eval<Ts...>(inst.mods, one_source<std::tuple_element_t<I, Args>, I>(regs, consts, inst, lane)...));
  }

  // cvt between registers of other widths than its types: through arrays of the types' own width.
  static void run_wide(std::byte* regs, const std::byte* consts, LaneMask active, const LaneInst& inst) {
    using In = std::tuple_element_t<0, Args>;
    static_assert(kArgs == 1, "only single-source ops have wide operands");
    alignas(64) In narrowed[kWarpSize] = {};
    alignas(64) Result result[kWarpSize] = {};
    const std::byte* source_lanes = lanes_of(regs, consts, inst.src[0]);
    narrow_lanes(source_lanes, inst.src_bytes == 0 ? sizeof(In) : inst.src_bytes, narrowed);
    LaneInst inner = inst;
    inner.src[0] = kConstBit;
    inner.dst[0] = 0;
    run_typed(reinterpret_cast<std::byte*>(result), reinterpret_cast<const std::byte*>(narrowed), active, inner);
    widen_lanes(result, regs + inst.dst[0], inst.dst_bytes == 0 ? sizeof(Result) : inst.dst_bytes, active);
  }

  template <size_t I>
  static LaneMask mask_source(const std::byte* regs, const std::byte* consts, const LaneInst& inst) {
    return load_mask(lanes_of(regs, consts, inst.src[I])) ^ (((inst.negate >> I) & 1u) != 0 ? kFullMask : 0u);
  }

  template <size_t... I>
  static void run_masks(std::byte* regs, const std::byte* consts, LaneMask active, const LaneInst& inst,
                        std::index_sequence<I...>) {
    store_mask(regs + inst.dst[0], active, Op::eval_mask(mask_source<I>(regs, consts, inst)...));
  }

  static void run(std::byte* regs, const std::byte* consts, LaneMask active, const LaneInst& inst) {
    if constexpr (HasWideOperands<Op>) {
      using In = std::tuple_element_t<0, Args>;
      const bool same_source = inst.src_bytes == 0 || inst.src_bytes == sizeof(In);
      if (!same_source || (inst.dst_bytes != 0 && inst.dst_bytes != sizeof(Result))) {
        return run_wide(regs, consts, active, inst);
      }
    }
    if constexpr (HasMaskForm<Op> && std::is_same_v<Result, bool>) {
      run_masks(regs, consts, active, inst, kSequence);
    } else {
      run_typed(regs, consts, active, inst);
    }
  }

  // flatten: an eval, or a dispatch, that stays a call would cost more than the loop.
  [[gnu::flatten]] static void run_typed(std::byte* regs, const std::byte* consts, LaneMask active,
                                         const LaneInst& inst) {
    if (std::has_single_bit(active)) {
      return run_one(regs, consts, std::countr_zero(active), inst, kSequence);
    }
    auto with = [&](auto mods_of) __attribute__((always_inline)) {
      loop(regs, consts, active, inst, mods_of, kSequence);
    };
    if constexpr (Op::spec.accept == Accept::nothing) {
      with([] { return Mods{}; });
    } else if constexpr (IsScalarOnly<Op>) {
      with([&inst] { return inst.mods; });
    } else if constexpr (HasDispatch<Op>) {
      Op::dispatch(inst.mods, with);
    } else if (inst.mods == Mods{}) {
      with([] { return Mods{}; });
    } else {
      with([m = inst.mods] { return m; });
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
