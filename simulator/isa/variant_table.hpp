#pragma once
// Turns an OpList into Variants: one entry per op and legal type combination, operand list read off eval's signature.
#include <string_view>

#include "simulator/isa/lane_loop.hpp"
#include "simulator/isa/variant_sink.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

template <class... Ops>
struct OpList {};

template <class A>
constexpr OperandSpec operand_spec() {
  if constexpr (std::is_same_v<A, bool>) {
    return {Ty::pred};
  } else if constexpr (std::is_same_v<A, float>) {
    return {Ty::f32};
  } else if constexpr (std::is_same_v<A, double>) {
    return {Ty::f64};
  } else if constexpr (std::is_same_v<A, F16>) {
    return {Ty::f16};
  } else if constexpr (std::is_same_v<A, BF16>) {
    return {Ty::bf16};
  } else if constexpr (std::is_same_v<A, F16x2> || std::is_same_v<A, BF16x2>) {
    return {Ty::f16x2};
  } else if constexpr (std::is_same_v<A, B128>) {
    return {Ty::b128};
  } else {
    constexpr Ty kBySize[] = {Ty::none, Ty::b8, Ty::b16, Ty::none, Ty::b32, Ty::none, Ty::none, Ty::none, Ty::b64};
    static_assert(std::is_integral_v<A>, "operand types are integers, float, double, bool and the half types");
    return {kBySize[sizeof(A)]};
  }
}

template <class R>
struct ResultSpec {
  static void fill(Variant& v) {
    v.dst_count = 1;
    v.dst[0] = operand_spec<R>();
  }
};
template <class T>
struct ResultSpec<WithCarry<T>> {
  static void fill(Variant& v) {
    ResultSpec<T>::fill(v);
    v.sets_carry = true;
  }
};
template <class A, class B>
struct ResultSpec<Two<A, B>> {
  static void fill(Variant& v) {
    v.dst_count = 2;
    v.dst[0] = operand_spec<A>();
    v.dst[1] = operand_spec<B>();
  }
};

template <>
struct ResultSpec<OrNot> : ResultSpec<Two<bool, bool>> {};
template <class T>
struct ResultSpec<Four<T>> {
  static void fill(Variant& v) {
    v.dst_count = 4;
    v.dst.fill(operand_spec<T>());
  }
};

template <class Args, size_t... I>
void fill_sources(Variant& v, std::index_sequence<I...>) {
  auto one = [&v]<class A>(A*) {
    if constexpr (std::is_same_v<A, Carry>) {
      v.uses_carry = true;
    } else {
      v.src[static_cast<size_t>(v.src_count++)] = operand_spec<A>();
    }
  };
  (one(static_cast<std::tuple_element_t<I, Args>*>(nullptr)), ...);
}

template <class Op, class... Ts>
void fill_lane(Variant& v) {
  using Runner = LaneRunner<Op, Ts...>;
  v.shape = Shape::lane;
  v.run = &Runner::run;
  v.scalar_only = IsScalarOnly<Op>;
  if constexpr (requires { Op::kSelectors; }) {
    v.selectors = Op::kSelectors;
  }
  ResultSpec<typename Runner::Result>::fill(v);
  fill_sources<typename Runner::Args>(v, std::make_index_sequence<Runner::kArgs>{});
  if constexpr (HasWideOperands<Op>) {
    v.dst[0].may_be_wider = true;
    v.src[0].may_be_wider = true;
  }
}

template <class Op, class T>
void update_lanes(const LaneUpdate& update, LaneMask active) {
  const auto word = [](const void* from) {
    T t;
    std::memcpy(&t, from, sizeof t);
    return t;
  };
  const T third = word(&update.third);
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    auto* const place = reinterpret_cast<std::byte*>(update.origin + update.address[lane]);
    const size_t operand = lane * sizeof(T);
    const T old = word(place);
    const T now = Op::template rmw<T>(old, word(update.b + operand),
                                      update.c != nullptr ? word(update.c + operand) : third);
    std::memcpy(place, &now, sizeof now);
    if (update.old != nullptr) {
      std::memcpy(update.old + operand, &old, sizeof old);
    }
  }
}

template <class Op, Ty A, Ty B = Ty::none, Ty... Rest>
Variant make_variant() {
  Variant v;
  v.spec = &Op::spec;
  v.types = {A, B, Rest...};
  if constexpr (requires { Op::latency(A, B); }) {
    v.latency = Op::latency(A, B);
  } else {
    v.latency = Op::latency(A);
  }
  if constexpr (requires { Op::mem; }) {
    v.shape = Shape::mem;
    v.mem = Op::mem;
    if constexpr (requires { Op::template rmw<uint32_t>(0u, 0u, 0u); }) {
      v.rmw = [](uint64_t old, uint64_t b, uint64_t c) -> uint64_t {
        using T = Cpp<A>;
        auto from = [](uint64_t raw) {
          T t;
          std::memcpy(&t, &raw, sizeof t);
          return t;
        };
        const T result = Op::template rmw<T>(from(old), from(b), from(c));
        uint64_t raw = 0;
        std::memcpy(&raw, &result, sizeof result);
        return raw;
      };
      if constexpr (sizeof(Cpp<A>) == 4 || sizeof(Cpp<A>) == 8) {
        v.update = &update_lanes<Op, Cpp<A>>;
      }
    }
  } else if constexpr (requires { Op::control; }) {
    v.shape = Shape::control;
    v.control = Op::control;
    if constexpr (requires { Op::mbarrier; }) {
      v.mbarrier = Op::mbarrier;
    }
  } else if constexpr (requires { Op::warp; }) {
    v.shape = Shape::warp;
    v.warp = Op::warp;
  } else if constexpr (A == Ty::none) {
    fill_lane<Op>(v);
  } else if constexpr (B == Ty::none) {
    fill_lane<Op, Cpp<A>>(v);
  } else {
    fill_lane<Op, Cpp<A>, Cpp<B>, Cpp<Rest>...>(v);
  }
  return v;
}

template <class Op, Ty... T>
void add_types(VariantSink& out, Types<T...>) {
  (out.add(make_variant<Op, T>()), ...);
}
template <class Op, Ty A, Ty B>
void add_pair(VariantSink& out, TypePair<A, B>) {
  out.add(make_variant<Op, A, B>());
}
template <class Op, class... P>
void add_types(VariantSink& out, TypePairs<P...>) {
  (add_pair<Op>(out, P{}), ...);
}

template <class Op, Ty... T>
void add_tuple(VariantSink& out, TypeTuple<T...>) {
  out.add(make_variant<Op, T...>());
}
template <class Op, class... T>
void add_types(VariantSink& out, TypeTuples<T...>) {
  (add_tuple<Op>(out, T{}), ...);
}

template <class... Ops>
void add_all(VariantSink& out, OpList<Ops...>) {
  (add_types<Ops>(out, typename Ops::types{}), ...);
}

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
