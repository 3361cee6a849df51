#include "simulator/debug_info/reader.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "simulator/debug_info/sections.hpp"

namespace hpml::sim::debug_info {
namespace {

constexpr int kDeepest = 64;            // of nested scopes and types
constexpr size_t kMostNodes = 1 << 20;  // entries of one text
constexpr int kMostPlaces = 4096;       // of one variable

// The name of a register as compilers pack it into a number: "%r1", its first character in the highest byte.
std::string register_name(uint64_t number) {
  std::string out;
  for (; number != 0; number >>= 8) {
    out += static_cast<char>(number & 0xff);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

TypeKind kind_of_encoding(Dwarf_Word encoding) {
  switch (encoding) {
    case DW_ATE_boolean: return TypeKind::boolean;
    case DW_ATE_float: return TypeKind::floating;
    case DW_ATE_signed: return TypeKind::signed_integer;
    case DW_ATE_unsigned: return TypeKind::unsigned_integer;
    case DW_ATE_signed_char: return TypeKind::character;
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return TypeKind::unsigned_character;
    default: return TypeKind::unknown;  // an open set of numbers
  }
}

class DwarfReader {
 public:
  DwarfReader(Dwarf* dwarf, const std::vector<std::string>& names) : dwarf_(dwarf), names_(names) {}

  Symbols read() {
    Dwarf_Off offset = 0, next = 0;
    size_t header = 0;
    while (dwarf_nextcu(dwarf_, offset, &next, &header, nullptr, nullptr, nullptr) == 0) {
      Dwarf_Die unit;
      if (dwarf_offdie(dwarf_, offset + header, &unit) != nullptr) {
        read_unit(unit, 0);
      }
      offset = next;
    }
    return std::move(out_);
  }

 private:
  template <class F>
  void each_child(Dwarf_Die& parent, F f) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) {
      return;
    }
    do {
      if (++nodes_ > kMostNodes) {
        return;
      }
      f(child);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  static std::string string_of(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute found;
    const char* text = dwarf_formstring(dwarf_attr_integrate(&die, attribute, &found));
    return text != nullptr ? text : "";
  }
  static std::optional<Dwarf_Word> number_of(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute found;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr_integrate(&die, attribute, &found), &value) != 0) {
      return std::nullopt;
    }
    return value;
  }

  void read_unit(Dwarf_Die& parent, int depth) {
    each_child(parent, [&](Dwarf_Die& die) {
      switch (dwarf_tag(&die)) {
        case DW_TAG_namespace:
          if (depth < kDeepest) {
            read_unit(die, depth + 1);
          }
          break;
        case DW_TAG_variable: out_.globals.push_back(variable(die)); break;
        case DW_TAG_subprogram: function(die); break;
        default: break;
      }
    });
  }

  void function(Dwarf_Die& die) {
    Scope scope;
    if (!set_lines(die, scope)) {
      return;  // a declaration, or only inlined
    }
    Function out;
    out.name = string_of(die, DW_AT_name);
    out.linkage_name = string_of(die, DW_AT_linkage_name);
    if (out.linkage_name.empty()) {
      out.linkage_name = string_of(die, DW_AT_MIPS_linkage_name);
    }
    out.linkage_name = out.linkage_name.empty() ? out.name : out.linkage_name;
    out.file = static_cast<int>(number_of(die, DW_AT_decl_file).value_or(0));
    out.line = static_cast<int>(number_of(die, DW_AT_decl_line).value_or(0));
    fill(die, scope, 0);
    out.scope = std::move(scope);
    out_.functions.push_back(std::move(out));
  }

  static bool set_lines(Dwarf_Die& die, Scope& scope) {
    Dwarf_Addr base = 0, start = 0, end = 0, low = UINT64_MAX, high = 0;
    for (ptrdiff_t at = dwarf_ranges(&die, 0, &base, &start, &end); at > 0;
         at = dwarf_ranges(&die, at, &base, &start, &end)) {
      low = std::min(low, start);
      high = std::max(high, end);
    }
    scope.first_line = to_line(low);
    scope.end_line = to_line(high);
    return low < high;
  }
  static int to_line(uint64_t address) { return static_cast<int>(std::min<uint64_t>(address, INT32_MAX)); }

  void fill(Dwarf_Die& parent, Scope& scope, int depth) {
    each_child(parent, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
        scope.variables.push_back(variable(die));
        scope.variables.back().parameter = tag == DW_TAG_formal_parameter;
      } else if ((tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && depth < kDeepest) {
        Scope inner;
        if (set_lines(die, inner)) {
          inner.inlined_name = tag == DW_TAG_inlined_subroutine ? string_of(die, DW_AT_name) : "";
          fill(die, inner, depth + 1);
          scope.scopes.push_back(std::move(inner));
        }
      }
    });
  }

