#pragma once
// What the host program registered before main: fat binaries, kernels, variables. Nothing is parsed here; a module is
// read at its first use, so that a program that never launches pays nothing and a bad module is reported where it is
// needed.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hpml::sim::cudart {

struct RegisteredFatbin;

struct RegisteredFunction {
  RegisteredFatbin* fatbin = nullptr;
  std::string name;  // device (mangled) name
};

struct RegisteredVariable {
  RegisteredFatbin* fatbin = nullptr;
  std::string name;
  uint64_t size = 0;
  bool constant = false;
  void** managed_pointer = nullptr;  // __managed__: the host pointer to fill
};

struct RegisteredFatbin {
  int index = 0;  // 1-based, in the order of registration
  const void* wrapper = nullptr;
  std::vector<RegisteredVariable> managed;
  bool managed_ready = false;
  std::map<std::string, void*> shadows;  // the host's variables, by device name (clang keeps managed ones there)
};

class Registry {
 public:
  RegisteredFatbin* add_fatbin(const void* wrapper);
  void remove_fatbin(RegisteredFatbin* fatbin);
  void add_function(RegisteredFatbin* fatbin, const void* stub, const char* name);
  void add_variable(const void* host, RegisteredVariable variable);

  const RegisteredFunction* function(const void* stub) const;
  const RegisteredVariable* variable(const void* host) const;  // by the address of the host shadow
  const std::vector<std::unique_ptr<RegisteredFatbin>>& fatbins() const { return fatbins_; }

 private:
  std::vector<std::unique_ptr<RegisteredFatbin>> fatbins_;
  std::map<const void*, RegisteredFunction> functions_;
  std::map<const void*, RegisteredVariable> variables_;
  int count_ = 0;
};

}  // namespace hpml::sim::cudart
