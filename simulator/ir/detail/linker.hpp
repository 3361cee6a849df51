#pragma once
// Names across the parts of a program: what a symbol means in a given part (PTX ISA 9.0, 5.1 scope, 11.6 linking).
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulator/ir/program.hpp"

namespace hpml::sim::ir {

struct Symbol {
  enum class Kind : uint8_t { variable, shared, function } kind = Kind::variable;
  int index = -1;  // variable: in Linked::variables; function: in Linked::functions
  const ptx::Variable* variable = nullptr;
  const ptx::Function* function = nullptr;
  int part = 0;
};

struct LinkedFunction {
  const ptx::Function* ast = nullptr;
  int part = 0;
};

class Linked {
 public:
  static Result<Linked> link(std::vector<ptx::Module> parts);

  // The symbol `name` as seen from `part`; null when there is none.
  const Symbol* find(int part, const std::string& name) const;
  static uint64_t code_address(int function) { return kCodeBase + kCodeStep * static_cast<uint64_t>(function); }
  // Where in `variables` the .global or .const variable is that a function declares.
  int function_variable(const ptx::Variable& v) const { return function_variables_.at(&v); }
  int part_of(const ptx::Variable& v) const { return part_of_.at(&v); }
  // Functions whose address is taken anywhere: the possible targets of an indirect call.
  const std::vector<int>& address_taken() const { return address_taken_; }

  std::vector<std::unique_ptr<ptx::Module>> parts;  // stable addresses: symbols point into them
  std::vector<Variable> variables;
  std::vector<LinkedFunction> functions;

 private:
  Result<void> add_variable(int part, const ptx::Variable& v);
  Result<void> add_function(int part, const ptx::Function& f);
  void add_variables_of(int part, const ptx::Block& block);
  void find_address_taken();

  std::vector<std::map<std::string, Symbol>> local_;  // by part
  std::map<std::string, Symbol> global_;
  std::map<const ptx::Variable*, int> function_variables_, part_of_;
  std::vector<int> address_taken_;
};

}  // namespace hpml::sim::ir