  Variable variable(Dwarf_Die& die) {
    Variable out;
    out.name = string_of(die, DW_AT_name);
    out.type = type_of(die, 0);
    out.file = static_cast<int>(number_of(die, DW_AT_decl_file).value_or(0));
    out.line = static_cast<int>(number_of(die, DW_AT_decl_line).value_or(0));
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(&die, DW_AT_location, &attribute) != nullptr) {
      places(attribute, out);
    } else if (const auto value = number_of(die, DW_AT_const_value)) {
      out.places.push_back({.kind = PlaceKind::constant, .value = *value});
    }
    return out;
  }

  void places(Dwarf_Attribute& attribute, Variable& out) {
    Dwarf_Addr base = 0, start = 0, end = 0;
    Dwarf_Op* ops = nullptr;
    size_t count = 0;
    ptrdiff_t at = 0;
    for (int i = 0; i < kMostPlaces; ++i) {
      at = dwarf_getlocations(&attribute, at, &base, &start, &end, &ops, &count);
      if (at <= 0) {
        return;
      }
      Place place = place_of(ops, count);
      const bool everywhere = start == 0 && end == UINT64_MAX;
      place.first_line = everywhere ? 0 : to_line(start);
      place.end_line = everywhere ? 0 : to_line(end);
      if (everywhere || start < end) {
        out.places.push_back(std::move(place));
      }
    }
  }

  Place place_of(const Dwarf_Op* ops, size_t count) const {
    if (count == 0) {
      return {};
    }
    Place out;
    const Dwarf_Op& first = ops[0];
    const size_t symbol = (first.number - kSymbolBase) >> kSymbolShift;
    if (first.atom == DW_OP_addr && first.number >= kSymbolBase && symbol < names_.size()) {
      out.kind = PlaceKind::memory;
      out.name = names_[symbol];
      out.offset = static_cast<int64_t>(first.number & ((uint64_t{1} << kSymbolShift) - 1));
    } else if (first.atom == DW_OP_regx) {
      out.kind = PlaceKind::in_register;
      out.name = register_name(first.number);
    } else if (first.atom == DW_OP_bregx) {
      out.kind = PlaceKind::at_register;
      out.name = register_name(first.number);
      out.offset = static_cast<int64_t>(first.number2);
    } else if (first.atom >= DW_OP_lit0 && first.atom <= DW_OP_lit31) {
      out = {.kind = PlaceKind::constant, .value = static_cast<uint64_t>(first.atom - DW_OP_lit0)};
    } else if (first.atom >= DW_OP_const1u && first.atom <= DW_OP_consts) {
      out = {.kind = PlaceKind::constant, .value = first.number};
    } else {
      return unsupported(first);
    }
    for (size_t i = 1; i < count; ++i) {
      const bool offset = ops[i].atom == DW_OP_plus_uconst && out.kind != PlaceKind::constant;
      if (offset && out.kind == PlaceKind::in_register) {
        return unsupported(ops[i]);
      }
      if (offset) {
        out.offset += static_cast<int64_t>(ops[i].number);
      } else if (!(ops[i].atom == DW_OP_stack_value && out.kind == PlaceKind::constant)) {
        return unsupported(ops[i]);
      }
    }
    return out;
  }

  static Place unsupported(const Dwarf_Op& op) {
    return {.kind = PlaceKind::unsupported, .name = fmt::format("DWARF operation {:#x}", op.atom)};
  }

  // --- types -------------------------------------------------------------------------------------------------------

  TypeId type_of(Dwarf_Die& die, int depth) {
    Dwarf_Attribute attribute;
    Dwarf_Die target;
    if (dwarf_formref_die(dwarf_attr_integrate(&die, DW_AT_type, &attribute), &target) == nullptr) {
      return -1;
    }
    return type_at(target, depth);
  }

