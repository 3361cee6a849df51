#include "simulator/debug/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/isa/ops/half_kernels.hpp"

namespace hpml::sim::debug {
namespace {

constexpr int kDeepestValue = 32;         // of aliases, and of values in values
constexpr size_t kMostShown = 200;        // elements of an array, as gdb
constexpr uint64_t kMostAlike = 1 << 16;  // that are counted

Type plain(TypeKind kind, std::string name, uint64_t bytes) {
  Type out;
  out.kind = kind;
  out.name = std::move(name);
  out.bytes = bytes;
  return out;
}

}  // namespace

Types::Types(std::vector<Type> of_program) : types_(std::move(of_program)) {
  for (size_t i = 0; i < types_.size(); ++i) {
    if (!types_[i].name.empty()) {
      by_name_.emplace(types_[i].name, static_cast<TypeId>(i));
    }
  }
  constexpr const char* kNames[2][4] = {{"unsigned char", "unsigned short", "unsigned int", "unsigned long long"},
                                        {"signed char", "short", "int", "long long"}};
  for (size_t is_signed = 0; is_signed < 2; ++is_signed) {
    for (size_t i = 0; i < 4; ++i) {
      integers_[is_signed][i] = add(plain(is_signed != 0 ? TypeKind::signed_integer : TypeKind::unsigned_integer,
                                          kNames[is_signed][i], uint64_t{1} << i));
    }
  }
  float_ = add(plain(TypeKind::floating, "float", 4));
  double_ = add(plain(TypeKind::floating, "double", 8));
  bool_ = add(plain(TypeKind::boolean, "bool", 1));
  add(plain(TypeKind::character, "char", 1));
  by_name_.emplace("unsigned", integers_[0][2]);
  by_name_.emplace("long", integers_[1][3]);
  by_name_.emplace("unsigned long", integers_[0][3]);
  by_name_.emplace("size_t", integers_[0][3]);
  Type dim3 = plain(TypeKind::structure, "dim3", 12);
  for (uint64_t i = 0; i < 3; ++i) {
    dim3.members.push_back({.name = std::string(1, "xyz"[i]), .type = integers_[0][2], .offset = 4 * i});
  }
  dim3_ = add(std::move(dim3));
}

TypeId Types::add(Type type) {
  const auto id = static_cast<TypeId>(types_.size());
  by_name_.emplace(type.name, id);
  types_.push_back(std::move(type));
  return id;
}

const Type& Types::operator[](TypeId id) const {
  static const Type kVoid = plain(TypeKind::unknown, "void", 0);
  return id >= 0 && static_cast<size_t>(id) < types_.size() ? types_[static_cast<size_t>(id)] : kVoid;
}

TypeId Types::resolve(TypeId id) const {
  for (int i = 0; i < kDeepestValue && (*this)[id].kind == TypeKind::alias; ++i) {
    id = (*this)[id].target;
  }
  return id;
}

uint64_t Types::bytes(TypeId id) const {
  const Type& type = resolved(id);
  if (type.kind != TypeKind::array || type.bytes != 0) {
    return type.bytes;
  }
  uint64_t count = type.extents.empty() ? 0 : 1;
  for (const uint64_t extent : type.extents) {
    count = extent != 0 && count > (uint64_t{1} << 40) / extent ? 0 : count * extent;
  }
  const TypeId element = resolve(type.target);
  return element == resolve(id) ? 0 : count * (*this)[element].bytes;
}

std::string Types::name(TypeId id) const {
  std::string suffix;
  for (int i = 0; i < kDeepestValue; ++i) {
    const Type& type = (*this)[id];
    if (type.kind == TypeKind::pointer || type.kind == TypeKind::reference) {
      suffix = (type.kind == TypeKind::pointer ? "*" : "&") + suffix;
    } else if (type.kind == TypeKind::array) {
      for (const uint64_t extent : type.extents) {
        suffix += fmt::format("[{}]", extent);
      }
    } else {
      return (type.name.empty() ? "(unnamed)" : type.name) + (suffix.empty() ? "" : " " + suffix);
    }
    id = type.target;
  }
  return "?";
}

TypeId Types::integer(int bytes, bool is_signed) const {
  return integers_[is_signed ? 1 : 0][std::countr_zero(std::clamp<unsigned>(static_cast<unsigned>(bytes), 1, 8))];
}
TypeId Types::floating(int bytes) const { return bytes == 4 ? float_ : double_; }

Types::Half Types::half(TypeId id) const {
  const Type& type = resolved(id);
  const bool two_bytes = type.kind == TypeKind::structure && type.bytes == 2;
  return two_bytes && type.name == "__half"          ? Half::binary16
         : two_bytes && type.name == "__nv_bfloat16" ? Half::bfloat16
                                                     : Half::no;
}

std::optional<std::pair<TypeId, int64_t>> Types::enumerator(const std::string& name) const {
  for (size_t id = 0; id < types_.size(); ++id) {
    for (const debug_info::Enumerator& one : types_[id].enumerators) {
      if (one.name == name) {
        return std::pair(static_cast<TypeId>(id), one.value);
      }
    }
  }
  return std::nullopt;
}

TypeId Types::pointer_to(TypeId target) {
  const auto [it, added] = pointers_.emplace(target, 0);
  if (added) {
    Type pointer = plain(TypeKind::pointer, "", 8);
    pointer.target = target;
    it->second = add(std::move(pointer));
  }
  return it->second;
}

TypeId Types::array_of(TypeId element, uint64_t count) {
  Type array = plain(TypeKind::array, "", bytes(element) * count);
  array.target = element;
  array.extents = {count};
  return add(std::move(array));
}

TypeId Types::element_of(TypeId array) {
  const Type& type = resolved(array);
  if (type.extents.size() < 2) {
    return type.target;
  }
  Type rest = plain(TypeKind::array, "", 0);
  rest.target = type.target;
  rest.extents.assign(type.extents.begin() + 1, type.extents.end());
  types_.push_back(std::move(rest));
  return static_cast<TypeId>(types_.size() - 1);
}

TypeId Types::find(const std::string& name) const {
  if (name == "void") {
    return -1;
  }
  const auto found = by_name_.find(name);
  return found != by_name_.end() ? found->second : -2;
}

Result<std::vector<std::byte>> load(const Types& types, const Value& value, Memory& memory) {
  if (value.home == Home::none || value.home == Home::in_register) {
    return value.bytes;
  }
  if (value.bit_size == 0) {
    return memory.read(value.home, value.address, types.bytes(value.type));
  }
  const auto whole = static_cast<uint64_t>((value.bit_offset + value.bit_size + 7) / 8);
  HPML_TRY(std::vector<std::byte> bytes, memory.read(value.home, value.address, std::min<uint64_t>(whole, 8)));
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  bits >>= value.bit_offset;
  bits &= value.bit_size < 64 ? (uint64_t{1} << value.bit_size) - 1 : ~uint64_t{0};
  if (types.resolved(value.type).kind == TypeKind::signed_integer && value.bit_size < 64) {
    const int shift = 64 - value.bit_size;
    bits = static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
  }
  bytes.assign(std::min<uint64_t>(types.bytes(value.type), 8), std::byte{0});
  std::memcpy(bytes.data(), &bits, bytes.size());
  return bytes;
}

Result<Number> to_number(const Types& types, const Value& value, Memory& memory) {
  const Type& type = types.resolved(value.type);
  if (type.kind == TypeKind::array) {  // as in C: the address of its first element
    return Number{.is_unsigned = true, .bytes = 8, .integer = static_cast<int64_t>(value.address)};
  }
  HPML_TRY(const std::vector<std::byte> bytes, load(types, value, memory));
  if (bytes.empty() || bytes.size() > 8) {
    return error_in("expression", fmt::format("a value of type '{}' is no number", types.name(value.type)));
  }
  Number out;
  out.bytes = static_cast<int>(bytes.size());
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  if (const Types::Half half = types.half(value.type); half != Types::Half::no) {
    const auto word = static_cast<uint16_t>(bits);
    return Number{.is_float = true,
                  .real = static_cast<double>(half == Types::Half::binary16 ? isa::to_f32(isa::F16{word})
                                                                            : isa::to_f32(isa::BF16{word}))};
  }
  switch (type.kind) {
    case TypeKind::floating:
      out.is_float = true;
      if (bytes.size() == 4) {
        out.real = static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      } else if (bytes.size() == 8) {
        out.real = std::bit_cast<double>(bits);
      } else {
        return error_in("expression", "floating-point numbers of this size are not supported");
      }
      return out;
    case TypeKind::signed_integer:
    case TypeKind::character:
    case TypeKind::enumeration: {
      const int shift = 64 - out.bytes * 8;
      out.integer = static_cast<int64_t>(bits << shift) >> shift;
      return out;
    }
    case TypeKind::unsigned_integer:
    case TypeKind::unsigned_character:
    case TypeKind::boolean:
    case TypeKind::pointer:
    case TypeKind::reference:
      out.is_unsigned = true;
      out.integer = static_cast<int64_t>(bits);
      return out;
    case TypeKind::structure:
    case TypeKind::array:
    case TypeKind::alias:
    case TypeKind::unknown: break;
  }
  return error_in("expression", fmt::format("a value of type '{}' is no number", types.name(value.type)));
}

Value from_number(const Types& types, const Number& number) {
  Value out;
  out.type = number.is_float ? types.floating(number.bytes) : types.integer(number.bytes, !number.is_unsigned);
  out.bytes = *convert(types, out.type, number);
  return out;
}

namespace {

double to_real(const Number& number) {
  return number.is_float      ? number.real
         : number.is_unsigned ? static_cast<double>(static_cast<uint64_t>(number.integer))
                              : static_cast<double>(number.integer);
}

}  // namespace

Result<std::vector<std::byte>> convert(const Types& types, TypeId to, const Number& number) {
  const Type& type = types.resolved(to);
  std::vector<std::byte> out(type.bytes);
  if (const Types::Half half = types.half(to); half != Types::Half::no) {
    const double real = to_real(number);
    const uint16_t bits = half == Types::Half::binary16 ? isa::to_half<isa::F16>(isa::Rnd::rn, real).bits
                                                        : isa::to_half<isa::BF16>(isa::Rnd::rn, real).bits;
    std::memcpy(out.data(), &bits, sizeof bits);
    return out;
  }
  if (type.kind == TypeKind::structure || type.kind == TypeKind::array || type.kind == TypeKind::unknown ||
      out.empty() || out.size() > 8) {
    return error_in("expression", fmt::format("a number cannot become a '{}'", types.name(to)));
  }
  if (type.kind == TypeKind::floating) {
    const double real = to_real(number);
    const auto narrow = static_cast<float>(real);
    std::memcpy(out.data(), out.size() == 4 ? static_cast<const void*>(&narrow) : &real, out.size());
    return out;
  }
  constexpr double kLimit = 9.2e18;
  int64_t integer = number.integer;
  if (number.is_float) {
    if (!(number.real > -kLimit && number.real < kLimit)) {
      return error_in("expression", fmt::format("{} is no '{}'", number.real, types.name(to)));
    }
    integer = static_cast<int64_t>(number.real);
  }
  integer = type.kind == TypeKind::boolean ? static_cast<int64_t>(number.truth()) : integer;
  std::memcpy(out.data(), &integer, out.size());
  return out;
}

namespace {

class Printer {
 public:
  Printer(Types& types, Memory& memory, char format) : types_(types), memory_(memory), format_(format) {}

