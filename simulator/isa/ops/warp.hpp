#pragma once
// Instructions across the lanes of a warp (PTX ISA 9.0, 9.7.9 shfl, 9.7.13 vote, match, redux, activemask, elect). The
// executor reads all sources of all member lanes before it writes any destination.
#include "simulator/isa/variant_table.hpp"

namespace hpml::sim::isa {
HPML_SIMD_NS {

struct Shfl {
  static constexpr Warp warp = Warp::shfl;
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::shuffle; }
};
struct ShflSync : Shfl {
  static constexpr Spec spec{.mnemonic = "shfl",
                             .fixed = "sync",
                             .syntax = "shfl.sync.mode.b32 d[|p], a, b, c, membermask",
                             .section = "Data Movement: shfl.sync",
                             .accept = Accept::mode,
                             .modes = {"up", "down", "bfly", "idx"},
                             .min_ptx = 60,
                             .min_sm = 30,
                             .min_operands = 5,
                             .max_operands = 6};
};
struct ShflNoSync : Shfl {  // removed from PTX for sm_70 and later
  static constexpr Spec spec{.mnemonic = "shfl",
                             .syntax = "shfl.mode.b32 d[|p], a, b, c",
                             .section = "Data Movement: shfl",
                             .accept = Accept::mode,
                             .modes = {"up", "down", "bfly", "idx"},
                             .min_ptx = 30,
                             .min_sm = 30,
                             .min_operands = 4,
                             .max_operands = 5};
};

// Mods::mode: 0 all, 1 any, 2 uni (.pred destination), 3 ballot (.b32).
inline bool vote_legal(const Mods& m, Ty type, Ty) { return (m.mode == 3) == (type == Ty::b32); }
struct Vote {
  static constexpr Warp warp = Warp::vote;
  using types = Types<Ty::pred, Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
};
struct VoteSync : Vote {
  static constexpr Spec spec{.mnemonic = "vote",
                             .fixed = "sync",
                             .syntax = "vote.sync.mode.type d, {!}a, membermask",
                             .section = "Parallel Synchronization: vote.sync",
                             .accept = Accept::mode,
                             .modes = {"all", "any", "uni", "ballot"},
                             .min_ptx = 60,
                             .min_sm = 30,
                             .legal = vote_legal,
                             .min_operands = 3,
                             .max_operands = 3};
};
struct VoteNoSync : Vote {  // removed from PTX for sm_70 and later
  static constexpr Spec spec{.mnemonic = "vote",
                             .syntax = "vote.mode.type d, {!}a",
                             .section = "Parallel Synchronization: vote",
                             .accept = Accept::mode,
                             .modes = {"all", "any", "uni", "ballot"},
                             .min_ptx = 12,
                             .min_sm = 12,
                             .legal = vote_legal,
                             .min_operands = 2,
                             .max_operands = 2};
};

struct Match {
  static constexpr Spec spec{.mnemonic = "match",
                             .fixed = "sync",
                             .syntax = "match.mode.sync.type d[|p], a, membermask",
                             .section = "Parallel Synchronization: match.sync",
                             .accept = Accept::mode,
                             .modes = {"any", "all"},
                             .min_ptx = 60,
                             .min_sm = 70,
                             .min_operands = 3,
                             .max_operands = 4};
  using types = Types<Ty::b32, Ty::b64>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
  static constexpr Warp warp = Warp::match;
};
// Mods::mode: 0 add, 1 min, 2 max (integers; .f32: min and max), 3 and, 4 or, 5 xor (.b32).
struct Redux {
  static constexpr Spec spec{.mnemonic = "redux",
                             .fixed = "sync",
                             .syntax = "redux.sync.op.type d, a, membermask",
                             .section = "Parallel Synchronization: redux.sync",
                             .accept = Accept::mode,
                             .modes = {"add", "min", "max", "and", "or", "xor"},
                             .min_ptx = 70,
                             .min_sm = 80,
                             .legal = [](const Mods& m, Ty type, Ty) { return (m.mode >= 3) == (type == Ty::b32); },
                             .min_operands = 3,
                             .max_operands = 3};
  using types = Types<Ty::u32, Ty::s32, Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
  static constexpr Warp warp = Warp::redux;
};
struct Activemask {
  static constexpr Spec spec{.mnemonic = "activemask",
                             .syntax = "activemask.b32 d",
                             .section = "Parallel Synchronization: activemask",
                             .min_ptx = 62,
                             .min_sm = 30,
                             .min_operands = 1,
                             .max_operands = 1};
  using types = Types<Ty::b32>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
  static constexpr Warp warp = Warp::activemask;
};
struct Elect {
  static constexpr Spec spec{.mnemonic = "elect",
                             .fixed = "sync",
                             .syntax = "elect.sync d|p, membermask",
                             .section = "Parallel Synchronization: elect.sync",
                             .min_ptx = 80,
                             .min_sm = 90,
                             .min_operands = 3,
                             .max_operands = 3};
  using types = Types<Ty::none>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
  static constexpr Warp warp = Warp::elect;
};

struct ReduxF32 {
  static constexpr Spec spec{.mnemonic = "redux",
                             .fixed = "sync",
                             .syntax = "redux.sync.op{.abs}{.NaN}.f32 d, a, membermask",
                             .section = "Parallel Synchronization: redux.sync",
                             .accept = Accept::mode | Accept::abs | Accept::nan,
                             .modes = {"add", "min", "max"},
                             .min_ptx = 86,
                             .min_sm = 100,
                             .legal = [](const Mods& m, Ty, Ty) { return m.mode != 0; },
                             .min_operands = 3,
                             .max_operands = 3};
  using types = Types<Ty::f32>;
  static constexpr Lat latency(Ty) { return Lat::vote; }
  static constexpr Warp warp = Warp::redux;
};

using WarpOps = OpList<ShflSync, ShflNoSync, VoteSync, VoteNoSync, Match, Redux, ReduxF32, Activemask, Elect>;

}  // HPML_SIMD_NS
}  // namespace hpml::sim::isa