  TypeId type_at(Dwarf_Die& die, int depth) {
    const Dwarf_Off offset = dwarf_dieoffset(&die);
    if (const auto known = types_.find(offset); known != types_.end()) {
      return known->second;
    }
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type) {
      types_[offset] = -1;  // of a type that stands for itself
      return types_[offset] = depth < kDeepest ? type_of(die, depth + 1) : -1;
    }
    const auto id = static_cast<TypeId>(out_.types.size());
    types_[offset] = id;
    out_.types.emplace_back();
    Type type = depth < kDeepest ? describe(die, tag, depth + 1) : Type{};
    out_.types[static_cast<size_t>(id)] = std::move(type);
    return id;
  }

  Type describe(Dwarf_Die& die, int tag, int depth) {
    Type out;
    out.name = string_of(die, DW_AT_name);
    out.bytes = number_of(die, DW_AT_byte_size).value_or(0);
    switch (tag) {
      case DW_TAG_base_type: out.kind = kind_of_encoding(number_of(die, DW_AT_encoding).value_or(0)); break;
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        out.kind = tag == DW_TAG_pointer_type ? TypeKind::pointer : TypeKind::reference;
        out.bytes = 8;
        out.target = type_of(die, depth);
        break;
      case DW_TAG_typedef:
        out.kind = TypeKind::alias;
        out.target = type_of(die, depth);
        break;
      case DW_TAG_array_type: describe_array(die, out, depth); break;
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: describe_structure(die, out, depth); break;
      case DW_TAG_enumeration_type:
        out.kind = TypeKind::enumeration;
        each_child(die, [&](Dwarf_Die& child) {
          if (dwarf_tag(&child) == DW_TAG_enumerator) {
            Dwarf_Attribute attribute;
            Dwarf_Sword value = 0;
            dwarf_formsdata(dwarf_attr(&child, DW_AT_const_value, &attribute), &value);
            out.enumerators.push_back({string_of(child, DW_AT_name), value});
          }
        });
        break;
      default: break;  // functions, members of classes: an open set
    }
    return out;
  }

  void describe_array(Dwarf_Die& die, Type& out, int depth) {
    out.kind = TypeKind::array;
    out.target = type_of(die, depth);
    each_child(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) == DW_TAG_subrange_type) {
        const auto count = number_of(child, DW_AT_count);
        const auto last = number_of(child, DW_AT_upper_bound);
        out.extents.push_back(count ? *count : last ? *last + 1 : 0);
      }
    });
  }

  void describe_structure(Dwarf_Die& die, Type& out, int depth) {
    out.kind = TypeKind::structure;
    each_child(die, [&](Dwarf_Die& child) {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) {
        return;
      }
      Dwarf_Attribute attribute;
      if (dwarf_attr(&child, DW_AT_external, &attribute) != nullptr) {
        return;  // a static member
      }
      Member member;
      member.name = string_of(child, DW_AT_name);
      member.type = type_of(child, depth);
      member.offset = member_offset(child);
      const auto bits = number_of(child, DW_AT_bit_size);
      if (bits && *bits <= 64) {
        member.bit_size = static_cast<int>(*bits);
        const uint64_t unit = number_of(child, DW_AT_byte_size).value_or(4) * 8;
        const auto from_top = number_of(child, DW_AT_bit_offset);  // DWARF 2 and 3
        const auto from_start = number_of(child, DW_AT_data_bit_offset);
        const uint64_t first = from_start ? *from_start : from_top ? unit - *from_top - *bits : 0;
        member.offset += first / 8;
        member.bit_offset = static_cast<int>(first % 8);
      }
      out.members.push_back(std::move(member));
    });
  }

  static uint64_t member_offset(Dwarf_Die& member) {
    Dwarf_Attribute attribute;
    if (dwarf_attr(&member, DW_AT_data_member_location, &attribute) == nullptr) {
      return 0;
    }
    Dwarf_Word value = 0;
    if (dwarf_formudata(&attribute, &value) == 0) {
      return value;
    }
    Dwarf_Op* ops = nullptr;
    size_t count = 0;
    const bool plain = dwarf_getlocation(&attribute, &ops, &count) == 0 && count == 1;
    return plain && (ops[0].atom == DW_OP_plus_uconst || ops[0].atom == DW_OP_constu) ? ops[0].number : 0;
  }

  Dwarf* dwarf_;
  const std::vector<std::string>& names_;
  Symbols out_;
  std::map<Dwarf_Off, TypeId> types_;
  size_t nodes_ = 0;
};

}  // namespace

Result<Symbols> read_symbols(std::string_view ptx, const std::string& name) {
  HPML_TRY(const Sections sections, read_sections(ptx, name));
  if (!sections.bytes.contains(".debug_info") || sections.bytes.at(".debug_info").empty()) {
    return Symbols{};
  }
  std::vector<std::byte> image = to_elf(sections);
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, int (*)(Elf*)> elf(elf_memory(reinterpret_cast<char*>(image.data()), image.size()),
                                                elf_end);
  const std::unique_ptr<Dwarf, int (*)(Dwarf*)> dwarf(
      elf != nullptr ? dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr) : nullptr, dwarf_end);
  if (dwarf == nullptr) {
    return error_in(name, fmt::format("its debug information cannot be read: {}", dwarf_errmsg(-1)));
  }
  return DwarfReader(dwarf.get(), sections.symbols).read();
}

}  // namespace hpml::sim::debug_info