  std::string value(const Value& value, int depth) {
    const Type type = types_.resolved(value.type);  // a copy: the table may grow
    if (depth > kDeepestValue) {
      return "{...}";
    }
    if (type.kind == TypeKind::structure && types_.half(value.type) == Types::Half::no) {
      std::string out;
      for (const debug_info::Member& member : type.members) {
        out += (out.empty() ? "" : ", ") + (member.name.empty() ? "" : member.name + " = ") +
               this->value(part(value, member.type, member.offset, member), depth + 1);
      }
      return "{" + out + "}";
    }
    return type.kind == TypeKind::array ? array(value, type, depth) : scalar(value, type);
  }

 private:
  Value part(const Value& whole, TypeId type, uint64_t offset, const debug_info::Member& member = {}) const {
    Value out = whole;
    out.type = type;
    out.bit_size = member.bit_size;
    out.bit_offset = member.bit_offset;
    if (whole.home == Home::none || whole.home == Home::in_register) {
      const uint64_t size = types_.bytes(type);
      out.home = Home::none;
      out.bytes.assign(size, std::byte{0});
      if (offset + size <= whole.bytes.size()) {
        std::memcpy(out.bytes.data(), whole.bytes.data() + offset, size);
      }
    } else {
      out.address += offset;
    }
    return out;
  }

