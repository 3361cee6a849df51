// Matrix instructions of a whole warp that move: wmma.load, wmma.store, ldmatrix, stmatrix, movmatrix (PTX
// ISA 9.0, 9.7.14).
#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

namespace {

constexpr size_t kStride = 0;  // src[kStride] of wmma.load and wmma.store

}  // namespace

// Lanes that came by different ways (several groups) execute the instruction as one warp, if it is the same one.
void WarpCollectives::matrix_together(std::span<const int> members, Effects* effects) {
  const Group& first = groups_[static_cast<size_t>(members.front())];
  const ir::Inst& inst = first.frame->function->code[first.pc];
  LaneMask lanes = 0;
  for (const int i : members) {
    const Group& g = groups_[static_cast<size_t>(i)];
    if (g.frame != first.frame || g.pc != first.pc) {
      return fail(TrapKind::illegal_instruction, "lanes of one warp are at different matrix instructions",
                  std::countr_zero(g.mask));
    }
    lanes |= g.sync_active;
  }
  current_ = members.front();
  matrix_op(inst, lanes, effects);
}

void WarpCollectives::matrix_op(const ir::Inst& inst, LaneMask active, Effects* effects) {
  switch (inst.variant->matrix->op) {
    case isa::MatrixOp::multiply: return matrix_multiply(inst, active);
    case isa::MatrixOp::warpgroup: return warpgroup_product(inst, active);
    case isa::MatrixOp::load:
    case isa::MatrixOp::store: return matrix_memory(inst, active, effects);
    case isa::MatrixOp::load8x8:
    case isa::MatrixOp::store8x8: return matrix_rows(inst, active, effects);
    case isa::MatrixOp::transpose: return matrix_transpose(inst, active);
  }
}

// wmma.load and wmma.store: each register is read or written by one access where its elements are neighbours in memory,
// else by one access per element.
void WarpCollectives::matrix_memory(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const isa::MatrixForm& form = *inst.variant->matrix;
  const bool load = form.op == isa::MatrixOp::load;
  if (!load) {
    spin_.memory_changed();
  }
  const bool columns = form.always_col || (inst.mods.mode & isa::kFirstIsCol) != 0;
  const std::vector<isa::Slot>& slots = load ? inst.matrix->d : inst.matrix->a;
  const FragmentMap& map = tally_->fragments.get(form, form.part, form.a, static_cast<int>(slots.size()), false);
  const uint64_t rows = form.part == isa::MatrixPart::b ? form.k : form.m;
  const uint64_t cols = form.part == isa::MatrixPart::a ? form.k : form.n;
  const int bits = isa::bits(form.a);
  set_addresses(inst, active);
  const auto base = address_;
  const auto offset_bits = [&](int lane, int reg, int e) {
    const uint64_t stride = inst.src[kStride] != isa::kNoSlot ? value_u32(inst.src[kStride], lane)
                            : columns                         ? rows
                                                              : cols;
    const Place p = map.at(lane, reg, e);
    return (columns ? p.col * stride + p.row : p.row * stride + p.col) * static_cast<uint64_t>(bits);
  };
  const int first = std::countr_zero(active), per_register = map.per_register();
  const bool together =
      per_register == 1 || offset_bits(first, 0, 1) == offset_bits(first, 0, 0) + static_cast<uint64_t>(bits);
  const int pieces = together ? 1 : per_register, piece_bits = together ? std::max(bits, 32) : bits;
  const int reg_bytes = bits == 64 ? 8 : 4;
  const ir::Inst access = plain_access(inst, load ? isa::Mem::ld : isa::Mem::st, static_cast<uint32_t>(piece_bits) / 8);
  Places place;
  for (int reg = 0; reg < map.distinct(); ++reg) {
    std::array<uint64_t, 32> word{};
    for (int piece = 0; piece < pieces; ++piece) {
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        address_.set(static_cast<size_t>(lane), base[static_cast<size_t>(lane)] + offset_bits(lane, reg, piece) / 8);
      }
      if (!piece_places(access, active, effects, place)) {
        return;
      }
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const auto l = static_cast<size_t>(lane);
        uint64_t part = 0;
        if (load) {
          std::memcpy(&part, place[l], access.elem_bytes);
          word[l] |= part << (piece * piece_bits);
        } else {
          part = value(slots[static_cast<size_t>(reg)], lane, reg_bytes) >> (piece * piece_bits);
          std::memcpy(const_cast<std::byte*>(place[l]), &part, access.elem_bytes);
        }
      }
    }
    for (int copy = reg; load && copy < map.registers(); copy += map.distinct()) {
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        set_value(slots[static_cast<size_t>(copy)], lane, reg_bytes, word[static_cast<size_t>(lane)]);
      }
    }
  }
}

// ldmatrix and stmatrix: lanes 0-7 give the addresses of the rows of the first matrix, 8-15 of the second, and so on; a
// row is 8 elements of 16 bits. Lane l has elements 2 * (l % 4) and the next of row l / 4; with .trans, of column l
// / 4.
void WarpCollectives::matrix_rows(const ir::Inst& inst, LaneMask active, Effects* effects) {
  const bool load = inst.variant->matrix->op == isa::MatrixOp::load8x8;
  if (!load) {
    spin_.memory_changed();
  }
  const std::vector<isa::Slot>& slots = load ? inst.matrix->d : inst.matrix->a;
  const LaneMask rows = static_cast<LaneMask>((uint64_t{1} << (8 * slots.size())) - 1);
  if ((rows & ~active) != 0) {
    return fail(TrapKind::illegal_instruction, "a lane that gives the address of a matrix row does not take part",
                std::countr_zero(active));
  }
  const ir::Inst access = plain_access(inst, load ? isa::Mem::ld : isa::Mem::st, 4, 4);
  set_addresses(inst, active);
  Places place;
  if (!piece_places(access, rows, effects, place)) {
    return;
  }
  const bool trans = inst.mods.mode != 0;
  for (size_t matrix = 0; matrix < slots.size(); ++matrix) {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      uint32_t word = load ? 0 : value_u32(slots[matrix], lane);
      for (int e = 0; e < 2; ++e) {
        const int across = lane % 4 * 2 + e, along = lane / 4;
        const int row = trans ? across : along, col = trans ? along : across;
        std::byte* element = const_cast<std::byte*>(place[8 * matrix + static_cast<size_t>(row)]) + 2 * col;
        if (load) {
          uint16_t half = 0;
          std::memcpy(&half, element, sizeof half);
          word |= static_cast<uint32_t>(half) << (16 * e);
        } else {
          const auto half = static_cast<uint16_t>(word >> (16 * e));
          std::memcpy(element, &half, sizeof half);
        }
      }
      if (load) {
        set_value(slots[matrix], lane, 4, word);
      }
    }
  }
}

void WarpCollectives::matrix_transpose(const ir::Inst& inst, LaneMask active) {
  std::array<std::array<uint16_t, 8>, 8> matrix{};
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t word = value_u32(inst.matrix->a[0], lane);
    matrix[static_cast<size_t>(lane / 4)][static_cast<size_t>(lane % 4 * 2)] = static_cast<uint16_t>(word);
    matrix[static_cast<size_t>(lane / 4)][static_cast<size_t>(lane % 4 * 2 + 1)] = static_cast<uint16_t>(word >> 16);
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto row = static_cast<size_t>(lane % 4 * 2), col = static_cast<size_t>(lane / 4);
    set_value(inst.matrix->d[0], lane, 4, uint32_t{matrix[row][col]} | uint32_t{matrix[row + 1][col]} << 16);
  }
}

}  // namespace hpml::sim::exec
