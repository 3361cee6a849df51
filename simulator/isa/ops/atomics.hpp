#pragma once
// Atomic operations (PTX ISA 9.0, 9.7.13): atom and red. `rmw<T>(old, b, c)` gives the new value of one lane's word;
// the executor applies it to memory lane by lane and, for atom, returns the old value. `word` is the operation's in every
// instruction that has it.
#include <algorithm>

#include "simulator/isa/ops/half_arith.hpp"
#include "simulator/isa/ops/int_kernels.hpp"
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

inline constexpr Accept kAtomic = Accept::space | Accept::sem | Accept::scope | Accept::cache;
// global, shared or generic; no cache operator (the cache-policy hints leave Mods alone); .relaxed .acquire .release
// .acq_rel (red: .relaxed .release).
inline bool atomic_place_legal(const Mods& m) {
  return (m.space == Space::generic || m.space == Space::global || m.space == Space::shared) && m.cache == Cache::none;
}
inline bool atom_legal(const Mods& m, Ty, Ty) {
  return atomic_place_legal(m) && m.sem != Sem::volatile_ && m.sem != Sem::mmio && m.sem != Sem::sc;
}
inline bool red_legal(const Mods& m, Ty, Ty) {
  return atomic_place_legal(m) && (m.sem == Sem::weak || m.sem == Sem::relaxed || m.sem == Sem::release);
}

struct Atom {
  static constexpr Lat latency(Ty) { return Lat::atom_global; }
  static constexpr Mem mem = Mem::atom;
};
struct Red {
  static constexpr Lat latency(Ty) { return Lat::atom_global; }
  static constexpr Mem mem = Mem::red;
};
constexpr Spec atom_spec(std::string_view op, std::string_view syntax, int8_t operands) {
  return {.mnemonic = "atom",
          .fixed = op,
          .syntax = syntax,
          .section = "Parallel Synchronization: atom",
          .accept = kAtomic,
          .min_ptx = 11,
          .min_sm = 11,
          .legal = atom_legal,
          .min_operands = operands,
          .max_operands = static_cast<int8_t>(operands + 1)};
}
constexpr Spec wide_spec(std::string_view op, std::string_view syntax, int8_t operands) {
  Spec spec = atom_spec(op, syntax, operands);
  spec.min_ptx = 83;
  spec.min_sm = 90;
  return spec;
}
constexpr Spec vector_spec(Spec spec, bool (*legal)(const Mods&, Ty, Ty)) {
  spec.accept = spec.accept | Accept::vec;
  spec.legal = legal;
  spec.required = Accept::vec;
  spec.min_ptx = 81;
  spec.min_sm = 90;
  return spec;
}
constexpr Spec red_spec(std::string_view op, std::string_view syntax) {
  return {.mnemonic = "red",
          .fixed = op,
          .syntax = syntax,
          .section = "Parallel Synchronization: red",
          .accept = kAtomic,
          .min_ptx = 12,
          .min_sm = 11,
          .legal = red_legal,
          .min_operands = 2,
          .max_operands = 3};
}

// Vectors of floats: each element is an atomic of its own. Global memory only.
inline bool vector_place_legal(const Mods& m, Ty type) {
  const int bytes = m.vec * bits(type) / 8;
  return m.vec > 1 && bytes <= 16 && !(bits(type) == 32 && m.vec > 4) &&
         (m.space == Space::generic || m.space == Space::global);
}
inline bool atom_vector_legal(const Mods& m, Ty type, Ty other) {
  return vector_place_legal(m, type) && atom_legal(m, type, other);
}
inline bool red_vector_legal(const Mods& m, Ty type, Ty other) {
  return vector_place_legal(m, type) && red_legal(m, type, other);
}

