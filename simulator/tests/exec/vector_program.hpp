#pragma once
// A row of the instruction vectors as PTX text: what a program that tests one instruction looks like.
#include <string>

#include "simulator/isa/decode.hpp"
#include "simulator/isa/selectors.hpp"
#include "simulator/tests/isa/vector_file.hpp"

namespace hpml::sim::exec {

inline constexpr size_t kVectorSlot = 16, kVectorInputs = 5 * kVectorSlot, kVectorOutputs = 5 * kVectorSlot;

inline char register_letter(isa::Ty type) {
  switch (isa::bits(type)) {
    case 1: return 'p';
    case 8:
    case 16: return 'h';
    case 32: return 'r';
    case 64: return 'd';
  }
  return 'q';
}
inline std::string vector_register(isa::Ty type, char prefix, size_t i) {
  return std::string("%") + prefix + register_letter(type) + std::to_string(i);
}

// ".h1" and the like, of the packed parts of a video instruction's operands: of d, a and b.
struct PartTexts {
  std::string d, a, b, minus_a, minus_b, minus_c;
};
inline PartTexts part_texts(isa::Selectors kind, uint32_t word) {
  PartTexts out;
  if (kind == isa::Selectors::scalar) {
    static constexpr const char* kParts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
    out.a = kParts[word & isa::kPartMask];
    out.b = kParts[(word >> isa::kPartBits) & isa::kPartMask];
    out.d = kParts[(word >> (2 * isa::kPartBits)) & isa::kPartMask];
    const uint32_t minus = word >> isa::kNegateBit;
    out.minus_a = (minus & 1u) != 0 ? "-" : "";
    out.minus_b = (minus & 2u) != 0 ? "-" : "";
    out.minus_c = (minus & 4u) != 0 ? "-" : "";
    return out;
  }
  const uint32_t count = kind == isa::Selectors::halves ? 2 : 4;
  out.a = out.b = out.d = kind == isa::Selectors::halves ? ".h" : ".b";
  for (uint32_t i = count; i-- > 0;) {
    out.a += static_cast<char>('0' + ((word >> (isa::kElementBits * i)) & isa::kElementMask));
    out.b += static_cast<char>('0' + ((word >> (isa::kSecondOperand + isa::kElementBits * i)) & isa::kElementMask));
    if (((word >> (isa::kDestinationMask + i)) & 1u) != 0) {
      out.d += static_cast<char>('0' + i);
    }
  }
  return out;
}

// The instruction with registers %s… for sources and %t… for results. `row` gives the parts of video operands.
inline std::string vector_instruction(const std::string& op, const isa::Variant& v, const isa::VectorRow& row) {
  const size_t sources = static_cast<size_t>(v.src_count) - (v.selectors != isa::Selectors::none ? 1 : 0);
  std::vector<std::string> d, s;
  for (size_t i = 0; i < row.outputs; ++i) {
    d.push_back(vector_register(v.dst[i].type, 't', i));
  }
  for (size_t i = 0; i < sources; ++i) {
    s.push_back(vector_register(v.src[i].type, 's', i));
  }
  if (v.selectors != isa::Selectors::none) {
    const PartTexts parts = part_texts(v.selectors, static_cast<uint32_t>(row.in[sources]));
    d[0] += parts.d;
    s[0] = parts.minus_a + s[0] + parts.a;
    s[1] = parts.minus_b + s[1] + parts.b;
    if (sources > 2) {
      s[2] = parts.minus_c + s[2];
    }
  }
  if (op.starts_with("lop3")) {
    s[3] = std::to_string(static_cast<uint32_t>(row.in[3]));  // the table is text
  }
  const auto joined = [](const std::vector<std::string>& list, const char* between) {
    std::string out;
    for (size_t i = 0; i < list.size(); ++i) {
      out += (i > 0 ? between : "") + list[i];
    }
    return out;
  };
  if (op.starts_with("mov.pack") || op.starts_with("mov.unpack")) {
    const bool pack = op.starts_with("mov.pack");
    const std::string type = op.substr(op.rfind('.'));
    std::vector<std::string>& parts = pack ? s : d;
    std::string before, behind;  // bytes are in registers of their own
    for (size_t i = 0; type.size() == 4 && std::stoul(type.substr(2)) / parts.size() == 8 && i < parts.size(); ++i) {
      const std::string byte = "%b" + std::to_string(i);
      (pack ? before : behind) +=
          pack ? "cvt.u8.u16 " + byte + ", " + parts[i] + ";\n" : "cvt.u16.u8 " + parts[i] + ", " + byte + ";\n";
      parts[i] = byte;
    }
    const std::string vector = "{" + joined(parts, ", ") + "}";
    return before + "mov" + type + " " + (pack ? d[0] + ", " + vector : vector + ", " + s[0]) + ";\n" + behind;
  }
  return op + " " + joined(d, "|") + ", " + joined(s, ", ") + ";\n";
}

// Moves between memory and a register of `type`; predicates as a 32-bit 0 or 1.
inline std::string vector_load(isa::Ty type, const std::string& reg, const std::string& address) {
  if (type == isa::Ty::pred) {
    return "ld.global.u32 %x0, [" + address + "];\nsetp.ne.u32 " + reg + ", %x0, 0;\n";
  }
  return "ld.global.b" + std::to_string(isa::bits(type)) + " " + reg + ", [" + address + "];\n";
}
inline std::string vector_store(isa::Ty type, const std::string& reg, const std::string& address) {
  if (type == isa::Ty::pred) {
    return "selp.u32 %x0, 1, 0, " + reg + ";\nst.global.u32 [" + address + "], %x0;\n";
  }
  return "st.global.b" + std::to_string(isa::bits(type)) + " [" + address + "], " + reg + ";\n";
}

// Operands of one row from %in on, results to %out on. The carry goes in and out as the word behind the results.
inline std::string vector_statements(const std::string& op, const isa::Variant& v, const isa::VectorRow& row) {
  const auto at = [](const char* base, size_t slot) { return base + ("+" + std::to_string(slot * kVectorSlot)); };
  const size_t sources = static_cast<size_t>(v.src_count) - (v.selectors != isa::Selectors::none ? 1 : 0);
  std::string out;
  for (size_t i = 0; i < sources; ++i) {
    out += vector_load(v.src[i].type, vector_register(v.src[i].type, 's', i), at("%in", i));
  }
  if (v.uses_carry) {
    out += "ld.global.u32 %x1, [" + at("%in", 4) + "];\nadd.cc.u32 %x1, %x1, 0xffffffff;\n";
  }
  out += vector_instruction(op, v, row);
  if (v.sets_carry) {
    out += "addc.u32 %x1, 0, 0;\nst.global.u32 [" + at("%out", 4) + "], %x1;\n";
  }
  for (size_t i = 0; i < row.outputs; ++i) {
    out += vector_store(v.dst[i].type, vector_register(v.dst[i].type, 't', i), at("%out", i));
  }
  return out;
}

inline std::string vector_registers() {
  std::string out = ".reg .b32 %x<2>; .reg .b64 %in, %out, %y<4>; .reg .b8 %b<4>;\n";
  for (const char prefix : {'s', 't'}) {
    for (const auto& [letter, type] :
         std::map<char, std::string>{{'p', ".pred"}, {'h', ".b16"}, {'r', ".b32"}, {'d', ".b64"}, {'q', ".b128"}}) {
      out += ".reg " + type + " %" + prefix + letter + "<5>;\n";
    }
  }
  return out;
}

// A kernel whose thread i takes the i-th row of `in` to the i-th of `out`.
inline std::string vector_kernel(const std::string& name, const std::string& statements) {
  return ".visible .entry " + name + "(.param .u64 in, .param .u64 out) {\n" + vector_registers() +
         "mov.u32 %x0, %tid.x;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
         "mul.wide.u32 %y0, %x0, " +
         std::to_string(kVectorInputs) + ";\nadd.u64 %in, %in, %y0;\n" + "mul.wide.u32 %y0, %x0, " +
         std::to_string(kVectorOutputs) + ";\nadd.u64 %out, %out, %y0;\n" + statements + "ret;\n}\n";
}

}  // namespace hpml::sim::exec
