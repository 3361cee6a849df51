#pragma once
// The table of matrix forms while it is filled: one entry per form. Each file forms*.cpp adds a family.
#include <deque>
#include <string>

#include "simulator/isa/matrix/form.hpp"
#include "simulator/isa/op.hpp"

namespace hpml::sim::isa {

inline constexpr std::string_view kMmaSection = "Warp-Level Matrix: mma";

struct Shape3 {
  uint16_t m, n, k;
  std::string text() const;  // m16n8k16
};
// First PTX version and target.
struct Since {
  int ptx, sm;
};

// One form and the texts its Spec points to; never moves.
struct Entry {
  std::string sequence, syntax;
  Spec spec;
  MatrixForm form;
  Lat latency = Lat::tensor;
};

inline constexpr Element kNarrowFloats[] = {Element::e4m3, Element::e5m2, Element::e3m2, Element::e2m3, Element::e2m1};
inline bool is_eight_bits(Element type) { return type == Element::e4m3 || type == Element::e5m2; }

class FormTable {
 public:
  Entry& add(std::string_view mnemonic, std::string sequence, std::string_view operands, std::string_view section,
             Since since, int8_t least, int8_t most);

  std::deque<Entry> entries;
};

// Shape, types and register counts of d = a * b + c; form.sparse has been set.
void set_product(Entry& entry, Shape3 shape, Element a, Element b, Element c, Element d);

void add_narrow(FormTable& table);     // mma .kind: floats of 4 to 8 bits, with and without factors of blocks
void add_sparse(FormTable& table);     // mma.sp
void add_warpgroup(FormTable& table);  // wgmma

}  // namespace hpml::sim::isa
