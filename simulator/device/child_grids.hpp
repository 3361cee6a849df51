#pragma once
// Dynamic parallelism: what the kernels of one launch ask to have done after them.
//
// A child grid is sure to see what its parent wrote before it, and nobody sees what it wrote before the parent has
// ended (CUDA programming guide, CUDA Dynamic Parallelism), so work executes when its parent has: a legal order. A grid
// is complete when its children are, so they come before whatever its parent launched later; tail launches come last.
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "simulator/device/api.hpp"
#include "simulator/exec/device_calls.hpp"

namespace hpml::sim::device {

struct ChildWork {
  enum class Kind : uint8_t { grid, copy, fill };
  Kind kind = Kind::grid;
  LaunchRequest request = {};  // grid; its params point into `params`
  std::vector<std::byte> params = {};
  uint64_t to = 0, from = 0, bytes = 0;
  uint8_t value = 0;
  int depth = 0;  // how many grids it descends from
};

class ChildGrids final : public exec::DeviceCalls {
 public:
  using FindKernel = std::function<std::optional<KernelId>(uint64_t code_address)>;
  // All outlive it.
  ChildGrids(Device& device, int index, FindKernel find) : device_(device), index_(index), find_(std::move(find)) {}
  ~ChildGrids() override;

  // What is to be executed next, after the work that this gave before; nothing: all is done.
  std::optional<ChildWork> next();
  // Values that kernels gave to the handles of conditional nodes, in order.
  std::vector<std::pair<uint64_t, uint32_t>> take_conditionals() { return std::exchange(conditionals_, {}); }

  uint64_t parameter_buffer(const exec::ChildGrid& grid) override;
  int launch(uint64_t buffer, uint64_t stream) override;
  int copy(uint64_t to, uint64_t from, uint64_t bytes) override;
  int fill(uint64_t to, uint8_t value, uint64_t bytes) override;
  int last_error(bool clear) override { return clear ? std::exchange(error_, 0) : error_; }
  std::optional<int> attribute(int which) const override;
  std::optional<uint64_t> limit(int which) const override;
  std::optional<exec::KernelFacts> kernel(uint64_t code) const override;
  std::optional<int> resident_blocks(uint64_t code, int block_threads, uint64_t dynamic_shared) const override;
  int device() const override { return index_; }
  uint64_t new_handle() override { return ++handles_; }
  void set_conditional(uint64_t handle, uint32_t value) override { conditionals_.emplace_back(handle, value); }

 private:
  int failed(int error) { return error_ = error; }
  bool reachable(uint64_t address, uint64_t bytes) const;

  Device& device_;
  int index_;
  FindKernel find_;
  int depth_ = 0;                              // of the grid that runs
  std::map<uint64_t, LaunchRequest> buffers_;  // given to kernels, by address
  std::vector<ChildWork> asked_, tail_;        // by the grid that runs, in order
  std::vector<ChildWork> waiting_;             // the next one last
  std::vector<std::pair<uint64_t, uint32_t>> conditionals_;
  uint64_t handles_ = 0x1000;  // above the handles that have a meaning (driver_types.h)
  int error_ = 0;
};

}  // namespace hpml::sim::device