// c != 0: the space flushes subnormals (atom.add.f32 on global memory).
struct AtomicAdd {
  static constexpr std::string_view word = "add";
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::f32, Ty::f64>;
  template <class T>
  static T rmw(T old, T b, T c) {
    if constexpr (std::is_same_v<T, float>) {
      const Mods m{.ftz = c != 0};
      return finish(m, flush_in(m, old) + flush_in(m, b));
    } else if constexpr (std::is_same_v<T, double>) {
      const double sum = quiet_nan(old + b, old);
      return is_nan(b) ? b : is_nan(old) ? old : sum;  // a NaN stays as it is (measured on an H200)
    } else {
      return static_cast<T>(static_cast<Wrap<T>>(old) + static_cast<Wrap<T>>(b));
    }
  }
};
struct AtomicAddHalf {
  static constexpr std::string_view word = "add";
  using types = Types<Ty::f16, Ty::f16x2, Ty::bf16, Ty::bf16x2>;
  template <class T>
  static T rmw(T old, T b, T) {
    return per_half([](auto x, auto y) { return half_add(Mods{}, x, y); }, old, b);
  }
};
struct AtomicMinHalf {
  static constexpr std::string_view word = "min";
  using types = HalfTypes;
  template <class T>
  static T rmw(T old, T b, T) {
    return per_half([](auto x, auto y) { return half_min_max<false>(Mods{}, x, y); }, old, b);
  }
};
struct AtomicMaxHalf {
  static constexpr std::string_view word = "max";
  using types = HalfTypes;
  template <class T>
  static T rmw(T old, T b, T) {
    return per_half([](auto x, auto y) { return half_min_max<true>(Mods{}, x, y); }, old, b);
  }
};
struct AtomicAddF32 {
  using types = Types<Ty::f32>;
  template <class T>
  static T rmw(T old, T b, T c) {
    return AtomicAdd::rmw(old, b, c);
  }
};
struct AtomicMin {
  static constexpr std::string_view word = "min";
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
  template <class T>
  static T rmw(T old, T b, T) {
    return std::min(old, b);
  }
};
struct AtomicMax {
  static constexpr std::string_view word = "max";
  using types = Types<Ty::u32, Ty::s32, Ty::u64, Ty::s64>;
  template <class T>
  static T rmw(T old, T b, T) {
    return std::max(old, b);
  }
};
struct AtomicInc {
  static constexpr std::string_view word = "inc";
  using types = Types<Ty::u32>;
  template <class T>
  static T rmw(T old, T b, T) {
    return old >= b ? T{0} : old + 1;
  }
};
struct AtomicDec {
  static constexpr std::string_view word = "dec";
  using types = Types<Ty::u32>;
  template <class T>
  static T rmw(T old, T b, T) {
    return old == 0 || old > b ? b : old - 1;
  }
};
struct AtomicExch {
  using types = Types<Ty::b32, Ty::b64>;
  template <class T>
  static T rmw(T, T b, T) {
    return b;
  }
};
struct AtomicCas {
  using types = Types<Ty::b16, Ty::b32, Ty::b64>;
  template <class T>
  static T rmw(T old, T b, T c) {
    return old == b ? c : old;
  }
};
struct AtomicAnd {
  static constexpr std::string_view word = "and";
  using types = Types<Ty::b32, Ty::b64>;
  template <class T>
  static T rmw(T old, T b, T) {
    return old & b;
  }
};
struct AtomicOr {
  static constexpr std::string_view word = "or";
  using types = Types<Ty::b32, Ty::b64>;
  template <class T>
  static T rmw(T old, T b, T) {
    return old | b;
  }
};
struct AtomicXor {
  static constexpr std::string_view word = "xor";
  using types = Types<Ty::b32, Ty::b64>;
  template <class T>
  static T rmw(T old, T b, T) {
    return old ^ b;
  }
};

struct AtomAdd : Atom, AtomicAdd {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.add.type d, [a], b", 3);
};
struct AtomAddHalf : Atom, AtomicAddHalf {
  static constexpr Spec spec = atom_spec("add noftz", "atom{.sem}{.scope}{.space}.add.noftz.type d, [a], b", 3);
};
struct AtomMin : Atom, AtomicMin {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.min.type d, [a], b", 3);
};
struct AtomMax : Atom, AtomicMax {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.max.type d, [a], b", 3);
};
struct AtomInc : Atom, AtomicInc {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.inc.u32 d, [a], b", 3);
};
struct AtomDec : Atom, AtomicDec {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.dec.u32 d, [a], b", 3);
};
struct AtomExch : Atom, AtomicExch {
  static constexpr Spec spec = atom_spec("exch", "atom{.sem}{.scope}{.space}.exch.type d, [a], b", 3);
};
struct AtomCas : Atom, AtomicCas {
  static constexpr Spec spec = atom_spec("cas", "atom{.sem}{.scope}{.space}.cas.type d, [a], b, c", 4);
};
struct AtomAnd : Atom, AtomicAnd {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.and.type d, [a], b", 3);
};
struct AtomOr : Atom, AtomicOr {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.or.type d, [a], b", 3);
};
struct AtomXor : Atom, AtomicXor {
  static constexpr Spec spec = atom_spec(word, "atom{.sem}{.scope}{.space}.xor.type d, [a], b", 3);
};

