// mma.sp (PTX ISA 9.0, 9.7.14.6): of four neighbours in a row of a, two are not stored (of two tf32, one; of eight 4-bit
// numbers, two pairs). The metadata says which ones are. The ordered form promises ascending places and means the same.
#include <fmt/format.h>

#include "simulator/isa/matrix/form_table.hpp"

namespace hpml::sim::isa {

namespace {

using enum Element;

struct Family {
  FormTable& table;
  std::string_view word;  // sp, sp::ordered_metadata
  Since least;

  Since since(Since form) const { return {std::max(form.ptx, least.ptx), std::max(form.sm, least.sm)}; }
  Entry& add(Shape3 shape, const std::string& words, Element a, Element b, Element sum, Since from) {
    Entry& e = table.add("mma", fmt::format("{} sync aligned {}", word, fmt::format(fmt::runtime(words), shape.text())),
                         "d, a, b, c, metadata, selector", kMmaSection, since(from), 6, 6);
    e.form.sparse = true;
    set_product(e, shape, a, b, sum, sum);
    return e;
  }
  void floats(Shape3 shape, Element type, Element sum, Since from) {
    add(shape, fmt::format("{{}} row col {0} {1} {1} {0}", name(sum), name(type)), type, type, sum, from);
  }
  void integers(Shape3 shape, Element a, Element b) {
    add(shape, fmt::format("{{}} row col satfinite? s32 {} {} s32", name(a), name(b)), a, b, s32, {71, 80})
        .form.saturate = 1;
  }
};

void add_halves(Family& family) {
  for (const uint16_t k : {uint16_t{16}, uint16_t{32}}) {
    family.floats({16, 8, k}, f16, f16, {71, 80});
    family.floats({16, 8, k}, f16, f32, {71, 80});
    family.floats({16, 8, k}, bf16, f32, {71, 80});
    family.floats({16, 8, static_cast<uint16_t>(k / 2)}, tf32, f32, {71, 80});
  }
}

void add_integers(Family& family) {
  for (const Element a : {s8, u8}) {
    for (const Element b : {s8, u8}) {
      family.integers({16, 8, 32}, a, b);
      family.integers({16, 8, 64}, a, b);
    }
  }
  for (const Element a : {s4, u4}) {
    for (const Element b : {s4, u4}) {
      family.integers({16, 8, 64}, a, b);
      family.integers({16, 8, 128}, a, b);
    }
  }
}

// By .kind in all pairs of narrow floats.
void add_bytes(Family& family, bool kinds) {
  const Shape3 shape{16, 8, 64};
  for (const Element a : kNarrowFloats) {
    for (const Element b : kNarrowFloats) {
      const std::string types = fmt::format("{} {}", name(a), name(b));
      if (is_eight_bits(a) && is_eight_bits(b)) {
        family.add(shape, "{} row col f32 " + types + " f32", a, b, f32, {84, 89});
        if (kinds) {
          family.add(shape, "{} row col f16 " + types + " f16", a, b, f16, {87, 120});
        }
      }
      for (const Element sum : {f16, f32}) {
        if (kinds) {
          family.add(shape, fmt::format("{{}} row col kind::f8f6f4 {0} {1} {0}", name(sum), types), a, b, sum, {87, 120});
        }
      }
    }
  }
}

}  // namespace

void add_sparse(FormTable& table) {
  for (const bool ordered : {false, true}) {
    Family family{table, ordered ? "sp::ordered_metadata" : "sp", ordered ? Since{85, 80} : Since{71, 80}};
    add_halves(family);
    add_integers(family);
    add_bytes(family, ordered);
  }
}

}  // namespace hpml::sim::isa
