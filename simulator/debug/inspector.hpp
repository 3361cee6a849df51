#pragma once
// What the threads of a standing grid hold: variables, registers, memory, calls.
#include <optional>
#include <string>
#include <vector>

#include "simulator/debug/code_map.hpp"
#include "simulator/debug/expression.hpp"
#include "simulator/debug/protocol.hpp"
#include "simulator/exec/stepper.hpp"

namespace hpml::sim::debug {

// A thread, and a call on its stack.
struct Thread {
  exec::WarpRef warp;
  int lane = 0;
  int frame = 0;
};

// Where a lane stands.
struct Standing {
  exec::LaneGroup group;
  const exec::Activation* call = nullptr;  // the frame asked for, in `group`
};

class Inspector final : public Scope {
 public:
  Inspector(const Launch& launch, exec::Stepper& stepper) : launch_(launch), stepper_(stepper), map_(launch) {}

  void look_at(const Thread& thread);
  const Thread& thread() const { return thread_; }
  const std::optional<Standing>& standing() const { return standing_; }  // nothing: the lane has exited
  const exec::Activation* call() const { return standing_ ? standing_->call : nullptr; }
  const CodeMap& map() const { return map_; }
  Types& types();

  Result<Value> find(const std::string& name) override;
  Result<std::vector<std::byte>> read(Home home, uint64_t address, uint64_t bytes) override;
  Result<std::string> show(const std::string& expression, char format = 0);

  // Of the frame, innermost scope first; names hidden by inner ones are left out.
  std::vector<const debug_info::Variable*> variables();
  // kept_variables.cpp. Of the frame's function: why its variables cannot be seen, and what to do; "": they can.
  std::string not_kept();
  const ir::FunctionNames& names() const;
  const ir::RegisterName* register_named(const std::string& name) const;
  const ir::RegisterName* register_at(isa::Slot slot) const;
  Result<Value> register_value(const ir::RegisterName& name);

  std::optional<exec::BlockView> block(uint64_t id);
  std::optional<exec::BlockView> own_block();
  std::array<uint32_t, 3> thread_index(int lane) const;
  // The bytes a value lies in. Error: it lies in none that can change.
  Result<WatchPlace> place_of(const Value& value);
  // As an expression of the frame, "tile[3][1]" or "in[26]"; else by its address.
  std::string name_of(const WatchPlace& place);
  // Where they are now. Error: the block is not resident, or there is no such memory.
  Result<std::span<std::byte>> bytes_at(const WatchPlace& place, int frame = 0);

 private:
  Result<std::span<std::byte>> memory_at(uint64_t address, uint64_t bytes);
  Result<Value> builtin(const std::string& name);
  Result<Value> variable_value(const debug_info::Variable& variable);
  Result<Value> at_place(const debug_info::Place& place, TypeId type);
  Result<uint64_t> symbol_address(const std::string& name, Home& home);
  const debug_info::Function* function_symbols();
  std::string only_lines();
  bool has_place(const debug_info::Variable& variable) const;
  std::string element_name(const std::string& name, TypeId type, uint64_t offset);
  std::optional<exec::BlockView> of_cluster(uint64_t rank);

  const Launch& launch_;
  exec::Stepper& stepper_;
  CodeMap map_;
  Thread thread_;
  std::optional<Standing> standing_;
};

// Writes what a user has changed. Nothing happens if the place is not there.
void apply(const Edit& edit, Inspector& inspector);

}  // namespace hpml::sim::debug
