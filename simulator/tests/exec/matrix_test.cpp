// Every form of mma, wmma, ldmatrix, stmatrix and movmatrix against an independent reference: which lane holds which
// element is written here as the manual states it (PTX ISA 9.0, 9.7.14.5), the arithmetic in double and 64-bit
// integers.
#include <fmt/format.h>

#include <functional>
#include <map>

#include "simulator/tests/exec/matrix_reference.hpp"
#include "simulator/tests/exec/ptx_rig.hpp"

namespace hpml::sim::exec {
namespace {

struct At {
  int row, col;
};
// From groupID = lane / 4, threadID_in_group = lane % 4 and the index of the element in the lane's list.
using Table = std::function<At(int group, int thread, int i)>;
struct Tables {
  Table a, b;
};

// Shape and bits of an element -> the manual's "row = ..., col = ...".
const std::map<std::string, Tables>& manual() {
  static const std::map<std::string, Tables> kTables = {
      {"m8n8k4/64",
       {[](int g, int t, int) {
          return At{g, t};
        },
        [](int g, int t, int) {
          return At{t, g};
        }}},
      {"m16n8k4/64",
       {[](int g, int t, int i) {
          return At{i == 0 ? g : g + 8, t};
        },
        [](int g, int t, int) {
          return At{t, g};
        }}},
      {"m16n8k8/64",
       {[](int g, int t, int i) {
          return At{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
        },
        [](int g, int t, int i) {
          return At{i == 0 ? t : t + 4, g};
        }}},
      {"m16n8k16/64",
       {[](int g, int t, int i) {
          return At{i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
        },
        [](int g, int t, int i) {
          return At{t + i * 4, g};
        }}},
      {"m16n8k4/32",
       {[](int g, int t, int i) {
          return At{i == 0 ? g : g + 8, t};
        },
        [](int g, int t, int) {
          return At{t, g};
        }}},
      {"m16n8k8/32",
       {[](int g, int t, int i) {
          return At{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
        },
        [](int g, int t, int i) {
          return At{i == 0 ? t : t + 4, g};
        }}},
      {"m16n8k8/16",
       {[](int g, int t, int i) {
          return At{i < 2 ? g : g + 8, t * 2 + (i & 1)};
        },
        [](int g, int t, int i) {
          return At{t * 2 + i, g};
        }}},
      {"m16n8k16/16",
       {[](int g, int t, int i) {
          return At{i < 2 || (4 <= i && i < 6) ? g : g + 8, i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8};
        },
        [](int g, int t, int i) {
          return At{i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8, g};
        }}},
      {"m8n8k16/8",
       {[](int g, int t, int i) {
          return At{g, t * 4 + i};
        },
        [](int g, int t, int i) {
          return At{t * 4 + i, g};
        }}},
      {"m16n8k16/8",
       {[](int g, int t, int i) {
          return At{i < 4 ? g : g + 8, t * 4 + (i & 3)};
        },
        [](int g, int t, int i) {
          return At{t * 4 + i, g};
        }}},
      {"m16n8k32/8",
       {[](int g, int t, int i) {
          return At{i < 4 || (8 <= i && i < 12) ? g : g + 8, i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
        },
        [](int g, int t, int i) {
          return At{i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g};
        }}},
      {"m8n8k32/4",
       {[](int g, int t, int i) {
          return At{g, t * 8 + i};
        },
        [](int g, int t, int i) {
          return At{t * 8 + i, g};
        }}},
      {"m16n8k32/4",
       {[](int g, int t, int i) {
          return At{i < 8 ? g : g + 8, t * 8 + (i & 7)};
        },
        [](int g, int t, int i) {
          return At{t * 8 + i, g};
        }}},
      {"m16n8k64/4",
       {[](int g, int t, int i) {
          return At{i < 8 || (16 <= i && i < 24) ? g : g + 8, i < 16 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32};
        },
        [](int g, int t, int i) {
          return At{i < 8 ? t * 8 + (i & 7) : t * 8 + (i & 7) + 32, g};
        }}},
      {"m8n8k128/1",
       {[](int g, int t, int i) {
          return At{g, t * 32 + i};
        },
        [](int g, int t, int i) {
          return At{t * 32 + i, g};
        }}},
      {"m16n8k128/1",
       {[](int g, int t, int i) {
          return At{i < 32 ? g : g + 8, t * 32 + (i & 31)};
        },
        [](int g, int t, int i) {
          return At{t * 32 + i, g};
        }}},
      {"m16n8k256/1",
       {[](int g, int t, int i) {
          return At{i < 32 || (64 <= i && i < 96) ? g : g + 8, i < 64 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128};
        },
        [](int g, int t, int i) {
          return At{i < 32 ? t * 32 + (i & 31) : t * 32 + (i & 31) + 128, g};
        }}}};
  return kTables;
}

At manual_sum(int m, int g, int t, int i) { return {m == 16 && i >= 2 ? g + 8 : g, t * 2 + (i & 1)}; }

// --- text ------------------------------------------------------------------------------------------------------------

int reg_bytes(Element type) { return type == Element::f64 ? 8 : 4; }

// Kernel whose lane loads its registers a, b, c from consecutive places, multiplies and stores d.
std::string fragment_kernel(const isa::Variant& v, const std::string& op) {
  const MatrixForm& f = *v.matrix;
  std::string text =
      ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd) {\n"
      ".reg .b32 %t; .reg .b64 %x, %y;\n mov.u32 %t, %tid.x;\n";
  const auto lists = {std::tuple{'a', f.a, f.regs_a}, {'b', f.b, f.regs_b}, {'c', f.c, f.regs_c}, {'d', f.d, f.regs_d}};
  for (const auto& [name, type, regs] : lists) {
    const int bytes = reg_bytes(type);
    text += fmt::format(".reg .b{} %{}<{}>;\n", bytes * 8, name, int{regs});
    text += name == 'd' ? fmt::format("{} {}, {}, {}, {};\n", op, list("%d", f.regs_d), list("%a", f.regs_a),
                                      list("%b", f.regs_b), list("%c", f.regs_c))
                        : "";
    text += fmt::format("ld.param.u64 %x, [p{}]; mul.wide.u32 %y, %t, {}; add.u64 %x, %x, %y;\n", name, bytes * regs);
    for (int r = 0; r < regs; ++r) {
      text += name == 'd' ? fmt::format("st.global.b{} [%x+{}], %d{};\n", bytes * 8, r * bytes, r)
                          : fmt::format("ld.global.b{} %{}{}, [%x+{}];\n", bytes * 8, name, r, r * bytes);
    }
  }
  return text + "ret;\n}\n";
}

using LaneTable = std::function<At(int lane, int i)>;

// The lanes' registers, lane by lane, as bytes.
std::vector<uint8_t> pack(const Matrix& m, Element type, int regs, const LaneTable& where) {
  const int bits = isa::bits(type), per_lane = regs * reg_bytes(type);
  std::vector<uint8_t> out(static_cast<size_t>(32 * per_lane));
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < per_lane * 8 / bits; ++i) {
      const At p = where(lane, i);
      const uint64_t raw = to_bits(type, m.at(p.row, p.col));
      const int at = lane * per_lane * 8 + i * bits;
      for (int bit = 0; bit < bits; ++bit) {
        out[static_cast<size_t>((at + bit) / 8)] |= static_cast<uint8_t>((raw >> bit & 1) << ((at + bit) % 8));
      }
    }
  }
  return out;
}

struct Outcome32 {
  std::vector<uint8_t> d;
  std::string trap;
};
Outcome32 run_fragments(const isa::Variant& v, const std::string& op, const std::vector<uint8_t>& a,
                        const std::vector<uint8_t>& b, const std::vector<uint8_t>& c) {
  PtxRig rig(fragment_kernel(v, op));
  const size_t bytes = static_cast<size_t>(32 * v.matrix->regs_d * reg_bytes(v.matrix->d));
  const uint64_t d = rig.upload(std::vector<uint8_t>(bytes));
  const Grid& grid = rig.run("k", {1, 1, 1}, {32, 1, 1}, {rig.upload(a), rig.upload(b), rig.upload(c), d});
  return {rig.download<uint8_t>(d, bytes), grid.trap() ? grid.trap()->message : ""};
}

double element_of(const std::vector<uint8_t>& d, Element type, int regs, int lane, int i) {
  const int bytes = isa::bits(type) / 8;
  uint64_t raw = 0;
  std::memcpy(&raw, &d[static_cast<size_t>(lane * regs * reg_bytes(type) + i * bytes)], static_cast<size_t>(bytes));
  return from_bits(type, raw);
}

std::string shape_text(const MatrixForm& f) { return fmt::format("m{}n{}k{}", f.m, f.n, f.k); }

TEST(Matrix, MmaPlacesElementsAsTheManualSaysAndMultiplies) {
  std::mt19937 random(1);
  const auto all = forms(MatrixOp::multiply, false);
  ASSERT_EQ(all.size(), 108u);
  for (const isa::Variant* v : all) {
    const MatrixForm& f = *v->matrix;
    const auto found = manual().find(fmt::format("{}/{}", shape_text(f), isa::bits(f.a)));
    ASSERT_NE(found, manual().end()) << v->spec->syntax;
    const LaneTable a_at = [&](int lane, int i) { return found->second.a(lane / 4, lane % 4, i); };
    const LaneTable b_at = [&](int lane, int i) { return found->second.b(lane / 4, lane % 4, i); };
    const LaneTable c_at = [&](int lane, int i) { return manual_sum(f.m, lane / 4, lane % 4, i); };
    const Matrix a = random_matrix(f.m, f.k, f.a, random), b = random_matrix(f.k, f.n, f.b, random),
                 c = random_matrix(f.m, f.n, f.c, random), expected = product(f, a, b, c);
    const std::string op = dotted(*v, false, true);
    const Outcome32 result =
        run_fragments(*v, op, pack(a, f.a, f.regs_a, a_at), pack(b, f.b, f.regs_b, b_at), pack(c, f.c, f.regs_c, c_at));
    ASSERT_EQ(result.trap, "") << op;
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < f.m * f.n / 32; ++i) {
        const At p = c_at(lane, i);
        ASSERT_EQ(element_of(result.d, f.d, f.regs_d, lane, i), expected.at(p.row, p.col))
            << op << " lane " << lane << " element " << i;
      }
    }
  }
}

// mma.m8n8k4 on f16 (9.7.14.5.1): four products; lanes 4q..4q+3 and 16+4q..16+4q+3 make product q.
TEST(Matrix, MmaM8n8k4MakesFourProductsOfQuads) {
  std::mt19937 random(2);
  const auto all = forms(MatrixOp::multiply, false, true);
  ASSERT_EQ(all.size(), 3u);
  for (const isa::Variant* v : all) {
    const MatrixForm& f = *v->matrix;
    for (int layout = 0; layout < 4; ++layout) {
      const bool a_col = (layout & 1) != 0, b_col = (layout & 2) != 0;
      const auto low = [](int lane) { return lane < 16; };
      const LaneTable a_at = [&](int lane, int i) {
        return a_col ? At{low(lane) ? i % 4 : i % 4 + 4, lane % 4} : At{low(lane) ? lane % 4 : lane % 4 + 4, i};
      };
      const LaneTable b_at = [&](int lane, int i) {
        return b_col ? At{i, low(lane) ? lane % 4 : lane % 4 + 4} : At{lane % 4, low(lane) ? i : i + 4};
      };
      const auto sum_at = [&](Element type, int lane, int i) {
        const int x = (lane & 1) + (i & 2);
        return type == Element::f16 ? At{low(lane) ? lane % 4 : lane % 4 + 4, i}
                                    : At{low(lane) ? x : x + 4, (i & 4) + (lane & 2) + (i & 1)};
      };
      std::vector<Matrix> a, b, c;
      for (int q = 0; q < 4; ++q) {
        a.push_back(random_matrix(8, 4, f.a, random));
        b.push_back(random_matrix(4, 8, f.b, random));
        c.push_back(random_matrix(8, 8, f.c, random));
      }
      // The four matrices side by side, so that pack() finds each lane's own.
      const auto own = [](const LaneTable& where, int rows) {
        return LaneTable([where, rows](int lane, int i) {
          const At p = where(lane, i);
          return At{p.row + lane % 16 / 4 * rows, p.col};
        });
      };
      const auto stack = [](const std::vector<Matrix>& parts) {
        Matrix out(parts[0].rows * 4, parts[0].cols);
        out.v.clear();
        for (const Matrix& part : parts) {
          out.v.insert(out.v.end(), part.v.begin(), part.v.end());
        }
        return out;
      };
      const LaneTable c_at = [&](int lane, int i) { return sum_at(f.c, lane, i); };
      const std::string op = dotted(*v, a_col, b_col);
      const Outcome32 result =
          run_fragments(*v, op, pack(stack(a), f.a, f.regs_a, own(a_at, 8)),
                        pack(stack(b), f.b, f.regs_b, own(b_at, 4)), pack(stack(c), f.c, f.regs_c, own(c_at, 8)));
      ASSERT_EQ(result.trap, "") << op;
      for (int lane = 0; lane < 32; ++lane) {
        const auto q = static_cast<size_t>(lane % 16 / 4);
        const Matrix expected = product(f, a[q], b[q], c[q]);
        for (int i = 0; i < 8; ++i) {
          const At p = sum_at(f.d, lane, i);
          ASSERT_EQ(element_of(result.d, f.d, f.regs_d, lane, i), expected.at(p.row, p.col))
              << op << " lane " << lane << " element " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace hpml::sim::exec
