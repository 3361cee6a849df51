#include "simulator/sanitize/launch_view.hpp"

#include <utility>

namespace hpml::sim::sanitize {

void LaunchView::begin(std::string kernel, std::array<uint32_t, 3> block_size) {
  kernel_ = std::move(kernel);
  block_size_ = block_size;
  blocks_.clear();
}

void LaunchView::block_started(const exec::ObservedBlock& block) {
  const auto at = static_cast<size_t>(block.handle);
  if (at >= blocks_.size()) {
    blocks_.resize(at + 1);
  }
  blocks_[at] = block;
}

const void* LaunchView::anchor(const ir::Function& function, const ir::Inst& inst) {
  const bool known = inst.src_line > 0;
  return anchors_
      .try_emplace({&function, known ? inst.src_file : uint16_t{0}, known ? inst.src_line : -inst.ptx_line}, &inst)
      .first->second;
}

ThreadPlace LaunchView::place(int block, uint32_t thread, const ir::Function& function, const ir::Inst& inst) const {
  ThreadPlace out;
  out.block = blocks_[static_cast<size_t>(block)].ctaid;
  out.thread = {thread % block_size_[0], thread / block_size_[0] % block_size_[1],
                thread / block_size_[0] / block_size_[1]};
  out.source.function = function.name;
  if (inst.src_line > 0 && inst.src_file < function.files.size()) {
    out.source.file = function.files[inst.src_file];
    out.source.line = inst.src_line;
  }
  out.source.ptx_file = function.module_name;
  out.source.ptx_line = inst.ptx_line;
  return out;
}

}  // namespace hpml::sim::sanitize
