#pragma once
// What a program's debug information says, as plain data: types, functions, variables and where they are.
//
// Code addresses are lines of the PTX text, since a debugger of PTX has no others. Places are named as PTX names them:
// a register ("%r5"), or a symbol ("__local_depot0", "_ZZ1kPfE4tile") with an offset.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hpml::sim::debug_info {

using TypeId = int;  // index in Symbols::types; -1: void

enum class TypeKind : uint8_t {
  signed_integer,
  unsigned_integer,
  boolean,
  character,
  unsigned_character,
  floating,
  pointer,
  reference,
  array,
  structure,
  enumeration,
  alias,
  unknown
};

struct Member {
  std::string name = {};  // "": an unnamed union, or a base class
  TypeId type = -1;
  uint64_t offset = 0;               // bytes
  int bit_size = 0, bit_offset = 0;  // of bit fields: from the least significant bit at `offset`; size 0: no bit field
};

struct Enumerator {
  std::string name;
  int64_t value = 0;
};

struct Type {
  TypeKind kind = TypeKind::unknown;
  std::string name;
  uint64_t bytes = 0;
  TypeId target = -1;             // pointed to, of elements, or that an alias stands for
  std::vector<uint64_t> extents;  // array; 0: not known
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;
};

enum class PlaceKind : uint8_t {
  none,         // optimised out
  in_register,  // the value is what the register holds
  memory,       // the value lies at symbol + offset
  at_register,  // the value lies at the (generic) address in the register, + offset
  constant,     // the value itself is known
  unsupported   // a form that this reader does not know: `name` says which
};

struct Place {
  PlaceKind kind = PlaceKind::none;
  std::string name = {};  // of the register or symbol
  int64_t offset = 0;
  uint64_t value = 0;                // constant
  int first_line = 0, end_line = 0;  // of the PTX, where this is so; 0, 0: everywhere
};

struct Variable {
  std::string name;
  TypeId type = -1;
  bool parameter = false;
  int file = 0, line = 0;  // of the declaration
  std::vector<Place> places;
};

struct Scope {
  int first_line = 0, end_line = 0;  // of the PTX
  std::string inlined_name;          // a function that was inlined here; "": a block
  std::vector<Variable> variables;
  std::vector<Scope> scopes;
};

struct Function {
  std::string name;          // as in the source
  std::string linkage_name;  // as in PTX
  int file = 0, line = 0;
  Scope scope;
};

struct Symbols {
  std::vector<Type> types;
  std::vector<Function> functions;
  std::vector<Variable> globals;
};

}  // namespace hpml::sim::debug_info
