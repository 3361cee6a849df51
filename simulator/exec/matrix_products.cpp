// Matrix products of a whole warp: mma, wmma.mma, wgmma.mma_async (PTX ISA 9.0, 9.7.14 and 9.7.15).
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "simulator/exec/detail/chosen_products.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/detail/matrix_math.hpp"
#include "simulator/exec/detail/matrix_sparse.hpp"
#include "simulator/exec/detail/shared_matrix.hpp"

namespace hpml::sim::exec {

namespace {

uint64_t ones(int bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

}  // namespace

// The registers of `lanes` into a matrix, element (row, col) at row * row_step + col * col_step.
void WarpCollectives::gather(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes,
                             isa::Element type, size_t row_step, size_t col_step, std::vector<uint64_t>& out) const {
  const int bits = isa::bits(type), bytes = bits == 64 ? 8 : 4;
  for (int reg = 0; reg < map.distinct(); ++reg) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t word = value(slots[static_cast<size_t>(reg)], lane, bytes);
      for (int e = 0; e < map.per_register(); ++e) {
        const Place p = map.at(lane, reg, e);
        out[p.row * row_step + p.col * col_step] = word >> (e * bits) & ones(bits);
      }
    }
  }
}

void WarpCollectives::scatter(const FragmentMap& map, const std::vector<isa::Slot>& slots, LaneMask lanes,
                              isa::Element type, size_t row_step, const std::vector<uint64_t>& in) {
  const int bits = isa::bits(type), bytes = bits == 64 ? 8 : 4;
  for (int reg = 0; reg < map.registers(); ++reg) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      uint64_t word = 0;
      for (int e = 0; e < map.per_register(); ++e) {
        const Place p = map.at(lane, reg, e);
        word |= in[p.row * row_step + p.col] << (e * bits);
      }
      set_value(slots[static_cast<size_t>(reg)], lane, bytes, word);
    }
  }
}

// mma.m8n8k4 on f16 is four products, each of the lanes of two quads; every other form is one.
void WarpCollectives::matrix_multiply(const ir::Inst& inst, LaneMask active) {
  const isa::MatrixForm& form = *inst.variant->matrix;
  if (!form.quads) {
    return matrix_product(inst, active);
  }
  constexpr LaneMask kFirst = 0x000f'000f;
  for (int quad = 0; quad < 4; ++quad) {
    matrix_product(inst, active & kFirst << (4 * quad));
  }
}

void WarpCollectives::multiply(const ir::Inst& inst, MatrixValues& values) const {
  const isa::MatrixForm& form = *inst.variant->matrix;
  const Launch& launch = grid_->launch_;
  exec::multiply(form, launch.tensor_sums, inst.mods.rnd, (inst.mods.mode & form.saturate) != 0, values);
  if (launch.chosen_products.has_value()) {
    add_chosen_products(form, *launch.chosen_products, values);
  }
}

void WarpCollectives::matrix_product(const ir::Inst& inst, LaneMask lanes) {
  const isa::MatrixForm& form = *inst.variant->matrix;
  const ir::MatrixOperands& lists = *inst.matrix;
  // The zeros of a sparse matrix are not multiplied.
  tally_->counters.matrix_operations[static_cast<size_t>(form.a)] += uint64_t{2} * form.m * form.n * form.columns_a();
  FragmentMaps& maps = tally_->fragments;
  using isa::MatrixPart;
  MatrixValues v;
  v.a.resize(size_t{form.m} * form.columns_a());
  v.b.resize(size_t{form.k} * form.n);
  v.c.resize(size_t{form.m} * form.n);
  gather(maps.get(form, MatrixPart::a, form.a, form.regs_a, (inst.mods.mode & isa::kFirstIsCol) != 0), lists.a, lanes,
         form.a, form.columns_a(), 1, v.a);
  gather(maps.get(form, MatrixPart::b, form.b, form.regs_b, (inst.mods.mode & isa::kSecondIsCol) != 0), lists.b, lanes,
         form.b, 1, form.k, v.b);
  gather(maps.get(form, MatrixPart::c, form.c, form.regs_c, false), lists.c, lanes, form.c, form.n, 1, v.c);
  if (form.sparse) {
    v.kept = kept_by(inst, lanes);
  }
  if (form.scale != isa::Scale::none) {
    v.scale_a = factors(inst, 0, form.m);
    v.scale_b = factors(inst, 3, form.n);
  }
  multiply(inst, v);
  scatter(maps.get(form, MatrixPart::c, form.d, form.regs_d, false), lists.d, lanes, form.d, form.n, v.d);
}

