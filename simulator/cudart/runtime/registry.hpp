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

// A part of a module that the program loaded itself: a container, or PTX text.
struct ImagePart {
  std::string name;  // for diagnostics
  std::string bytes;
};

// CUfunction and CUkernel of the driver API are the address of one; the runtime knows it like a stub's address.
struct FunctionHandle {
  RegisteredFatbin* module = nullptr;
};

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

// A module: registered before main, or loaded by the program with the driver API (CUmodule and CUlibrary are its
// address).
struct RegisteredFatbin {
  int index = 0;                  // 1-based, in the order of registration
  const void* wrapper = nullptr;  // null: loaded by the program
  std::vector<ImagePart> image;
  std::map<std::string, FunctionHandle> handles;  // asked for so far, by kernel name
  std::vector<RegisteredVariable> managed;
  bool managed_ready = false;
  std::map<std::string, void*> shadows;  // the host's variables, by device name (clang keeps managed ones there)
};

class Registry {
 public:
  RegisteredFatbin* add_fatbin(const void* wrapper);
  RegisteredFatbin* add_image(std::vector<ImagePart> image);
  void remove_fatbin(RegisteredFatbin* fatbin);
  // The handle of a kernel of a module loaded by the program; the same for the same name.
  const FunctionHandle* handle(RegisteredFatbin& module, const std::string& name);
  RegisteredFatbin* module(const void* address) const;  // null when it is none
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
