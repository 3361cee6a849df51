#include "simulator/exec/detail/matrix_layout.hpp"

#include <algorithm>

namespace hpml::sim::exec {

namespace {

constexpr int kLanes = 32;

Place place_of(int row, int col) { return {static_cast<uint16_t>(row), static_cast<uint16_t>(col)}; }
Place transposed(Place p) { return {p.col, p.row}; }

// A multiplicand whose 16 rows (or 8) are spread over the groups of four lanes, `per_register` neighbours along k in a
// register: rows g and g + 8 in turn, then the next 4 * per_register columns, then the next 16 rows.
Place row_operand(int rows, int k, int lane, int reg, int element, int per_register) {
  const int group = lane / 4, in_group = lane % 4;
  const int halves = rows >= 16 ? 2 : 1, chunk_width = 4 * per_register;
  const int chunks = std::max(k / chunk_width, 1);
  const int half = reg % halves, chunk = reg / halves % chunks, tile = reg / halves / chunks;
  return place_of(16 * tile + 8 * half + group, chunk * chunk_width + in_group * per_register + element);
}

// A multiplicand with 8 columns per tile: k in chunks first, then the next 8 columns. As (k, column).
Place column_operand(int k, int lane, int reg, int element, int per_register) {
  const int chunk_width = 4 * per_register, chunks = std::max(k / chunk_width, 1);
  const int chunk = reg % chunks, tile = reg / chunks;
  return place_of(chunk * chunk_width + lane % 4 * per_register + element, 8 * tile + lane / 4);
}

// A sum: two neighbours in a row, rows g and g + 8, then the next 8 columns, then the next 16 rows.
Place sum(int rows, int columns, int lane, int index) {
  const int halves = rows >= 16 ? 2 : 1, tiles = columns / 8;
  const int half = index / 2 % halves, tile = index / 2 / halves % tiles, block = index / 2 / halves / tiles;
  return place_of(16 * block + 8 * half + lane / 4, 8 * tile + lane % 4 * 2 + index % 2);
}

}  // namespace

FragmentMap::FragmentMap(const isa::MatrixForm& form, isa::MatrixPart part, isa::Element type, int registers,
                         bool columns)
    : registers_(registers), per_register_(std::max(32 / isa::bits(type), 1)) {
  const int elements = part == isa::MatrixPart::a   ? form.m * form.columns_a()
                       : part == isa::MatrixPart::b ? form.k * form.n
                                                    : form.m * form.n;
  distinct_ = form.quads ? registers : std::min(registers, elements / kLanes / per_register_);
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int reg = 0; reg < registers; ++reg) {
      for (int element = 0; element < per_register_; ++element) {
        places_.push_back(form.quads ? place_in_quad(part, type, columns, lane, reg * per_register_ + element)
                                     : place(form, part, lane, reg % distinct_, element));
      }
    }
  }
}

// The 8-row shape of wmma is the 32-row one seen from the side: a has the columns' part, b the rows', c is transposed.
Place FragmentMap::place(const isa::MatrixForm& form, isa::MatrixPart part, int lane, int reg, int element) const {
  const bool sideways = form.opaque && form.m == 8 && form.n == 32;
  switch (part) {
    case isa::MatrixPart::a:
      return sideways ? transposed(column_operand(form.k, lane, reg, element, per_register_))
                      : row_operand(form.m, form.columns_a(), lane, reg, element, per_register_);
    case isa::MatrixPart::b:
      return sideways ? transposed(row_operand(form.n, form.k, lane, reg, element, per_register_))
                      : column_operand(form.k, lane, reg, element, per_register_);
    case isa::MatrixPart::c:
      return sideways ? transposed(sum(form.n, form.m, lane, reg * per_register_ + element))
                      : sum(form.m, form.n, lane, reg * per_register_ + element);
  }
  return {};
}

// mma.m8n8k4 on f16 (9.7.14.5.1): lanes 0-3 and 16-19 make the first product, 4-7 and 20-23 the second...
Place FragmentMap::place_in_quad(isa::MatrixPart part, isa::Element type, bool columns, int lane, int index) const {
  const int upper = lane >= 16 ? 4 : 0, in_quad = lane % 4;
  switch (part) {
    case isa::MatrixPart::a: return columns ? place_of(index % 4 + upper, in_quad) : place_of(in_quad + upper, index);
    case isa::MatrixPart::b: return columns ? place_of(index, in_quad + upper) : place_of(in_quad, index % 4 + upper);
    case isa::MatrixPart::c:
      return type == isa::Element::f16
                 ? place_of(in_quad + upper, index)
                 : place_of((lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1));
  }
  return {};
}

const FragmentMap& FragmentMaps::get(const isa::MatrixForm& form, isa::MatrixPart part, isa::Element type,
                                     int registers, bool columns) {
  const Key key{&form, part, type, columns};
  const auto found = maps_.find(key);
  return found != maps_.end() ? found->second
                              : maps_.try_emplace(key, form, part, type, registers, columns).first->second;
}

}  // namespace hpml::sim::exec