// 16 bytes at a time: the executor compares and exchanges them, they do not fit rmw's words.
struct AtomExch128 : Atom {
  static constexpr Spec spec = wide_spec("exch", "atom{.sem}{.scope}{.space}.exch.b128 d, [a], b", 3);
  using types = Types<Ty::b128>;
};
struct AtomCas128 : Atom {
  static constexpr Spec spec = wide_spec("cas", "atom{.sem}{.scope}{.space}.cas.b128 d, [a], b, c", 4);
  using types = Types<Ty::b128>;
};

struct AtomAddVector : Atom, AtomicAddF32 {
  static constexpr Spec spec =
      vector_spec(atom_spec("add", "atom{.sem}{.scope}{.global}.add.vec.f32 d, [a], b", 3), atom_vector_legal);
};
struct AtomAddHalfVector : Atom, AtomicAddHalf {
  static constexpr Spec spec = vector_spec(
      atom_spec("add noftz", "atom{.sem}{.scope}{.global}.add.noftz.vec.type d, [a], b", 3), atom_vector_legal);
};
struct AtomMinHalfVector : Atom, AtomicMinHalf {
  static constexpr Spec spec = vector_spec(
      atom_spec("min noftz", "atom{.sem}{.scope}{.global}.min.noftz.vec.type d, [a], b", 3), atom_vector_legal);
};
struct AtomMaxHalfVector : Atom, AtomicMaxHalf {
  static constexpr Spec spec = vector_spec(
      atom_spec("max noftz", "atom{.sem}{.scope}{.global}.max.noftz.vec.type d, [a], b", 3), atom_vector_legal);
};
struct RedAddVector : Red, AtomicAddF32 {
  static constexpr Spec spec =
      vector_spec(red_spec("add", "red{.sem}{.scope}{.global}.add.vec.f32 [a], b"), red_vector_legal);
};
struct RedAddHalfVector : Red, AtomicAddHalf {
  static constexpr Spec spec =
      vector_spec(red_spec("add noftz", "red{.sem}{.scope}{.global}.add.noftz.vec.type [a], b"), red_vector_legal);
};
struct RedMinHalfVector : Red, AtomicMinHalf {
  static constexpr Spec spec =
      vector_spec(red_spec("min noftz", "red{.sem}{.scope}{.global}.min.noftz.vec.type [a], b"), red_vector_legal);
};
struct RedMaxHalfVector : Red, AtomicMaxHalf {
  static constexpr Spec spec =
      vector_spec(red_spec("max noftz", "red{.sem}{.scope}{.global}.max.noftz.vec.type [a], b"), red_vector_legal);
};

struct RedAdd : Red, AtomicAdd {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.add.type [a], b");
};
struct RedAddHalf : Red, AtomicAddHalf {
  static constexpr Spec spec = red_spec("add noftz", "red{.sem}{.scope}{.space}.add.noftz.type [a], b");
};
struct RedMin : Red, AtomicMin {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.min.type [a], b");
};
struct RedMax : Red, AtomicMax {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.max.type [a], b");
};
struct RedInc : Red, AtomicInc {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.inc.u32 [a], b");
};
struct RedDec : Red, AtomicDec {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.dec.u32 [a], b");
};
struct RedAnd : Red, AtomicAnd {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.and.type [a], b");
};
struct RedOr : Red, AtomicOr {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.or.type [a], b");
};
struct RedXor : Red, AtomicXor {
  static constexpr Spec spec = red_spec(word, "red{.sem}{.scope}{.space}.xor.type [a], b");
};

using AtomicOps =
    OpList<AtomAdd, AtomAddHalf, AtomMin, AtomMax, AtomInc, AtomDec, AtomExch, AtomCas, AtomAnd, AtomOr, AtomXor,
           AtomExch128, AtomCas128, AtomAddVector, AtomAddHalfVector, AtomMinHalfVector, AtomMaxHalfVector, RedAdd,
           RedAddHalf, RedMin, RedMax, RedInc, RedDec, RedAnd, RedOr, RedXor, RedAddVector, RedAddHalfVector,
           RedMinHalfVector, RedMaxHalfVector>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
