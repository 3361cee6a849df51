#include "simulator/isa/matrix/form_table.hpp"

#include <fmt/format.h>

namespace hpml::sim::isa {

std::string Shape3::text() const { return fmt::format("m{}n{}k{}", m, n, k); }

Entry& FormTable::add(std::string_view mnemonic, std::string sequence, std::string_view operands,
                      std::string_view section, Since since, int8_t least, int8_t most) {
  Entry& e = entries.emplace_back();
  e.sequence = std::move(sequence);
  e.syntax = std::string(mnemonic);
  for (const char c : " " + e.sequence) {
    e.syntax += c == ' ' ? '.' : c;
  }
  e.syntax += fmt::format(" {}", operands);
  e.spec.mnemonic = mnemonic;
  e.spec.sequence = e.sequence;
  e.spec.syntax = e.syntax;
  e.spec.section = section;
  e.spec.min_ptx = since.ptx;
  e.spec.min_sm = since.sm;
  e.spec.min_operands = least;
  e.spec.max_operands = most;
  return e;
}

namespace {

uint8_t registers(Element type, int elements) {
  return static_cast<uint8_t>(type == Element::f64 ? elements / 32 : elements * bits(type) / 32 / 32);
}

}  // namespace

void set_product(Entry& entry, Shape3 shape, Element a, Element b, Element c, Element d) {
  MatrixForm& f = entry.form;
  f.m = shape.m;
  f.n = shape.n;
  f.k = shape.k;
  f.a = a;
  f.b = b;
  f.c = c;
  f.d = d;
  f.regs_a = registers(a, f.m * f.columns_a());
  f.regs_b = registers(b, f.k * f.n);
  f.regs_c = registers(c, f.m * f.n);
  f.regs_d = registers(d, f.m * f.n);
}

}  // namespace hpml::sim::isa
