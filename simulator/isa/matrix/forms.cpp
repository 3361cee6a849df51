#include "simulator/isa/matrix/forms.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <string>

#include "simulator/isa/matrix/form_table.hpp"

namespace hpml::sim::isa {

namespace {

struct ElementRow {
  std::string_view word;
  int bits;
};
constexpr std::array<ElementRow, kElementCount> kElements = {{{"", 0},
                                                   {"f16", 16},
                                                   {"bf16", 16},
                                                   {"tf32", 32},
                                                   {"f32", 32},
                                                   {"f64", 64},
                                                   {"s8", 8},
                                                   {"u8", 8},
                                                   {"s4", 4},
                                                   {"u4", 4},
                                                   {"b1", 1},
                                                   {"s32", 32},
                                                   {"e4m3", 8},
                                                   {"e5m2", 8},
                                                   {"e3m2", 8},
                                                   {"e2m3", 8},
                                                   {"e2m1", 8},
                                                   {"e2m1", 4}}};

}  // namespace

std::string_view name(Element type) { return kElements[static_cast<size_t>(type)].word; }
int bits(Element type) { return kElements[static_cast<size_t>(type)].bits; }

namespace {

using enum Element;

constexpr std::string_view kWmmaSection = "Warp-Level Matrix: wmma";
constexpr std::string_view kMoveSection = "Warp-Level Matrix: ldmatrix, stmatrix, movmatrix";

bool any_memory(const Mods& m, Ty, Ty) {
  return m.space == Space::generic || m.space == Space::global || m.space == Space::shared;
}
bool shared_memory(const Mods& m, Ty, Ty) { return m.space == Space::generic || m.space == Space::shared; }

class Forms {
 public:
  explicit Forms(FormTable& table) : table_(table) {
    add_wmma();
    add_mma_floats();
    add_mma_integers();
    add_mma_bits();
    add_moves();
  }

 private:
  Entry& add(std::string_view mnemonic, std::string sequence, std::string_view operands, std::string_view section,
             Since since, int8_t least, int8_t most) {
    return table_.add(mnemonic, std::move(sequence), operands, section, since, least, most);
  }

  // --- wmma: 9.7.14.4 ---
  void add_wmma() {
    for (const Shape3 shape : {Shape3{16, 16, 16}, Shape3{32, 8, 16}, Shape3{8, 32, 16}}) {
      const Since since = shape.m == 16 ? Since{60, 70} : Since{61, 70};
      add_wmma_family(shape, {f16}, {f16, f32}, true, since);
      add_wmma_family(shape, {bf16}, {}, true, {70, 80});
      add_wmma_family(shape, {s8, u8}, {s32}, true, {63, 72});
      for (const Element d : {f16, f32}) {
        for (const Element c : {f16, f32}) {
          wmma_multiply(shape, fmt::format("{} {}", name(d), name(c)), f16, c, d, true, since, 0);
        }
      }
      wmma_multiply(shape, "f32 bf16 bf16 f32", bf16, f32, f32, true, {70, 80}, 0);
      for (const Element type : {s8, u8}) {
        wmma_multiply(shape, fmt::format("s32 {0} {0} s32 satfinite?", name(type)), type, s32, s32, true, {63, 72}, 4);
      }
    }
    const Shape3 tf{16, 16, 8}, doubles{8, 8, 4}, nibbles{8, 8, 32}, ones{8, 8, 128};
    add_wmma_family(tf, {tf32}, {f32}, true, {70, 80});
    wmma_multiply(tf, "f32 tf32 tf32 f32", tf32, f32, f32, true, {70, 80}, 0);
    add_wmma_family(doubles, {f64}, {f64}, true, {70, 80});
    wmma_multiply(doubles, "f64 f64 f64 f64", f64, f64, f64, true, {70, 80}, 0).spec.accept = Accept::rnd;
    add_wmma_family(nibbles, {s4, u4}, {s32}, false, {63, 75});
    for (const Element type : {s4, u4}) {
      wmma_multiply(nibbles, fmt::format("s32 {0} {0} s32 satfinite?", name(type)), type, s32, s32, false, {63, 75}, 1);
    }
    add_wmma_family(ones, {b1}, {s32}, false, {63, 75});
    for (const bool is_and : {false, true}) {
      Entry& e = add("wmma", fmt::format("mma {} popc sync aligned row col m8n8k128 s32 b1 b1 s32", is_and ? "and" : "xor"),
                     "d, a, b, c", kWmmaSection, is_and ? Since{71, 80} : Since{63, 75}, 4, 4);
      set_wmma(e, ones, b1, s32, s32);
      e.form.bit_op = is_and ? BitOp::and_popc : BitOp::xor_popc;
    }
  }

