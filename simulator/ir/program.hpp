#pragma once
// ir::Program: the parts of one fat binary (several with -rdc) linked by name. Kernels are lowered one at a time, when
// they are first launched, so that an instruction we lack matters only to the kernel that contains it and a module of
// thousands of kernels loads at once.
//
//   HPML_TRY(Program program, Program::link(std::move(ptx_modules)));
//   for (Variable& v : program.variables()) v.address = ...;        // the device allocates them
//   for (const Variable& v : program.variables()) bytes = program.initial_bytes(v);
//   HPML_TRY(ir::Module module, program.lower("_Z6kernelPf"));      // module.kernels[0]
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/ir/kernel.hpp"
#include "simulator/ir/names.hpp"
#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ir {

// A module-scope variable in device memory. Shared variables are laid out per kernel and do not appear here.
struct Variable {
  std::string name;
  ptx::Space space = ptx::Space::global;  // global or constant
  uint64_t size = 0;                      // bytes
  uint32_t align = 1;
  bool managed = false;
  uint64_t address = 0;  // set by the device before initial_bytes() and lower()
  const ptx::Variable* declaration = nullptr;
};

struct KernelHeader {
  std::string name;
  std::vector<Param> params;
  uint32_t param_bytes = 0;
  std::array<uint32_t, 3> reqntid = {0, 0, 0}, maxntid = {0, 0, 0};
  std::array<uint32_t, 3> cluster = {0, 0, 0};  // .reqnctapercluster; 0: none
  bool grid_of_clusters = false;                // .blocksareclusters: a launch's grid counts clusters
  uint32_t max_cluster_rank = 0;                // .maxclusterrank: blocks of a cluster at most; 0: not said
  int minnctapersm = 0, maxnreg = 0;
  int target_sm = 0;  // 75 of ".target sm_75"
};

// Code addresses: what a function name evaluates to in an initialiser or a mov. Never a data address.
inline constexpr uint64_t kCodeBase = uint64_t{1} << 50;
inline constexpr uint64_t kCodeStep = 16;

class Program {
 public:
  // Errors: duplicate strong symbols, unresolved extern variables, malformed declarations.
  static Result<Program> link(std::vector<ptx::Module> modules);
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  std::vector<Variable>& variables();
  const std::vector<Variable>& variables() const;
  // The variable's bytes at load: initialiser, addresses of other symbols filled in, zero elsewhere.
  Result<std::vector<std::byte>> initial_bytes(const Variable& variable) const;

  const std::vector<KernelHeader>& kernels() const;
  // The kernel that a code address names; null: none.
  const std::string* kernel_at(uint64_t address) const;
  // One kernel with every function it can reach. Unknown instructions become Inst::unsupported and are reported when
  // reached. Errors: undefined names, operands of the wrong kind, malformed control flow, with file:line:col.
  // With `names`, every register keeps a place of its own, and `names` says which. Instructions and counters are the
  // same, but for cycles of unrolled loops, whose rounds then share registers.
  Result<Module> lower(const std::string& kernel, Names* names = nullptr) const;
  // The PTX that was linked: part i of FunctionNames::part.
  const ptx::Module& part(int index) const;
  int parts() const;

  // The first instruction that no PTX of its module's version has, which ptxas refuses; nothing where all are known, or
  // the module is of a version newer than isa::kKnownPtx.
  std::optional<Diag> unknown_instruction() const;

  // Every instruction of every function decoded: all diagnostics, for `gpusim ptx check`.
  std::vector<Diag> check() const;

 private:
  struct Impl;
  explicit Program(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace hpml::sim::ir
