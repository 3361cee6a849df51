// wgmma.mma_async (PTX ISA 9.0, 9.7.15): four warps multiply a of 64 rows; each warp does its own 16, and the form is that
// of one warp. One entry per width n.
#include <fmt/format.h>

#include "simulator/isa/matrix/form_table.hpp"

namespace hpml::sim::isa {

namespace {

using enum Element;

constexpr std::string_view kSection = "Asynchronous Warpgroup Level Matrix: wgmma";

struct Kind {
  Element a, b, sum;
  uint16_t k;  // of the dense form
};

// Floats: every multiple of 8. Integers: 8, 24 and the multiples of 16.
bool has_width(const Kind& kind, int n) { return kind.sum != s32 || n == 8 || n == 24 || n % 16 == 0; }

// Behind the multiplicands and the sparse forms' metadata: scale-d; floats: signs of a and b; 16 bits: transpositions,
// of which a register a has none.
void add(FormTable& table, const Kind& kind, uint16_t n, bool sparse) {
  const bool bits1 = kind.a == b1, integers = kind.sum == s32, halves = kind.a == f16 || kind.a == bf16;
  const auto k = static_cast<uint16_t>(sparse ? 2 * kind.k : kind.k);
  const std::string shape = fmt::format("m64n{}k{}", n, k);
  const std::string types = fmt::format("{} {} {}", name(kind.sum), name(kind.a), name(kind.b));
  const auto most = static_cast<int8_t>(4 + (sparse ? 2 : 0) + (integers ? 0 : 2) + (halves ? 2 : 0));
  Entry& e = table.add("wgmma",
                       fmt::format("mma_async {}sync aligned {}{} {}{}", sparse ? "sp " : "", shape,
                                   integers && !bits1 ? " satfinite?" : "", types,
                                   bits1 ? " and popc" : integers ? " satfinite?" : ""),
                       fmt::format("d, a, b-desc{}, scale-d{}{}", sparse ? ", metadata, selector" : "",
                                   integers ? "" : ", scale-a, scale-b", halves ? "{, trans-a}, trans-b" : ""),
                       kSection, {80, 90}, static_cast<int8_t>(halves ? most - 1 : most), most);
  e.syntax.replace(e.syntax.find(shape), shape.size(), fmt::format("m64nNk{}", k));  // all widths are one form
  e.spec.syntax = e.syntax;
  e.form.op = MatrixOp::warpgroup;
  e.form.sparse = sparse;
  set_product(e, {16, n, k}, kind.a, kind.b, kind.sum, kind.sum);
  e.form.regs_b = 0;
  e.form.saturate = integers && !bits1 ? 3 : 0;
  e.form.bit_op = bits1 ? BitOp::and_popc : BitOp::none;
}

void add_kind(FormTable& table, const Kind& kind) {
  for (const bool sparse : {false, true}) {
    for (uint16_t n = 8; n <= 256; n = static_cast<uint16_t>(n + 8)) {
      if (has_width(kind, n) && !(sparse && kind.a == b1)) {
        add(table, kind, n, sparse);
      }
    }
  }
}

}  // namespace

void add_warpgroup(FormTable& table) {
  add_kind(table, {f16, f16, f16, 16});
  add_kind(table, {f16, f16, f32, 16});
  add_kind(table, {bf16, bf16, f32, 16});
  add_kind(table, {tf32, tf32, f32, 8});
  for (const Element a : {e4m3, e5m2}) {
    for (const Element b : {e4m3, e5m2}) {
      add_kind(table, {a, b, f16, 32});
      add_kind(table, {a, b, f32, 32});
    }
  }
  for (const Element a : {s8, u8}) {
    for (const Element b : {s8, u8}) {
      add_kind(table, {a, b, s32, 32});
    }
  }
  add_kind(table, {b1, b1, s32, 256});
}

}  // namespace hpml::sim::isa
