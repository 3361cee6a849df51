#pragma once
// ptx::Module: a PTX translation unit as written, with source locations. The parser knows the grammar (PTX ISA 9.0,
// chapters 4, 5, 11), not the instructions: `add.rn.f32` is a root and two dotted suffixes here. Which instructions
// and suffixes exist is decided by ir/resolve against the isa room, so PTX newer than this program still parses, and
// an instruction that only such PTX has is an error when a kernel reaches it.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/diag.hpp"

namespace hpml::sim::ptx {

enum class Space : uint8_t { none, reg, global, shared, local, constant, param };

// Scalar type words as PTX spells them ("u32", "f16x2", "pred"): kept as text, given a meaning by the isa room.
using TypeName = std::string;
bool is_opaque_type(std::string_view word);  // texref, samplerref, surfref

// An immediate. Integers keep their 64-bit pattern; 0f... and 0d... constants keep their exact bits.
struct Immediate {
  enum class Kind : uint8_t { integer, f32_bits, f64_bits } kind = Kind::integer;
  uint64_t bits = 0;
  bool is_unsigned = false;  // has a U suffix, or does not fit int64
};

struct Operand;
struct VectorOperand {
  std::vector<Operand> elements;  // {%r1, %r2}; `_` is an Operand with a SinkOperand
};
struct SinkOperand {};  // `_`
struct RegisterOperand {
  std::string name;       // "%r1", "%tid", or any declared register name
  std::string component;  // "x" of %tid.x and of vector registers, "h10" of video instructions; "" if none
  bool negated = false;   // !%p1
  bool minus = false;     // -%r1 of vmad
  int64_t offset = 0;     // %r1+4: added to the value
};
struct SymbolOperand {  // a variable, function, label, or parameter by name; or sym+offset, sym[index]
  std::string name;
  int64_t offset = 0;
  bool subscripted = false;  // an index was written, in elements; `offset` has it in bytes
};
struct AddressOperand {           // [%rd1+8], [sym+4], [sym], [16]
  std::string base;               // register or symbol; empty for an absolute address
  bool base_is_register = false;  // resolved by scope while parsing
  int64_t offset = 0;
};
// (a, b) of a call; or, when the first element is an AddressOperand, [a, b] of a texture or tensor instruction
struct ListOperand {
  std::vector<Operand> elements;
};
// a|b : the two destinations of setp, shfl.sync, match.all and others
struct PairOperand {
  std::vector<Operand> elements;  // exactly two
};
struct Operand {
  std::variant<Immediate, RegisterOperand, SymbolOperand, AddressOperand, VectorOperand, ListOperand, PairOperand,
               SinkOperand>
      value;
  SourcePos pos;
};

struct Guard {
  std::string predicate;  // "%p1"
  bool negated = false;
};

// .loc file line column [, function_name label, inlined_at file line column]
struct SourceLoc {
  int file = 0;  // index of a .file directive; 0 = unknown
  int line = 0;
  int column = 0;
  // Index in Module::inlined_at of the call that put the function with this line here; -1: it was not inlined. That
  // call may itself stand in an inlined function.
  int inlined_at = -1;
};

struct Instruction {
  SourcePos pos;
  SourceLoc loc;  // the .loc in force
  std::optional<Guard> guard;
  std::string root;  // "add", "ld", "bra"
  std::vector<std::string>
      suffixes;  // {"rn", "f32"}; dotted words in order, without the dot ("v2", "global", "L2::128B")
  std::vector<Operand> operands;
};

struct Label {
  std::string name;
  SourcePos pos;
  bool nounroll = false;  // followed by .pragma "nounroll": of the loop that begins here
};

struct Initializer;
using InitValue = std::variant<Immediate, SymbolOperand, std::vector<Initializer>>;
struct Initializer {
  InitValue value;
  int mask_byte = -1;       // 0xFF00(sym) style single-byte initialisers: which byte, else -1
  bool is_generic = false;  // generic(sym): the address in the generic space, not in that of the symbol
};

// A variable in any state space, or a formal parameter.
struct Variable {
  SourcePos pos;
  Space space = Space::none;
  TypeName type;       // "f32", "b8"
  int vector = 1;      // .v2 / .v4
  uint32_t align = 0;  // bytes; 0 = natural
  std::string name;
  std::vector<uint64_t> dims;  // array extents; 0 = [] (size unknown or flexible)
  bool is_array = false;
  bool managed = false, is_extern = false, visible = false, weak = false, common = false;
  std::vector<Initializer> init;  // empty = none or {}; one for a scalar; the outer braces of an array are left out
  int range = -1;                 // %r<11>: 11, declares %r0..%r10; -1 = a single name
  Space ptr_space = Space::none;  // .ptr .global .align 4 on kernel parameters
  uint32_t ptr_align = 0;
};

// name: .callprototype (ret) _ (params);   or   name: .branchtargets L1, L2;   or   .calltargets
struct CallPrototype {
  std::string name;
  std::vector<Variable> returns, params;
  bool noreturn = false;
  SourcePos pos;
};
struct BranchTargets {
  std::string name;
  std::vector<std::string> labels;  // labels, or function names for .calltargets
  SourcePos pos;
  bool is_call = false;  // .calltargets
};

struct Block;
using Statement = std::variant<Instruction, Label, Variable, CallPrototype, BranchTargets, std::unique_ptr<Block>>;
struct Block {  // { ... }: a scope of its own for registers, variables and labels
  std::vector<Statement> statements;
};

// .maxntid .reqntid .minnctapersm .maxnreg .maxclusterrank ...; name without the dot
struct PerformanceDirective {
  std::string name;
  std::vector<uint64_t> values;
};

struct Function {
  SourcePos pos;
  std::string name;
  bool is_entry = false;  // .entry or .func
  bool is_extern = false, visible = false, weak = false, noreturn = false;
  bool nounroll = false;  // .pragma "nounroll": of all its loops
  std::vector<Variable> returns, params;
  std::vector<PerformanceDirective> directives;
  std::unique_ptr<Block> body;  // null: a declaration
};

struct Alias {
  std::string alias, target;
  SourcePos pos;
};

struct File {
  int index = 0;
  std::string path;
};

struct Module {
  std::string name;  // file path or "<fat binary ...>", for diagnostics
  int version_major = 0, version_minor = 0;
  std::string target;  // "sm_70"
  std::vector<std::string> target_options;
  bool nounroll = false;  // .pragma "nounroll": of all loops
  int address_size = 64;
  std::vector<File> files;
  std::vector<SourceLoc> inlined_at;
  std::vector<Variable> variables;  // module scope
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::string text;  // the source, kept for carets and line_of()
};

}  // namespace hpml::sim::ptx
