#pragma once
// Typed values of the debugged program, and the table of its types, to which expressions add theirs.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/debug_info/symbols.hpp"

namespace hpml::sim::debug {

using debug_info::Type;
using debug_info::TypeId;
using debug_info::TypeKind;

class Types {
 public:
  explicit Types(std::vector<Type> of_program);

  const Type& operator[](TypeId id) const;
  const Type& resolved(TypeId id) const { return (*this)[resolve(id)]; }
  TypeId resolve(TypeId id) const;  // behind aliases
  uint64_t bytes(TypeId id) const;
  std::string name(TypeId id) const;  // "float *", "int [4]"

  TypeId integer(int bytes, bool is_signed) const;
  TypeId floating(int bytes) const;
  TypeId boolean() const { return bool_; }
  TypeId dimensions() const { return dim3_; }  // three unsigned numbers x, y, z
  TypeId pointer_to(TypeId target);
  TypeId array_of(TypeId element, uint64_t count);
  TypeId element_of(TypeId array);  // of its first dimension
  // A type by the words of a cast: "unsigned int", a name of the program. -2: there is none.
  TypeId find(const std::string& name) const;
  // CUDA's 16-bit floating-point types, which are structures in its headers.
  enum class Half : uint8_t { no, binary16, bfloat16 };
  Half half(TypeId id) const;
  // The constant of that name in an enumeration. Nothing: there is none.
  std::optional<std::pair<TypeId, int64_t>> enumerator(const std::string& name) const;

 private:
  TypeId add(Type type);
  std::vector<Type> types_;
  std::map<TypeId, TypeId> pointers_;
  std::map<std::string, TypeId> by_name_;
  TypeId integers_[2][4] = {};
  TypeId float_ = 0, double_ = 0, bool_ = 0, dim3_ = 0;
};

// Where a value lies; `none`: it is a result, and cannot be assigned to.
enum class Home : uint8_t { none, memory, parameter, in_register };

struct Value {
  TypeId type = -1;
  Home home = Home::none;
  uint64_t address = 0;              // memory: generic; parameter: offset; in_register: slot
  int frame = 0;                     // in_register
  bool predicate = false;            // in_register: one bit of a mask
  std::vector<std::byte> bytes;      // none, in_register
  int bit_size = 0, bit_offset = 0;  // memory: of a bit field
};

// Memory of the debugged program.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual Result<std::vector<std::byte>> read(Home home, uint64_t address, uint64_t bytes) = 0;
};

// The bytes of the value itself, wherever it lies. Error: memory that is not there.
Result<std::vector<std::byte>> load(const Types& types, const Value& value, Memory& memory);

// A number, with the type that C gives it in an expression.
struct Number {
  bool is_float = false, is_unsigned = false;
  int bytes = 4;
  int64_t integer = 0;
  double real = 0;
  bool truth() const { return is_float ? real != 0 : integer != 0; }
};
Result<Number> to_number(const Types& types, const Value& value, Memory& memory);
Value from_number(const Types& types, const Number& number);
// The bytes of a number as a value of that type. Error: it is no scalar.
Result<std::vector<std::byte>> convert(const Types& types, TypeId to, const Number& number);

// As gdb prints it: "3.5", "{x = 1, n = {1, 2}}", "(float *) 0x3000...". `format`: 'x', 'd', 'u', 'f', 'c', 't', or 0.
std::string to_text(Types& types, const Value& value, Memory& memory, char format = 0);

}  // namespace hpml::sim::debug
