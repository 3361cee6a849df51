#pragma once
// Matrix instructions (PTX ISA 9.0, 9.7.14 warp-level matrix instructions): what one form of them is, as data. A form is
// a shape, the types of its matrices and the registers each lane passes for them.
#include <cstdint>
#include <string_view>

namespace hpml::sim::isa {

// Types of matrix elements. Several have no registers of their own: they are packed in .b32 registers.
// Floats narrower than a byte lie in the low bits of one, e2m1 in bits 2 to 5; e2m1_packed: two in a byte.
enum class Element : uint8_t {
  none,
  f16,
  bf16,
  tf32,
  f32,
  f64,
  s8,
  u8,
  s4,
  u4,
  b1,
  s32,
  e4m3,
  e5m2,
  e3m2,
  e2m3,
  e2m1,
  e2m1_packed
};
inline constexpr size_t kElementCount = 18;
std::string_view name(Element type);  // as PTX spells it
int bits(Element type);               // 32 for tf32: it lies in the upper bits of a 32-bit word

enum class MatrixOp : uint8_t {
  multiply,   // mma, wmma.mma: d = a * b + c
  load,       // wmma.load
  store,      // wmma.store
  load8x8,    // ldmatrix
  store8x8,   // stmatrix
  transpose,  // movmatrix
  warpgroup,  // wgmma.mma_async: the 16 rows of one of the four warps; b, and a if it is in memory, by descriptors
};
// Factors of blocks along k, one per row of a and column of b.
enum class Scale : uint8_t { none, ue8m0, ue4m3 };
// How the rows of bits of b1 matrices meet: the number of ones in a xor b, or in a and b.
enum class BitOp : uint8_t { none, xor_popc, and_popc };
// Whose elements a register list holds. c and d share one layout.
enum class MatrixPart : uint8_t { a, b, c };

struct MatrixForm {
  MatrixOp op = MatrixOp::multiply;
  bool opaque = false;  // wmma: which lane holds which element is not the program's business
  bool sparse = false;  // mma.sp: a holds half of its k columns, metadata says which
  bool quads = false;   // mma.m8n8k4 on f16: four products, one per two quads of lanes
  bool always_col = false;  // load, store: has no choice of layout, and it is .col
  uint8_t saturate = 0;     // multiply: the bit of Mods::mode that means .satfinite
  MatrixPart part = MatrixPart::a;  // load, store
  BitOp bit_op = BitOp::none;
  uint16_t m = 0, n = 0, k = 0;
  Element a = Element::none, b = Element::none, c = Element::none, d = Element::none;
  // Registers per lane; 32 bits each, 64 for f64. load8x8, store8x8, transpose: in `d`, `a`.
  uint8_t regs_a = 0, regs_b = 0, regs_c = 0, regs_d = 0;
  Scale scale = Scale::none;
  uint8_t scale_blocks = 0;  // blocks along k

  uint16_t columns_a() const { return sparse ? k / 2 : k; }  // that it holds
};

// Mods::mode of a matrix instruction: bits in the order of the choices of its Spec::sequence.
inline constexpr uint8_t kFirstIsCol = 1, kSecondIsCol = 2;

}  // namespace hpml::sim::isa