  // Registers per lane of wmma fragments. f16 multiplicands always take eight, some of them copies.
  static uint8_t wmma_regs(Element type, int elements) {
    return static_cast<uint8_t>(type == f64 ? elements / 32 : elements * bits(type) / 32 / 32);
  }
  static void set_wmma(Entry& e, Shape3 s, Element ab, Element c, Element d) {
    MatrixForm& f = e.form;
    f.opaque = true;
    f.m = s.m;
    f.n = s.n;
    f.k = s.k;
    f.a = f.b = ab;
    f.c = c;
    f.d = d;
    f.regs_a = ab == f16 ? 8 : wmma_regs(ab, s.m * s.k);
    f.regs_b = ab == f16 ? 8 : wmma_regs(ab, s.k * s.n);
    f.regs_c = wmma_regs(c, s.m * s.n);
    f.regs_d = wmma_regs(d, s.m * s.n);
  }
  Entry& wmma_multiply(Shape3 s, const std::string& types, Element ab, Element c, Element d, bool layouts, Since since,
                       uint8_t saturate) {
    const std::string_view layout = layouts ? "row|col row|col" : "row col";
    Entry& e = add("wmma", fmt::format("mma sync aligned {} {} {}", layout, s.text(), types), "d, a, b, c",
                   kWmmaSection, since, 4, 4);
    set_wmma(e, s, ab, c, d);
    e.form.saturate = saturate;
    return e;
  }
  // wmma.load of a, b and c, wmma.store of d. Layouts of sub-byte multiplicands are fixed.
  void add_wmma_family(Shape3 s, std::initializer_list<Element> multiplicands, std::initializer_list<Element> sums,
                       bool layouts, Since since) {
    for (const Element type : multiplicands) {
      for (const MatrixPart part : {MatrixPart::a, MatrixPart::b}) {
        const bool is_a = part == MatrixPart::a;
        wmma_memory(s, MatrixOp::load, part, is_a ? "a" : "b", layouts ? "row|col" : is_a ? "row" : "col", type, since);
      }
    }
    for (const Element type : sums) {
      wmma_memory(s, MatrixOp::load, MatrixPart::c, "c", "row|col", type, since);
      wmma_memory(s, MatrixOp::store, MatrixPart::c, "d", "row|col", type, since);
    }
  }
  void wmma_memory(Shape3 s, MatrixOp op, MatrixPart part, std::string_view letter, std::string_view layout,
                   Element type, Since since) {
    const bool load = op == MatrixOp::load;
    Entry& e = add("wmma",
                   fmt::format("{} {} sync aligned {} {} {}", load ? "load" : "store", letter, layout, s.text(), name(type)),
                   load ? "r, [p]{, stride}" : "[p], r{, stride}", kWmmaSection, since, 2, 3);
    set_wmma(e, s, type, type, type);
    e.form.op = op;
    e.form.part = part;
    if (layout == "col") {
      e.form.always_col = true;
    }
    e.spec.accept = Accept::space;
    e.spec.legal = any_memory;
    e.latency = load ? Lat::ld_global : Lat::st_global;
  }

  // --- mma: 9.7.14.5 ---
  Entry& mma(Shape3 s, const std::string& words, Element a, Element b, Element c, Element d, Since since) {
    Entry& e = add("mma", fmt::format("sync aligned {} {}", s.text(), words), "d, a, b, c", kMmaSection, since, 4, 4);
    set_product(e, s, a, b, c, d);
    return e;
  }
  Entry& mma_row_col(Shape3 s, Element a, Element b, Element c, Element d, Since since) {
    return mma(s, fmt::format("row col {} {} {} {}", name(d), name(a), name(b), name(c)), a, b, c, d, since);
  }

