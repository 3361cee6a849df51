#include "simulator/exec/detail/matrix_sparse.hpp"

namespace hpml::sim::exec {

namespace {

// Where the metadata of one row begins: it goes on in the next lanes of the four.
struct RowBits {
  const std::array<uint32_t, 32>& metadata;
  int first_lane, lane_step;
  int width, shift;  // bits of one lane that belong to the row

  uint32_t at(int bit, int count) const {
    const auto lane = static_cast<size_t>(first_lane + bit / width * lane_step);
    return metadata[lane] >> (shift + bit % width) & ((1u << count) - 1);
  }
};

// Types of 16 and 32 bits: a lane has 16 bits of row g and above them 16 bits of row g + 8. Narrower types: a lane has
// 32 bits of one row, its neighbour those of row g + 8.
RowBits row_bits(const isa::MatrixForm& form, const std::array<uint32_t, 32>& metadata, int selector, int row) {
  const int four = row % 8 * 4, lower = row / 8;
  if (isa::bits(form.a) >= 16) {
    const int total = form.columns_a() * (isa::bits(form.a) == 32 ? 4 : 2), lanes = total / 16;
    return {metadata, four + selector * lanes % 4, 1, 16, 16 * lower};
  }
  const int total = isa::bits(form.a) == 8 ? form.columns_a() * 2 : form.columns_a();
  return {metadata, four + (total == 32 ? 2 * selector % 4 : 0) + lower, 2, 32, 0};
}

// Two bits name one of four neighbours. tf32: they name halves, of which both belong to one of two neighbours.
// 4-bit numbers: neighbours are pairs.
int kept_column(const isa::MatrixForm& form, const RowBits& bits, int element) {
  switch (isa::bits(form.a)) {
    case 32: return 2 * element + static_cast<int>(bits.at(4 * element, 2) / 2);
    case 4: return element / 4 * 8 + static_cast<int>(bits.at(element / 2 * 2, 2)) * 2 + element % 2;
    default: return element / 2 * 4 + static_cast<int>(bits.at(2 * element, 2));
  }
}

}  // namespace

std::vector<uint16_t> kept_columns(const isa::MatrixForm& form, const std::array<uint32_t, 32>& metadata,
                                   uint32_t selector) {
  std::vector<uint16_t> out;
  for (int row = 0; row < form.m; ++row) {
    const RowBits bits = row_bits(form, metadata, static_cast<int>(selector % 4), row);
    for (int element = 0; element < form.columns_a(); ++element) {
      out.push_back(static_cast<uint16_t>(kept_column(form, bits, element)));
    }
  }
  return out;
}

}  // namespace hpml::sim::exec
