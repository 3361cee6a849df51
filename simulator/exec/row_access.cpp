// The shortest way of an access: a full warp, a shape that is known and whose counts are known. One function per kind
// of access, compiled for each vector ISA, does all of it.
#include "simulator/exec/detail/row_access.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/count_access.hpp"
#include "simulator/exec/detail/lane_move.hpp"
#include "simulator/exec/detail/lanes.hpp"

namespace hpml::sim::exec {

namespace {

// Segments of kLanes lanes: each lies side by side in memory, or (loads only) is one element.
template <class T, size_t kLanes, size_t kVec>
[[gnu::always_inline]] inline void move_segments(const AccessShape& shape, const RowMove& move) {
  T* lanes = reinterpret_cast<T*>(move.lanes);
  for (int which = 0; which < isa::kWarpSize / static_cast<int>(kLanes); ++which, lanes += kLanes) {
    auto* const memory = reinterpret_cast<std::byte*>(move.at + shape.distance()[static_cast<size_t>(which) * kLanes]);
    if (!move.loads) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        std::memcpy(memory + lane * kVec * sizeof(T), lanes + lane, sizeof(T));
      }
    } else if (!shape.uniform(which)) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        std::memcpy(lanes + lane, memory + lane * kVec * sizeof(T), sizeof(T));
      }
    } else {
      T one;
      std::memcpy(&one, memory, sizeof one);
      std::fill_n(lanes, kLanes, one);
    }
  }
}

template <class T, size_t kVec>
[[gnu::always_inline]] inline void move_all(const AccessShape& shape, const RowMove& move) {
  switch (shape.segment()) {
    case 32: return move_segments<T, 32, kVec>(shape, move);
    case 16: return move_segments<T, 16, kVec>(shape, move);
    default: return move_segments<T, 8, kVec>(shape, move);
  }
}

template <class T>
[[gnu::always_inline]] inline void move_elements(const AccessShape& shape, const RowMove& move) {
  switch (move.vec) {
    case 1: return move_all<T, 1>(shape, move);
    case 2: return move_all<T, 2>(shape, move);
    default: return move_all<T, 4>(shape, move);
  }
}

HPML_VECTOR_CLONES void move_words(const AccessShape& shape, const RowMove& move) {
  move_elements<uint32_t>(shape, move);
}
HPML_VECTOR_CLONES void move_double_words(const AccessShape& shape, const RowMove& move) {
  move_elements<uint64_t>(shape, move);
}

// T: an element; A: an address.
template <class T, class A, bool kShared, bool kLoads>
struct RowAccess {
  [[gnu::always_inline]] static bool fits(const AccessShape& shape, uint64_t first, uint64_t begin, uint64_t end,
                                          uint64_t bytes) {
    const uint64_t needed = shape.high() - shape.low() + bytes, room = end - begin;
    return needed <= room && first + shape.low() - begin <= room - needed;
  }

  // The example of a conflict that is kept may be this access.
  [[gnu::always_inline]] static bool is_example(const AccessShape& shape, uint64_t first, const AccessCounters& own) {
    return first != shape.counted_conflict && (own.conflict.lanes == 0 || first / 4 <= own.conflict.words[0]);
  }

  [[gnu::always_inline]] static void count(const MemorySite& site, AccessShape::Parts parts, uint64_t bytes) {
    AccessCounters& own = *site.counters;
    if constexpr (kShared) {
      count_access(BankCount{.wavefronts = parts.a, .ideal = parts.b}, *site.total.shared, own);
    } else {
      count_access(SectorCount{.sectors = parts.a, .lines = parts.b, .bytes = site.shape->distinct_bytes},
                   static_cast<uint32_t>(bytes), *site.total.space, own);
    }
  }

  static std::byte* lanes_of(const ir::Inst& inst, const RowMemory& memory, size_t element) {
    return kLoads ? memory.regs + inst.dst[element]
                  : const_cast<std::byte*>(lane_values(memory.regs, memory.consts, inst.src[element]));
  }

  [[gnu::noinline]] static void move_vectors(const ir::Inst& inst, const AccessShape& shape, const RowMemory& memory,
                                             uintptr_t at) {
    for (size_t i = 0; i < inst.mods.vec; ++i, at += sizeof(T)) {
      move_rows(shape, {.lanes = lanes_of(inst, memory, i), .at = at, .vec = inst.mods.vec, .loads = kLoads},
                sizeof(T));
    }
  }

  HPML_VECTOR_CLONES static bool run(const ir::Inst& inst, MemorySite& site, const RowMemory& memory) {
    const AccessShape& shape = *site.shape;
    const auto* const base = std::assume_aligned<64>(reinterpret_cast<const A*>(memory.regs + inst.addr));
    const uint64_t first = static_cast<A>(base[0] + static_cast<A>(inst.offset));
    const uint64_t bytes = sizeof(T) * inst.mods.vec;
    const AccessShape::Parts parts = shape.parts(first);
    const uint64_t begin = kShared ? 0 : site.begin, end = kShared ? memory.shared_bytes : site.end;
    if (parts.a == 0 || (first & (bytes - 1)) != 0 || !fits(shape, first, begin, end, bytes)) {
      return false;
    }
    if (kShared && parts.a > parts.b && is_example(shape, first, *site.counters)) {
      return false;
    }
    if (!shape.matches_row(base)) {
      site.row = nullptr;
      return false;
    }
    const uintptr_t at = reinterpret_cast<uintptr_t>(kShared ? memory.shared : site.view) - begin + first;
    if (inst.mods.vec == 1) {
      move_all<T, 1>(shape, {.lanes = lanes_of(inst, memory, 0), .at = at, .vec = 1, .loads = kLoads});
    } else {
      move_vectors(inst, shape, memory, at);
    }
    count(site, parts, bytes);
    return true;
  }
};

template <class T, bool kLoads>
RowFn of_space(Route route, bool wide) {
  return route == Route::global ? &RowAccess<T, uint64_t, false, kLoads>::run
         : wide                 ? &RowAccess<T, uint64_t, true, kLoads>::run
                                : &RowAccess<T, uint32_t, true, kLoads>::run;
}

}  // namespace

RowFn row_function(const ir::Inst& inst, Route route) {
  const bool loads = inst.mem == isa::Mem::ld;
  const uint32_t vec = inst.mods.vec;
  if ((route != Route::global && route != Route::shared) || (!loads && inst.mem != isa::Mem::st) ||
      (inst.elem_bytes != 4 && inst.elem_bytes != 8) || (vec != 1 && vec != 2 && vec != 4) ||
      inst.elem_bytes != (loads ? inst.dst_bytes : inst.src_bytes)) {
    return nullptr;
  }
  const bool wide = inst.addr_bytes == 8;
  if (inst.elem_bytes == 4) {
    return loads ? of_space<uint32_t, true>(route, wide) : of_space<uint32_t, false>(route, wide);
  }
  return loads ? of_space<uint64_t, true>(route, wide) : of_space<uint64_t, false>(route, wide);
}

void move_rows(const AccessShape& shape, const RowMove& move, uint32_t bytes) {
  bytes == 4 ? move_words(shape, move) : move_double_words(shape, move);
}

}  // namespace hpml::sim::exec
