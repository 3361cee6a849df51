#pragma once
// What the words of PTX became when a kernel was lowered: for a debugger, which is asked about names.
#include <string>
#include <vector>

#include "simulator/ir/kernel.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ir {

struct RegisterName {
  std::string name;               // "%r1"
  isa::Slot slot = isa::kNoSlot;  // in the frame's registers; its own: no other register shares it
  uint8_t bytes = 4;              // from lane to lane
  bool predicate = false;         // the slot is a mask of lanes
  bool written = false;           // by any instruction: those of folded products, for one, never are
  int ptx_line = 0;               // of the declaration: with the same name, the last one before an instruction counts
};

// Memory with a name inside a function.
struct PlaceName {
  std::string name;
  ptx::Space space = ptx::Space::local;  // local: offset in the frame; shared; param: in the kernel's parameters
  uint32_t offset = 0;
  uint64_t size = 0;
};

struct FunctionNames {
  int part = 0;        // of the program
  int first_line = 0;  // of the body, in the PTX of the part
  std::vector<RegisterName> registers;
  std::vector<PlaceName> places;
};

struct Names {
  std::vector<FunctionNames> functions;  // as in the module
};

}  // namespace hpml::sim::ir
