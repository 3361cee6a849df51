#pragma once
// Type lists made of others.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

// Cross: every pair of two lists. Join: one list after the other.
template <class To, class From>
struct CrossOf;
template <class... P>
struct Join;
template <class... P, class... Q, class... Rest>
struct Join<TypePairs<P...>, TypePairs<Q...>, Rest...> : Join<TypePairs<P..., Q...>, Rest...> {};
template <class... P>
struct Join<TypePairs<P...>> {
  using type = TypePairs<P...>;
};
template <Ty To, Ty... From>
using PairsTo = TypePairs<TypePair<To, From>...>;
template <Ty... To, Ty... From>
struct CrossOf<Types<To...>, Types<From...>> {
  using type = typename Join<PairsTo<To, From...>...>::type;
};
template <class To, class From>
using Cross = typename CrossOf<To, From>::type;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
