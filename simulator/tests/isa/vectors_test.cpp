// Does every instruction that computes a value give the results of the independent reference, on every vector ISA
// level, with all lanes, some, and one, and leave the other lanes alone? Is there a row for each variant, and a variant
// for each row?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "simulator/isa/decode.hpp"
#include "simulator/tests/isa/vector_file.hpp"

namespace hpml::sim::isa {
namespace {

// The last input of a video instruction is the word of the parts it works on, which is no operand.
bool has_selectors(const std::string& root) { return root[0] == 'v' && root != "vote"; }

// The variant and modifiers of an op's rows; null with a message when there is none.
const Variant* resolve(const std::string& op, const VectorRow& row, Mods& mods, std::string& error) {
  if (op.starts_with("__nv_")) {
    const Variant* function = find_function(op);
    error = function == nullptr ? "no such function" : "";
    return function;
  }
  const auto [root, words] = words_of_op(op);
  const bool counted = op.find("mbarrier::complete_tx::bytes") != op.npos;  // an mbarrier is one operand more
  const size_t written = row.inputs + row.outputs - (has_selectors(root) ? 1 : 0);
  const size_t operands = root == "red" || root == "multimem" ? (counted ? 3 : 2)
                          : root == "cp"                      ? (counted ? 4 : 3)
                          : root != "atom"                    ? written
                                                              : (op.find(".cas.") != op.npos ? 4 : 3);
  const auto decoded = decode(root, words, operands);
  if (!decoded.ok()) {
    error = decoded.error();
    return nullptr;
  }
  mods = decoded->mods;
  return decoded->variant;
}

double as_double(uint64_t bits, bool single) {
  if (single) {
    float value;
    const auto low = static_cast<uint32_t>(bits);
    std::memcpy(&value, &low, sizeof value);
    return value;
  }
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Distance in representable values.
double ulps_between(uint64_t a, uint64_t b, bool single) {
  const auto ordered = [single](uint64_t bits) {
    const uint64_t sign = single ? 0x80000000u : uint64_t{1} << 63;
    const double magnitude = static_cast<double>(bits & (sign - 1));
    return (bits & sign) != 0 ? -magnitude : magnitude;
  };
  return std::fabs(ordered(a) - ordered(b));
}

double half_as_double(uint64_t bits, int fraction_bits) {
  const int exponent_bits = 15 - fraction_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const auto exponent = static_cast<int>((bits & 0x7fff) >> fraction_bits);
  const double fraction = std::ldexp(static_cast<double>(bits & ((1u << fraction_bits) - 1)), -fraction_bits);
  const double magnitude = exponent == 2 * bias + 1 ? (fraction == 0 ? INFINITY : NAN)
                           : exponent == 0          ? std::ldexp(fraction, 1 - bias)
                                                    : std::ldexp(1 + fraction, exponent - bias);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}
// "f16 rel 0.1": each half of the result, to an absolute or a relative bound.
bool halves_agree(uint64_t got, uint64_t wanted, const std::string& check) {
  std::istringstream words(check);
  std::string type, kind;
  double bound = 0;
  words >> type >> kind >> bound;
  for (int shift = 0; shift < 32; shift += 16) {
    const double x = half_as_double(got >> shift & 0xffff, type == "f16" ? 10 : 7);
    const double y = half_as_double(wanted >> shift & 0xffff, type == "f16" ? 10 : 7);
    const bool same = x == y || (std::isnan(x) && std::isnan(y));
    if (!same && !(std::fabs(x - y) <= (kind == "abs" ? bound : bound * std::fabs(y)))) {
      return false;
    }
  }
  return true;
}

bool agrees(Bits all_got, Bits all_wanted, const std::string& check, bool single) {
  if (check == "exact") {
    return all_got == all_wanted;
  }
  const auto got = static_cast<uint64_t>(all_got), wanted = static_cast<uint64_t>(all_wanted);
  if (check.starts_with("f16") || check.starts_with("bf16")) {
    return halves_agree(got, wanted, check);
  }
  const double x = as_double(got, single), y = as_double(wanted, single);
  const double bound = std::stod(check.substr(check.find(' ')));
  if (std::isnan(x) || std::isnan(y)) {
    return std::isnan(x) && std::isnan(y);
  }
  if (std::isinf(x) || std::isinf(y)) {
    return got == wanted || (check.starts_with("ulp") && ulps_between(got, wanted, single) <= bound);
  }
  if (check.starts_with("ulp")) {
    return ulps_between(got, wanted, single) <= bound;
  }
  return std::fabs(x - y) <= (check.starts_with("abs") ? bound : bound * std::fabs(y));
}

// Registers of one warp: four destinations, four sources, the carry.
class Registers {
 public:
  // `least`: the smallest container of operands that may be wider than their type.
  Registers(const Variant& variant, const Mods& mods, unsigned least) : variant_(variant) {
    inst_.mods = mods;
    for (size_t i = 0; i < inst_.dst.size(); ++i) {
      inst_.dst[i] = static_cast<Slot>(i * kRegister);
      dst_bytes_[i] = container(variant.dst[i], least);
    }
    for (size_t i = 0; i < inst_.src.size(); ++i) {
      inst_.src[i] = static_cast<Slot>((inst_.dst.size() + i) * kRegister);
      src_bytes_[i] = container(variant.src[i], least);
    }
    inst_.carry = kRegisters * kRegister - kRegister;
    inst_.dst_bytes = static_cast<uint8_t>(dst_bytes_[0]);
    inst_.src_bytes = static_cast<uint8_t>(src_bytes_[0]);
    bytes_.fill(std::byte{0xcc});
  }
  void set_source(size_t operand, size_t lane, Bits value) {
    put(inst_.src[operand], src_bytes_[operand], variant_.src[operand].type, lane, value);
  }
  void set_carry(size_t lane, bool value) { put(inst_.carry, 4, Ty::pred, lane, value ? 1 : 0); }
  uint64_t carry(size_t lane) const { return static_cast<uint64_t>(get(inst_.carry, 4, Ty::pred, lane)); }
  Bits destination(size_t operand, size_t lane) const {
    return get(inst_.dst[operand], dst_bytes_[operand], variant_.dst[operand].type, lane);
  }
  void run(const Variant& at_level, LaneMask active) { at_level.run(bytes_.data(), bytes_.data(), active, inst_); }
  unsigned destination_bytes() const { return dst_bytes_[0]; }

 private:
  static unsigned container(const OperandSpec& spec, unsigned least) {
    const auto bytes = static_cast<unsigned>(std::max(bits(spec.type) / 8, 1));
    return spec.may_be_wider ? std::max(bytes, least) : bytes;
  }
  static constexpr size_t kRegister = 512, kRegisters = 10;  // bytes of 32 lanes of 128 bits; d, src, carry

  void put(Slot slot, unsigned bytes, Ty type, size_t lane, Bits value) {
    if (type == Ty::pred) {
      uint32_t mask;
      std::memcpy(&mask, bytes_.data() + slot, sizeof mask);
      mask = (mask & ~(1u << lane)) | (static_cast<uint32_t>(value) << lane);
      std::memcpy(bytes_.data() + slot, &mask, sizeof mask);
      return;
    }
    // What lies above the type's own bits must not matter: leave the fill pattern there.
    std::memcpy(bytes_.data() + slot + lane * bytes, &value, static_cast<size_t>(bits(type) / 8));
  }
  Bits get(Slot slot, unsigned bytes, Ty type, size_t lane) const {
    Bits value = 0;
    if (type == Ty::pred) {
      std::memcpy(&value, bytes_.data() + slot, sizeof(uint32_t));
      return (value >> lane) & 1u;
    }
    std::memcpy(&value, bytes_.data() + slot + lane * bytes, bytes);
    return value;
  }

  const Variant& variant_;
  LaneInst inst_;
  alignas(64) std::array<std::byte, kRegisters* kRegister> bytes_ = {};
  std::array<unsigned, 4> dst_bytes_ = {};
  std::array<unsigned, kMaxSources> src_bytes_ = {};
};

// The expected first result in its container: sign- or zero-extended.
Bits extended(const Variant& v, Bits value, unsigned bytes) {
  const int width = bits(v.dst[0].type);
  if (v.dst[0].may_be_wider && is_signed(v.types[0]) && width < 64 && ((value >> (width - 1)) & 1u) != 0) {
    value |= ~Bits{0} << width;
  }
  return bytes == sizeof(Bits) ? value : value & ((Bits{1} << (8 * bytes)) - 1);
}

struct Case {
  const Variant* variant;
  const Variant* at_level;
  Mods mods;
  std::string where;
};

void check_lane(const Case& c, const Registers& regs, const VectorRow& row, size_t lane) {
  const bool single = c.variant->dst[0].type != Ty::f64;
  for (size_t i = 0; i < row.outputs; ++i) {
    const Bits wanted = i == 0 ? extended(*c.variant, row.out[0], regs.destination_bytes()) : row.out[i];
    const bool exact = i > 0 && c.variant->dst[i].type != c.variant->dst[0].type;
    EXPECT_TRUE(agrees(regs.destination(i, lane), wanted, exact ? "exact" : row.check, single))
        << c.where << ": result " << i << " is " << hex(regs.destination(i, lane)) << "\n  " << row.text;
  }
  if (row.carry_out >= 0) {
    EXPECT_EQ(regs.carry(lane), static_cast<uint64_t>(row.carry_out)) << c.where << "\n  " << row.text;
  }
}

void check_group(const Case& c, std::span<const VectorRow> rows, LaneMask active, unsigned least) {
  Registers regs(*c.variant, c.mods, least);
  for (size_t lane = 0; lane < 32; ++lane) {
    const VectorRow& row = rows[lane % rows.size()];
    for (size_t i = 0; i < row.inputs; ++i) {
      regs.set_source(i, lane, row.in[i]);
    }
    if (row.carry_in >= 0) {
      regs.set_carry(lane, row.carry_in != 0);
    }
  }
  const Registers before = regs;
  regs.run(*c.at_level, active);
  for (size_t lane = 0; lane < 32; ++lane) {
    if (((active >> lane) & 1u) != 0) {
      check_lane(c, regs, rows[lane % rows.size()], lane);
      continue;
    }
    for (size_t i = 0; i < static_cast<size_t>(c.variant->dst_count); ++i) {
      EXPECT_TRUE(regs.destination(i, lane) == before.destination(i, lane)) << c.where << " writes idle lane " << lane;
    }
  }
}

void check_lane_op(const std::string& op, const std::vector<VectorRow>& rows, const Case& base) {
  for (size_t first = 0; first < rows.size() && !testing::Test::HasFailure(); first += 32) {
    const std::span<const VectorRow> group(rows.data() + first, std::min<size_t>(32, rows.size() - first));
    Case c = base;
    for (const unsigned least : {2u, 8u}) {
      for (const LaneMask active : {kFullMask, 0x5af0f0a5u, 0x00000001u, 0x80000000u, 0x00000400u, 0u}) {
        c.where = op + " mask " + std::to_string(active) + " container " + std::to_string(least) + base.where;
        check_group(c, group, active, least);
      }
      if (!c.variant->dst[0].may_be_wider) {
        break;
      }
    }
  }
}

// The loop over lanes does to memory what one lane's function returns, and only in the lanes that are asked for.
void check_update(const Case& c, const VectorRow& row) {
  if (c.at_level->update == nullptr) {
    return;
  }
  constexpr size_t kBytes = 8, kLane = 5;
  alignas(kBytes) std::array<uint64_t, kWarpSize> words = {}, old = {}, b = {}, c_values = {};
  std::array<uint64_t, kWarpSize> address;
  for (size_t lane = 0; lane < address.size(); ++lane) {
    address[lane] = lane * kBytes;
  }
  words[kLane] = static_cast<uint64_t>(row.in[0]);
  b.fill(static_cast<uint64_t>(row.in[1]));
  c_values.fill(static_cast<uint64_t>(row.in[2]));
  if (bits(c.variant->types[0]) == 32) {  // operands lie side by side
    const auto narrow = [](std::array<uint64_t, kWarpSize>& values) {
      const auto one = static_cast<uint32_t>(values[0]);
      std::fill_n(reinterpret_cast<uint32_t*>(values.data()), kWarpSize, one);
    };
    narrow(b);
    narrow(c_values);
  }
  const auto bytes_of = [](auto& values) { return reinterpret_cast<std::byte*>(values.data()); };
  c.at_level->update({.origin = reinterpret_cast<uintptr_t>(words.data()),
                      .address = address.data(),
                      .b = bytes_of(b),
                      .c = bytes_of(c_values),
                      .third = 0,
                      .old = bytes_of(old)},
                     1u << kLane);
  EXPECT_EQ(words[kLane], static_cast<uint64_t>(row.out[0])) << row.text;
  words[kLane] = 0;
  EXPECT_EQ(words, (std::array<uint64_t, kWarpSize>{})) << row.text;
}

class Vectors : public testing::TestWithParam<std::string> {};

TEST_P(Vectors, GiveTheReferenceResults) {
  const std::span<const Variant> level = variants_of_level(GetParam());
  if (level.empty()) {
    GTEST_SKIP() << "this CPU or build has no " << GetParam();
  }
  for (const auto& [op, rows] : vectors()) {
    Case c;
    std::string error;
    c.variant = resolve(op, rows.front(), c.mods, error);
    ASSERT_NE(c.variant, nullptr) << op << ": " << error;
    c.at_level = &level[static_cast<size_t>(c.variant - variants().data())];
    c.where = " at level " + GetParam();
    if (c.at_level->rmw != nullptr) {
      for (const VectorRow& row : rows) {
        const auto word = [&row](size_t i) { return static_cast<uint64_t>(row.in[i]); };
        EXPECT_EQ(c.at_level->rmw(word(0), word(1), word(2)), static_cast<uint64_t>(row.out[0])) << row.text;
        check_update(c, row);
      }
      continue;
    }
    ASSERT_NE(c.at_level->run, nullptr) << op;
    check_lane_op(op, rows, c);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Vectors, testing::Values("baseline", "x86-64-v3", "x86-64-v4"), [](const auto& level) {
  std::string name = level.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(VectorFiles, CoverEveryVariantThatComputes) {
  std::set<const Variant*> covered;
  for (const auto& [op, rows] : vectors()) {
    Mods mods;
    std::string error;
    covered.insert(resolve(op, rows.front(), mods, error));
  }
  for (const Variant& v : variants()) {
    const bool computes = v.shape == Shape::lane || v.rmw != nullptr;
    EXPECT_TRUE(!computes || covered.contains(&v)) << "no vector row for " << v.spec->mnemonic << " (" << v.spec->syntax
                                                   << ") ." << name(v.types[0]) << " ." << name(v.types[1]);
  }
}

TEST(VectorLevels, ListTheSameVariantsInTheSameOrder) {
  for (const char* level : {"baseline", "x86-64-v3", "x86-64-v4"}) {
    const std::span<const Variant> other = variants_of_level(level);
    if (other.empty()) {
      continue;
    }
    ASSERT_EQ(other.size(), variants().size());
    for (size_t i = 0; i < other.size(); ++i) {
      EXPECT_EQ(other[i].spec->syntax, variants()[i].spec->syntax);
      EXPECT_EQ(other[i].types, variants()[i].types);
    }
  }
}

}  // namespace
}  // namespace hpml::sim::isa
