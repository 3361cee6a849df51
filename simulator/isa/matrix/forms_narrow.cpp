// mma with .kind (PTX ISA 9.0, 9.7.14.5.14): floats of 4, 6 and 8 bits in any pairs, and block-scaled products, where each
// row of a and column of b has a factor per block along k.
#include <fmt/format.h>

#include "simulator/isa/matrix/form_table.hpp"

namespace hpml::sim::isa {

namespace {

using enum Element;

constexpr std::string_view kScaledOperands = "d, a, b, c, scale-a, {byte-a, thread-a}, scale-b, {byte-b, thread-b}";

void add_pairs(FormTable& table) {
  const Shape3 shape{16, 8, 32};
  for (const Element a : kNarrowFloats) {
    for (const Element b : kNarrowFloats) {
      for (const Element sum : {f16, f32}) {
        Entry& e = table.add("mma",
                             fmt::format("sync aligned {0} row col kind::f8f6f4 {1} {2} {3} {1}", shape.text(),
                                         name(sum), name(a), name(b)),
                             "d, a, b, c", kMmaSection, {87, 120}, 4, 4);
        set_product(e, shape, a, b, sum, sum);
      }
    }
  }
}

void add_scaled(FormTable& table, Shape3 shape, std::string_view kind, Element a, Element b, std::string_view blocks,
                uint8_t count, Scale scale) {
  const std::string_view type = scale == Scale::ue8m0 ? "ue8m0" : "ue4m3";
  Entry& e = table.add("mma",
                       fmt::format("sync aligned {} row col kind::{} block_scale {} f32 {} {} f32 {}", shape.text(),
                                   kind, blocks, name(a), name(b), type),
                       kScaledOperands, kMmaSection, {87, 120}, 8, 8);
  e.form.scale = scale;
  e.form.scale_blocks = count;
  set_product(e, shape, a, b, f32, f32);
}

}  // namespace

void add_narrow(FormTable& table) {
  add_pairs(table);
  for (const Element a : kNarrowFloats) {
    for (const Element b : kNarrowFloats) {
      add_scaled(table, {16, 8, 32}, "mxf8f6f4", a, b, "scale_vec::1X?", 1, Scale::ue8m0);
    }
  }
  const Shape3 packed{16, 8, 64};
  add_scaled(table, packed, "mxf4", e2m1_packed, e2m1_packed, "scale_vec::2X?", 2, Scale::ue8m0);
  add_scaled(table, packed, "mxf4nvf4", e2m1_packed, e2m1_packed, "scale_vec::2X", 2, Scale::ue8m0);
  add_scaled(table, packed, "mxf4nvf4", e2m1_packed, e2m1_packed, "scale_vec::4X", 4, Scale::ue4m3);
}

}  // namespace hpml::sim::isa