  void add_mma_floats() {
    for (const Element d : {f16, f32}) {
      for (const Element c : {f16, f32}) {
        const Shape3 s{8, 8, 4};
        if (d == f16 && c == f32) {
          continue;  // not in the table of 9.7.14.5.1
        }
        Entry& e = mma(s, fmt::format("row|col row|col {} f16 f16 {}", name(d), name(c)), f16, f16, c, d, {64, 70});
        e.form.quads = true;
        e.form.regs_a = e.form.regs_b = 2;
        e.form.regs_c = c == f16 ? 4 : 8;
        e.form.regs_d = d == f16 ? 4 : 8;
      }
    }
    for (const Element t : {f16, f32}) {
      mma_row_col({16, 8, 8}, f16, f16, t, t, {65, 75});
      mma_row_col({16, 8, 16}, f16, f16, t, t, {70, 80});
    }
    mma_row_col({16, 8, 8}, bf16, bf16, f32, f32, {70, 80});
    mma_row_col({16, 8, 16}, bf16, bf16, f32, f32, {70, 80});
    mma_row_col({16, 8, 4}, tf32, tf32, f32, f32, {70, 80});
    mma_row_col({16, 8, 8}, tf32, tf32, f32, f32, {70, 80});
    mma_row_col({8, 8, 4}, f64, f64, f64, f64, {70, 80}).spec.accept = Accept::rnd;
    for (const uint16_t k : {uint16_t{4}, uint16_t{8}, uint16_t{16}}) {
      mma_row_col({16, 8, k}, f64, f64, f64, f64, {78, 90}).spec.accept = Accept::rnd;
    }
    for (const Element a : {e4m3, e5m2}) {
      for (const Element b : {e4m3, e5m2}) {
        for (const Element t : {f16, f32}) {
          mma_row_col({16, 8, 16}, a, b, t, t, {87, 89});
          mma_row_col({16, 8, 32}, a, b, t, t, t == f32 ? Since{84, 89} : Since{87, 89});
        }
      }
    }
  }

  void integer(Shape3 s, Element a, Element b, Since since) {
    mma(s, fmt::format("row col satfinite? s32 {} {} s32", name(a), name(b)), a, b, s32, s32, since).form.saturate = 1;
  }
  void add_mma_integers() {
    for (const Element a : {s8, u8}) {
      for (const Element b : {s8, u8}) {
        integer({8, 8, 16}, a, b, {65, 75});
        integer({16, 8, 16}, a, b, {70, 80});
        integer({16, 8, 32}, a, b, {70, 80});
      }
    }
    for (const Element a : {s4, u4}) {
      for (const Element b : {s4, u4}) {
        integer({8, 8, 32}, a, b, {65, 75});
        integer({16, 8, 32}, a, b, {70, 80});
        integer({16, 8, 64}, a, b, {70, 80});
      }
    }
  }
  void add_mma_bits() {
    for (const bool is_and : {false, true}) {
      for (const Shape3 s : {Shape3{8, 8, 128}, Shape3{16, 8, 128}, Shape3{16, 8, 256}}) {
        const Since since = is_and ? Since{71, 80} : s.m == 8 ? Since{70, 75} : Since{70, 80};
        mma(s, fmt::format("row col s32 b1 b1 s32 {} popc", is_and ? "and" : "xor"), b1, b1, s32, s32, since)
            .form.bit_op = is_and ? BitOp::and_popc : BitOp::xor_popc;
      }
    }
  }

  // --- ldmatrix, stmatrix, movmatrix: 9.7.14.5.15 to .17 ---
  void add_moves() {
    for (const uint8_t count : {uint8_t{1}, uint8_t{2}, uint8_t{4}}) {
      const std::string words = fmt::format("sync aligned m8n8 x{} trans? b16", count);
      Entry& load = add("ldmatrix", words, "r, [p]", kMoveSection, {65, 75}, 2, 2);
      load.form.op = MatrixOp::load8x8;
      load.form.regs_d = count;
      load.latency = Lat::ld_shared;
      Entry& store = add("stmatrix", words, "[p], r", kMoveSection, {78, 90}, 2, 2);
      store.form.op = MatrixOp::store8x8;
      store.form.regs_a = count;
      store.latency = Lat::st_shared;
      for (Entry* e : {&load, &store}) {
        e->spec.accept = Accept::space;
        e->spec.legal = shared_memory;
      }
    }
    Entry& move = add("movmatrix", "sync aligned m8n8 trans b16", "d, a", kMoveSection, {78, 75}, 2, 2);
    move.form.op = MatrixOp::transpose;
    move.form.regs_a = move.form.regs_d = 1;
    move.latency = Lat::shuffle;
  }

  FormTable& table_;
};

}  // namespace

void append_matrix(VariantSink& out) {
  static const FormTable kTable = [] {
    FormTable table;
    const Forms dense(table);
    add_narrow(table);
    add_sparse(table);
    add_warpgroup(table);
    return table;
  }();
  for (const Entry& e : kTable.entries) {
    Variant v;
    v.spec = &e.spec;
    v.shape = isa::Shape::warp;
    v.warp = Warp::matrix;
    v.latency = e.latency;
    v.matrix = &e.form;
    out.add(v);
  }
}

}  // namespace hpml::sim::isa