std::vector<uint16_t> WarpCollectives::kept_by(const ir::Inst& inst, LaneMask lanes) const {
  std::array<uint32_t, 32> metadata{};
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    metadata[static_cast<size_t>(lane)] = value_u32(inst.src[ir::kMetadata], lane);
  }
  return kept_columns(*inst.variant->matrix, metadata, value_u32(inst.src[ir::kSelector], std::countr_zero(lanes)));
}

// Of every row of a (`from` 0) or column of b (`from` 3), [row][block]. In each four lanes, of which lane 4 * g has the
// first: a has row g in lane 2 * thread and row g + 8 in the next; b has column g in lane `thread`.
std::vector<uint8_t> WarpCollectives::factors(const ir::Inst& inst, size_t from, int rows) const {
  const isa::MatrixForm& form = *inst.variant->matrix;
  const std::vector<isa::Slot>& slots = inst.matrix->scales;
  const auto byte = static_cast<uint32_t>(value(slots[from + 1], 0, 2)),
             thread = static_cast<uint32_t>(value(slots[from + 2], 0, 2));
  std::vector<uint8_t> out;
  for (int row = 0; row < rows; ++row) {
    const uint32_t in_four = from == 0 ? 2 * (thread & 1) + static_cast<uint32_t>(row / 8) : thread & 3;
    const uint32_t word = value_u32(slots[from], row % 8 * 4 + static_cast<int>(in_four));
    for (uint32_t block = 0; block < form.scale_blocks; ++block) {
      out.push_back(static_cast<uint8_t>(word >> 8 * ((byte + block) & 3)));
    }
  }
  return out;
}

// The 16 rows of a that are this warp's, or all columns of b. False: they do not lie in the block's shared memory.
bool WarpCollectives::read_shared_matrix(uint64_t descriptor, bool transposed, size_t first, size_t count, size_t along,
                                         isa::Element type, std::vector<uint64_t>& out) {
  const SharedMatrix matrix(descriptor, transposed, isa::bits(type));
  const uint64_t size = block_->shared_.size();
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < along; ++k) {
      const SharedMatrix::Bits at = matrix.at(first + i, k);
      const auto bytes = static_cast<uint64_t>(std::max(isa::bits(type) / 8, 1));
      if (at.offset + bytes > size) {
        fail(TrapKind::shared_out_of_bounds,
             fmt::format("a matrix descriptor names shared offset {}: the block has {} bytes of shared memory",
                         at.offset, size),
             0);
        return false;
      }
      uint64_t word = 0;
      std::memcpy(&word, block_->shared_.data() + at.offset, bytes);
      out[i * along + k] = word >> at.shift & ones(isa::bits(type));
    }
  }
  return true;
}

void WarpCollectives::warpgroup_product(const ir::Inst& inst, LaneMask lanes) {
  const isa::MatrixForm& form = *inst.variant->matrix;
  const ir::MatrixOperands& lists = *inst.matrix;
  const int first_lane = std::countr_zero(lanes);
  const size_t columns = form.columns_a();
  tally_->counters.matrix_operations[static_cast<size_t>(form.a)] += uint64_t{2} * form.m * form.n * columns;
  FragmentMaps& maps = tally_->fragments;
  MatrixValues v;
  v.a.resize(form.m * columns);
  v.b.resize(size_t{form.n} * form.k);
  v.c.resize(size_t{form.m} * form.n);
  if (lists.a.size() > 1) {
    gather(maps.get(form, isa::MatrixPart::a, form.a, form.regs_a, false), lists.a, lanes, form.a, columns, 1, v.a);
  } else if (!read_shared_matrix(value(lists.a[0], first_lane, 8), (inst.offset & ir::kTransposeA) != 0,
                                 static_cast<size_t>(index_ % 4) * form.m, form.m, columns, form.a, v.a)) {
    return;
  }
  if (!read_shared_matrix(value(lists.b[0], first_lane, 8), (inst.offset & ir::kTransposeB) != 0, 0, form.n, form.k,
                          form.b, v.b)) {
    return;
  }
  const auto negate = [](std::vector<uint64_t>& elements, isa::Element type) {
    for (uint64_t& raw : elements) {
      raw ^= uint64_t{1} << (isa::bits(type) - 1);
    }
  };
  if ((inst.offset & ir::kNegateA) != 0) {
    negate(v.a, form.a);
  }
  if ((inst.offset & ir::kNegateB) != 0) {
    negate(v.b, form.b);
  }
  const FragmentMap& sums = maps.get(form, isa::MatrixPart::c, form.d, form.regs_d, false);
  if ((predicate(inst.src[ir::kAccumulate]) >> first_lane & 1) != 0) {
    gather(sums, lists.c, lanes, form.c, form.n, 1, v.c);
  }
  if (form.sparse) {
    v.kept = kept_by(inst, lanes);
  }
  multiply(inst, v);
  scatter(sums, lists.d, lanes, form.d, form.n, v.d);
}

}  // namespace hpml::sim::exec
