#pragma once
// One module on one device: its linked program and the memory of its variables.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/ir/program.hpp"

namespace hpml::sim::device {

class LoadedModule {
 public:
  // Parses and links the parts, allocates every variable and writes its initialiser. Error: bad PTX (file:line:col),
  // too much constant memory, no device memory left.
  static Result<std::unique_ptr<LoadedModule>> load(const std::vector<ModulePart>& parts, memory::AddressSpace& memory,
                                                    uint64_t const_limit);
  ~LoadedModule();
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const ir::Program& program() const { return program_; }
  uint32_t const_bytes() const { return const_bytes_; }
  std::optional<SymbolInfo> find_symbol(const std::string& name) const;
  std::vector<SymbolInfo> managed_variables() const;

 private:
  LoadedModule(ir::Program program, memory::AddressSpace& memory) : program_(std::move(program)), memory_(memory) {}
  // Where a managed variable lies in the host program itself; null: it is allocated like the others.
  void* shadow_of(const ir::Variable& variable) const;
  Result<void> allocate_variables(uint64_t const_limit);
  Result<void> initialise_variables();

  ir::Program program_;
  memory::AddressSpace& memory_;
  std::map<std::string, void*> shadows_;
  uint32_t const_bytes_ = 0;
};

}  // namespace hpml::sim::device
