#pragma once
// What every tool needs to know of the launch that runs: where its blocks are, how a thread or an instruction is named.
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/exec/observer.hpp"
#include "simulator/sanitize/finding.hpp"

namespace hpml::sim::sanitize {

inline bool is_atomic(const ir::Inst& inst) { return inst.mem == isa::Mem::atom || inst.mem == isa::Mem::red; }

class LaunchView {
 public:
  // kernel: demangled.
  void begin(std::string kernel, std::array<uint32_t, 3> block_size);
  void block_started(const exec::ObservedBlock& block);

  const std::string& kernel() const { return kernel_; }
  const exec::ObservedBlock& block(int handle) const { return blocks_[static_cast<size_t>(handle)]; }
  uint32_t thread_index(int warp, int lane) const { return static_cast<uint32_t>(warp * 32 + lane); }
  // One address for all instructions of a source line (of a PTX line, without line information): an unrolled loop has
  // many copies of one mistake.
  const void* anchor(const ir::Function& function, const ir::Inst& inst);
  ThreadPlace place(int block, uint32_t thread, const ir::Function& function, const ir::Inst& inst) const;

 private:
  std::string kernel_;
  std::array<uint32_t, 3> block_size_ = {1, 1, 1};
  std::vector<exec::ObservedBlock> blocks_;  // by handle
  std::map<std::tuple<const ir::Function*, uint16_t, int32_t>, const void*> anchors_;
};

}  // namespace hpml::sim::sanitize