  std::string array(const Value& value, const Type& type, int depth) {
    const TypeId element = types_.element_of(value.type);
    const uint64_t size = types_.bytes(element), count = type.extents.empty() ? 0 : type.extents[0];
    std::string out;
    for (uint64_t i = 0; i < count && size > 0; ++i) {
      if (shown_ >= kMostShown) {
        out += "...";
        break;
      }
      const std::string text = this->value(part(value, element, i * size), depth + 1);
      shown_ += types_.resolved(element).kind == TypeKind::array ? 0 : 1;
      uint64_t same = 1;
      while (i + same < std::min(count, i + kMostAlike) && types_.resolved(element).kind != TypeKind::array &&
             this->value(part(value, element, (i + same) * size), depth + 1) == text) {
        ++same;
      }
      constexpr uint64_t kRepeats = 10;
      const bool many = same >= kRepeats;
      out += (out.empty() ? "" : ", ") + text + (many ? fmt::format(" <repeats {} times>", same) : "");
      i += many ? same - 1 : 0;
    }
    return "{" + out + "}";
  }

  std::string scalar(const Value& value, const Type& type) {
    const auto number = to_number(types_, value, memory_);
    if (!number.ok()) {
      return "<" + number.error().message + ">";
    }
    if (format_ != 0) {
      return formatted(value, *number);
    }
    if (number->is_float) {
      return number->bytes == 4 ? fmt::format("{}", static_cast<float>(number->real)) : fmt::format("{}", number->real);
    }
    switch (type.kind) {
      case TypeKind::pointer:
      case TypeKind::reference:
        return fmt::format("({}) {:#x}", types_.name(value.type), static_cast<uint64_t>(number->integer));
      case TypeKind::boolean: return number->integer != 0 ? "true" : "false";
      case TypeKind::character:
      case TypeKind::unsigned_character:
        return number->integer >= ' ' && number->integer < 127
                   ? fmt::format("{} '{}'", number->integer, static_cast<char>(number->integer))
                   : fmt::format("{}", number->integer);
      case TypeKind::enumeration:
        for (const debug_info::Enumerator& one : type.enumerators) {
          if (one.value == number->integer) {
            return one.name;
          }
        }
        return fmt::format("{}", number->integer);
      case TypeKind::signed_integer: return fmt::format("{}", number->integer);
      case TypeKind::unsigned_integer: return fmt::format("{}", static_cast<uint64_t>(number->integer));
      case TypeKind::floating:
      case TypeKind::structure:
      case TypeKind::array:
      case TypeKind::alias:
      case TypeKind::unknown: break;
    }
    return "?";
  }

  std::string formatted(const Value& value, const Number& number) {
    const auto bytes = load(types_, value, memory_);
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data(), std::min<size_t>(bytes->size(), 8));
    switch (format_) {
      case 'x': return fmt::format("{:#x}", bits);
      case 't': return fmt::format("{:b}", bits);
      case 'o': return fmt::format("{:#o}", bits);
      case 'u': return fmt::format("{}", number.is_float ? static_cast<uint64_t>(number.real) : bits);
      case 'c': return fmt::format("{} '{}'", bits & 0xff, static_cast<char>(bits & 0x7f));
      case 'f':
        return number.is_float     ? fmt::format("{}", number.real)
               : number.bytes == 4 ? fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(bits)))
                                   : fmt::format("{}", std::bit_cast<double>(bits));
      default: break;  // any character that a user may write
    }
    return number.is_float ? fmt::format("{:.0f}", number.real) : fmt::format("{}", number.integer);
  }

  Types& types_;
  Memory& memory_;
  char format_;
  size_t shown_ = 0;
};

}  // namespace

std::string to_text(Types& types, const Value& value, Memory& memory, char format) {
  return Printer(types, memory, format).value(value, 0);
}

}  // namespace hpml::sim::debug
