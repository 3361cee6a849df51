// cp.async.bulk.tensor (PTX ISA 9.0, 9.7.9.25.5) in .tile mode: the box of a tensor that begins at the coordinates, row
// by row of its first dimension. Elements outside the tensor are read as zero (or NaN) and not written.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/isa/ops/half_arith.hpp"
#include "simulator/memory/tensor_map.hpp"

namespace hpml::sim::exec {

namespace {

using memory::TensorElement;
using memory::TensorMap;

// Places of src[], as of other bulk copies: async_copy.cpp.
constexpr size_t kShared = 0, kSharedOffset = 1, kBarrier = 2, kBarrierOffset = 3, kBlocks = 4;
constexpr uint64_t kUnit = 16, kPatternRow = 128;

uint64_t swizzled(const TensorMap& map, uint64_t offset) {
  return offset ^ (offset / kPatternRow & (map.swizzle_units - 1u)) * kUnit;
}

uint64_t nan_bits(TensorElement type) {
  switch (type) {
    case TensorElement::f16: return 0x7fff;
    case TensorElement::bf16: return 0x7fff;
    case TensorElement::f32:
    case TensorElement::f32_ftz:
    case TensorElement::tf32:
    case TensorElement::tf32_ftz: return 0x7fff'ffff;
    case TensorElement::f64: return 0x7fff'ffff'ffff'ffff;
    default: return 0;
  }
}

template <class T>
T reduced_number(isa::TensorReduction op, T old, T operand) {
  using Op = isa::TensorReduction;
  switch (op) {
    case Op::add: return static_cast<T>(old + operand);
    case Op::min: return std::min(old, operand);
    case Op::max: return std::max(old, operand);
    case Op::inc: return old >= operand ? T{0} : static_cast<T>(old + 1);
    case Op::dec: return old == 0 || old > operand ? operand : static_cast<T>(old - 1);
    default: return old;
  }
}

// Bits of one element, `old` in memory and `operand` from the box.
uint64_t reduced(isa::TensorReduction op, TensorElement type, uint64_t old, uint64_t operand) {
  using Op = isa::TensorReduction;
  switch (op) {
    case Op::bit_and: return old & operand;
    case Op::bit_or: return old | operand;
    case Op::bit_xor: return old ^ operand;
    default: break;
  }
  const auto half = [&](auto x, auto y) -> uint64_t {
    const isa::Mods plain{};
    return op == Op::add   ? isa::half_add(plain, x, y).bits
           : op == Op::min ? isa::half_min_max<false>(plain, x, y).bits
                           : isa::half_min_max<true>(plain, x, y).bits;
  };
  const auto old16 = static_cast<uint16_t>(old), operand16 = static_cast<uint16_t>(operand);
  switch (type) {
    case TensorElement::f16: return half(isa::F16{old16}, isa::F16{operand16});
    case TensorElement::bf16: return half(isa::BF16{old16}, isa::BF16{operand16});
    case TensorElement::f32:
    case TensorElement::f32_ftz:
    case TensorElement::tf32:
    case TensorElement::tf32_ftz: {
      const auto x = std::bit_cast<float>(static_cast<uint32_t>(old)),
                 y = std::bit_cast<float>(static_cast<uint32_t>(operand));
      return std::bit_cast<uint32_t>(reduced_number(op, x, y));
    }
    case TensorElement::f64:
      return std::bit_cast<uint64_t>(reduced_number(op, std::bit_cast<double>(old), std::bit_cast<double>(operand)));
    case TensorElement::s32:
      return static_cast<uint32_t>(reduced_number(op, static_cast<int32_t>(old), static_cast<int32_t>(operand)));
    case TensorElement::s64:
      return static_cast<uint64_t>(reduced_number(op, static_cast<int64_t>(old), static_cast<int64_t>(operand)));
    default: return reduced_number(op, old, operand);
  }
}

// The box as rows of its first dimension.
struct Box {
  const TensorMap& map;
  std::array<int64_t, memory::kTensorDimensions> begin = {};
  std::array<uint64_t, memory::kTensorDimensions> count = {};

