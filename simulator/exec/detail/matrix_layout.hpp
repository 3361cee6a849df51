#pragma once
// Which element of a matrix each register of each lane holds (PTX ISA 9.0, 9.7.14.5, "Matrix Fragments for mma...").
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "simulator/isa/matrix/form.hpp"

namespace hpml::sim::exec {

struct Place {
  uint16_t row = 0, col = 0;
};

// The places of one matrix, [lane][register][element of the register]. `columns` is the layout the instruction names
// for it: only mma.m8n8k4 on f16 distributes by it. Of its four products, `quad` 0 to 3, each lane takes part in one.
class FragmentMap {
 public:
  FragmentMap(const isa::MatrixForm& form, isa::MatrixPart part, isa::Element type, int registers, bool columns);

  int registers() const { return registers_; }
  int per_register() const { return per_register_; }
  // Registers beyond these are copies of the first ones (f16 multiplicands of wmma).
  int distinct() const { return distinct_; }
  Place at(int lane, int reg, int element) const {
    return places_[static_cast<size_t>((lane * registers_ + reg) * per_register_ + element)];
  }

 private:
  Place place(const isa::MatrixForm& form, isa::MatrixPart part, int lane, int reg, int element) const;
  Place place_in_quad(isa::MatrixPart part, isa::Element type, bool columns, int lane, int index) const;

  int registers_ = 0, per_register_ = 1, distinct_ = 0;
  std::vector<Place> places_;
};

// Made on first use and kept.
class FragmentMaps {
 public:
  const FragmentMap& get(const isa::MatrixForm& form, isa::MatrixPart part, isa::Element type, int registers,
                         bool columns);

 private:
  using Key = std::tuple<const isa::MatrixForm*, isa::MatrixPart, isa::Element, bool>;
  std::map<Key, FragmentMap> maps_;
};

}  // namespace hpml::sim::exec
