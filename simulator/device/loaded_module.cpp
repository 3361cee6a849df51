#include "simulator/device/loaded_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simulator/ptx/parser.hpp"

namespace hpml::sim::device {
namespace {

memory::Kind kind_of(const ir::Variable& variable) {
  return variable.managed ? memory::Kind::managed : memory::Kind::module;
}

uint64_t bytes_of(const ir::Variable& variable) { return std::max<uint64_t>(variable.size, 1); }

}  // namespace

Result<std::unique_ptr<LoadedModule>> LoadedModule::load(const std::vector<ModulePart>& parts,
                                                         memory::AddressSpace& memory, uint64_t const_limit) {
  std::vector<ptx::Module> parsed;
  for (const ModulePart& part : parts) {
    HPML_TRY(auto module, ptx::parse(part.ptx, part.name));
    parsed.push_back(std::move(module));
  }
  HPML_TRY(auto program, ir::Program::link(std::move(parsed)));
  if (auto unknown = program.unknown_instruction()) {
    return *std::move(unknown);
  }
  std::unique_ptr<LoadedModule> loaded(new LoadedModule(std::move(program), memory));
  for (const ModulePart& part : parts) {
    loaded->shadows_.insert(part.shadows.begin(), part.shadows.end());
  }
  HPML_TRY_VOID(loaded->allocate_variables(const_limit));
  HPML_TRY_VOID(loaded->initialise_variables());
  return loaded;
}

Result<void> LoadedModule::allocate_variables(uint64_t const_limit) {
  for (ir::Variable& variable : program_.variables()) {
    if (variable.space == ptx::Space::constant) {
      const_bytes_ += static_cast<uint32_t>(variable.size);
      if (const_bytes_ > const_limit) {
        return error_in("<module>", fmt::format("constant variables need more than {} bytes; '{}' does not fit",
                                                const_limit, variable.name));
      }
    }
    if (void* shadow = shadow_of(variable); shadow != nullptr) {
      if (!memory_.register_host(shadow, bytes_of(variable))) {
        return error_in("<module>", fmt::format("managed variable '{}' overlaps registered memory", variable.name));
      }
      variable.address = reinterpret_cast<uint64_t>(shadow);
      continue;
    }
    variable.address = memory_.allocate(kind_of(variable), bytes_of(variable), variable.name);
    if (variable.address == 0) {
      return error_in("<module>", fmt::format("no device memory left for variable '{}' of {} bytes ({} free)",
                                              variable.name, variable.size, memory_.free_bytes()));
    }
  }
  return Ok{};
}

Result<void> LoadedModule::initialise_variables() {
  for (const ir::Variable& variable : program_.variables()) {
    HPML_TRY(const std::vector<std::byte> bytes, program_.initial_bytes(variable));
    const memory::Allocation* allocation = memory_.find(variable.address);
    HPML_CHECK(bytes.size() <= allocation->size,
               fmt::format("initialiser of {} bytes for '{}' of {}", bytes.size(), variable.name, variable.size));
    // Fresh memory reads as zero: what is zero already is not touched, so that large arrays cost nothing.
    if (std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b != std::byte{0}; })) {
      std::memcpy(allocation->view, bytes.data(), bytes.size());
    }
  }
  return Ok{};
}

LoadedModule::~LoadedModule() {
  for (const ir::Variable& variable : program_.variables()) {
    if (variable.address == 0) {
      continue;
    }
    if (void* shadow = shadow_of(variable); shadow != nullptr) {
      memory_.unregister_host(shadow);
    } else {
      memory_.free(variable.address, kind_of(variable));
    }
  }
}

void* LoadedModule::shadow_of(const ir::Variable& variable) const {
  const auto it = shadows_.find(variable.name);
  return variable.managed && it != shadows_.end() ? it->second : nullptr;
}

std::optional<SymbolInfo> LoadedModule::find_symbol(const std::string& name) const {
  for (const ir::Variable& variable : program_.variables()) {
    if (variable.name == name) {
      return SymbolInfo{.address = variable.address, .size = variable.size};
    }
  }
  return std::nullopt;
}

std::vector<SymbolInfo> LoadedModule::managed_variables() const {
  std::vector<SymbolInfo> managed;
  for (const ir::Variable& variable : program_.variables()) {
    if (variable.managed && shadow_of(variable) == nullptr) {
      managed.push_back({.address = variable.address, .size = bytes_of(variable)});
    }
  }
  return managed;
}

}  // namespace hpml::sim::device