  uint64_t rows() const {
    uint64_t out = 1;
    for (size_t d = 1; d < map.rank; ++d) {
      out *= count[d];
    }
    return out;
  }
  uint64_t row_bytes() const { return count[0] * memory::bytes_of(map.element); }
  // Address of the row's coordinate 0; false: the row lies outside.
  bool address_of(uint64_t row, uint64_t& address) const {
    address = map.address;
    for (size_t d = 1; d < map.rank; ++d) {
      const int64_t at = begin[d] + static_cast<int64_t>(row % count[d] * map.step[d]);
      row /= count[d];
      if (at < 0 || at >= static_cast<int64_t>(map.size[d])) {
        return false;
      }
      address += static_cast<uint64_t>(at) * map.stride[d];
    }
    return true;
  }
};

}  // namespace

bool WarpCollectives::read_tensor_map(uint64_t address, int lane, memory::TensorMap& map) {
  const std::span<const std::byte> params = grid_->launch_.params;
  const std::byte* bytes = nullptr;
  if (in_param_window(address)) {
    const uint64_t at = address - kParamWindow;
    bytes = at + sizeof map <= params.size() ? params.data() + at : nullptr;
  } else {
    bytes = data_at(address, lane, sizeof map);
  }
  if (bytes != nullptr) {
    std::memcpy(&map, bytes, sizeof map);
  }
  if (bytes == nullptr || map.mark != memory::kTensorMapMark) {
    fail(TrapKind::illegal_instruction, "cp.async.bulk.tensor: the address is not that of a tensor map", lane, address);
    return false;
  }
  return true;
}

// One lane's box, from or to the shared memory at `shared`.
bool WarpCollectives::copy_box(const ir::Inst& inst, const memory::TensorMap& map, int lane, uint64_t shared) {
  Box box{map};
  for (size_t d = 0; d < map.rank; ++d) {
    box.begin[d] = static_cast<int32_t>(value_u32(inst.matrix->a[d], lane));
    box.count[d] = (map.box[d] + map.step[d] - 1u) / map.step[d];
  }
  const bool loads = inst.src[kBarrier] != isa::kNoSlot;
  const uint64_t bytes = box.rows() * box.row_bytes(), size = memory::bytes_of(map.element);
  const uint64_t offset = shared & isa::kSharedOffsetMask;
  std::byte* const tile = shared_at(shared, bytes);
  if (tile == nullptr) {
    fail(TrapKind::shared_out_of_bounds,
         fmt::format("a box of {} bytes at shared offset {} does not fit in the block's shared memory", bytes, offset),
         lane);
    return false;
  }
  const uint64_t outside = map.nan_outside ? nan_bits(map.element) : 0;
  for (uint64_t row = 0; row < box.rows(); ++row) {
    uint64_t address = 0;
    const bool row_inside = box.address_of(row, address);
    for (uint64_t i = 0; i < box.count[0]; ++i) {
      const int64_t at = box.begin[0] + static_cast<int64_t>(i * map.step[0]);
      std::byte* const here = tile + (swizzled(map, offset + row * box.row_bytes() + i * size) - offset);
      if (!row_inside || at < 0 || at >= static_cast<int64_t>(map.size[0])) {
        if (loads) {
          std::memcpy(here, &outside, size);
        }
        continue;
      }
      const uint64_t element = address + static_cast<uint64_t>(at) * size;
      auto* const there = const_cast<std::byte*>(data_at(element, lane, size));
      if (there == nullptr) {
        fail(TrapKind::illegal_address, "cp.async.bulk.tensor: the tensor's memory is not there", lane, element);
        return false;
      }
      if (loads) {
        std::memcpy(here, there, size);
        continue;
      }
      note_written(element, size);
      if (inst.tensor_reduction == isa::TensorReduction::none) {
        std::memcpy(there, here, size);
      } else {
        uint64_t old = 0, operand = 0;
        std::memcpy(&old, there, size);
        std::memcpy(&operand, here, size);
        const uint64_t now = reduced(inst.tensor_reduction, map.element, old, operand);
        std::memcpy(there, &now, size);
      }
    }
  }
  if (loads) {
    note_written(isa::kSharedWindow + shared, bytes);
  }
  return true;
}

bool WarpCollectives::copy_tensor_lane(const ir::Inst& inst, int lane, Effects* effects) {
  memory::TensorMap map;
  if (!read_tensor_map(address_[static_cast<size_t>(lane)], lane, map)) {
    return false;
  }
  if (inst.matrix->a.size() != map.rank) {
    fail(TrapKind::illegal_instruction,
         fmt::format("cp.async.bulk.tensor.{}d with the map of a tensor of {} dimensions", inst.matrix->a.size(),
                     map.rank),
         lane);
    return false;
  }
  const bool loads = inst.src[kBarrier] != isa::kNoSlot;
  const uint64_t shared = value(inst.src[kShared], lane, inst.src_bytes) + value(inst.src[kSharedOffset], lane, 8);
  const uint64_t barrier =
      loads ? value(inst.src[kBarrier], lane, inst.dst_bytes) + value(inst.src[kBarrierOffset], lane, 8) : 0;
  uint64_t bytes = memory::bytes_of(map.element), start = map.address;
  for (size_t d = 0; d < map.rank; ++d) {
    bytes *= (map.box[d] + map.step[d] - 1u) / map.step[d];
    const auto at = static_cast<int32_t>(value_u32(inst.matrix->a[d], lane));
    start += static_cast<uint64_t>(std::clamp<int64_t>(at, 0, static_cast<int64_t>(map.size[d]) - 1)) * map.stride[d];
  }
  const bool multicast = inst.src[kBlocks] != isa::kNoSlot;
  uint32_t blocks = multicast ? static_cast<uint32_t>(value(inst.src[kBlocks], lane, 2)) : 1;
  for (; blocks != 0; blocks &= blocks - 1) {
    const auto rank = static_cast<uint32_t>(std::countr_zero(blocks));
    if (!copy_box(inst, map, lane, multicast ? at_rank(shared, rank) : shared) ||
        (loads && !complete_bytes(multicast ? at_rank(barrier, rank) : barrier, bytes, lane))) {
      return false;
    }
  }
  (loads ? tally_->counters.bulk_read : tally_->counters.bulk_written) += bytes;
  if (effects != nullptr && effects->range_count < static_cast<int>(effects->ranges.size())) {
    using Op = BulkRange::Op;
    const Op op = loads ? Op::read : inst.tensor_reduction != isa::TensorReduction::none ? Op::reduce : Op::write;
    // As if the box lay in one piece: its rows are whole sectors in all but the narrowest boxes.
    effects->ranges[static_cast<size_t>(effects->range_count++)] = {
        op, start / kUnit * kUnit, (bytes + kUnit - 1) / kUnit * kUnit,
        loads ? shared_at(barrier, sizeof(uint64_t)) : nullptr};
  }
  return true;
}

}  // namespace hpml::sim::exec
