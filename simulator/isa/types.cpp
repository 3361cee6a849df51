#include "simulator/isa/types.hpp"

#include <array>

namespace hpml::sim::isa {

namespace {

struct TypeRow {
  Ty type;
  std::string_view word;
  int bits;
};
constexpr std::array<TypeRow, 31> kTypes = {{
    {Ty::none, "", 0},        {Ty::pred, "pred", 1},  {Ty::b8, "b8", 8},          {Ty::b16, "b16", 16},
    {Ty::b32, "b32", 32},     {Ty::b64, "b64", 64},   {Ty::b128, "b128", 128},    {Ty::u8, "u8", 8},
    {Ty::u16, "u16", 16},     {Ty::u32, "u32", 32},   {Ty::u64, "u64", 64},       {Ty::s8, "s8", 8},
    {Ty::s16, "s16", 16},     {Ty::s32, "s32", 32},   {Ty::s64, "s64", 64},       {Ty::f16, "f16", 16},
    {Ty::f16x2, "f16x2", 32}, {Ty::bf16, "bf16", 16}, {Ty::bf16x2, "bf16x2", 32}, {Ty::tf32, "tf32", 32},
    {Ty::f32, "f32", 32},     {Ty::f64, "f64", 64},   {Ty::u16x2, "u16x2", 32},   {Ty::s16x2, "s16x2", 32},
    {Ty::f32x2, "f32x2", 64},   {Ty::e4m3x2, "e4m3x2", 16}, {Ty::e5m2x2, "e5m2x2", 16},
    {Ty::e2m3x2, "e2m3x2", 16}, {Ty::e3m2x2, "e3m2x2", 16}, {Ty::e2m1x2, "e2m1x2", 8},
    {Ty::ue8m0x2, "ue8m0x2", 16},
}};
constexpr bool in_enum_order() {
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (static_cast<size_t>(kTypes[i].type) != i) {
      return false;
    }
  }
  return true;
}
static_assert(in_enum_order(), "kTypes is indexed by Ty");

constexpr std::array<std::string_view, kLatCount> kLats = {
    "none",     "int_alu",  "int_mul",     "int_div",     "fp32",      "fp32_div",  "fp32_sqrt",
    "fp16",     "fp64",     "fp64_div",    "mufu",        "conv",      "conv64",    "popc",
    "flo",      "shuffle",  "vote",        "branch",      "barrier",   "membar",    "tensor",
    "libm32",   "libm64",   "ld_global",   "st_global",   "ld_shared", "st_shared", "ld_local",
    "st_local", "ld_const", "atom_global", "atom_shared", "special"};

}  // namespace

std::optional<Ty> parse_type(std::string_view word) {
  for (const TypeRow& row : kTypes) {
    if (row.word == word && row.type != Ty::none) {
      return row.type;
    }
  }
  return std::nullopt;
}
std::string_view name(Ty type) { return kTypes[static_cast<size_t>(type)].word; }
int bits(Ty type) { return kTypes[static_cast<size_t>(type)].bits; }
bool is_signed(Ty type) {
  return type == Ty::s8 || type == Ty::s16 || type == Ty::s32 || type == Ty::s64 || type == Ty::s16x2;
}
bool is_float(Ty type) { return type >= Ty::f16 && type <= Ty::f64; }

std::string_view name(Space space) {
  constexpr std::string_view kNames[] = {"generic", "global", "shared", "local", "const", "param"};
  return kNames[static_cast<size_t>(space)];
}

std::string_view name(Lat lat) { return kLats[static_cast<size_t>(lat)]; }
std::optional<Lat> parse_lat(std::string_view word) {
  for (size_t i = 0; i < kLats.size(); ++i) {
    if (kLats[i] == word) {
      return static_cast<Lat>(i);
    }
  }
  return std::nullopt;
}

}  // namespace hpml::sim::isa
