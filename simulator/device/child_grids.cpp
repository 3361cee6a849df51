#include "simulator/device/child_grids.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace hpml::sim::device {
namespace {

// cudaError_t (driver_types.h)
constexpr int kSuccess = 0, kInvalidValue = 1, kMemoryAllocation = 2, kInvalidConfiguration = 9,
              kInvalidDeviceFunction = 98, kMaxDepthExceeded = 65, kOutOfResources = 701, kNotSupported = 801,
              kInvalidClusterSize = 912;

constexpr int kMaxDepth = 24;        // CUDA programming guide, Dynamic Parallelism, Memory Footprint
constexpr uint64_t kTailLaunch = 3;  // cudaStreamTailLaunch (driver_types.h)
constexpr const char* kParametersLabel = "<parameters of a child grid>";

int error_of(LaunchError error) {
  switch (error) {
    case LaunchError::none: return kSuccess;
    case LaunchError::invalid_configuration: return kInvalidConfiguration;
    case LaunchError::invalid_value: return kInvalidValue;
    case LaunchError::no_clusters: return kNotSupported;
    case LaunchError::invalid_cluster_size: return kInvalidClusterSize;
    case LaunchError::out_of_resources:
    case LaunchError::cooperative_too_large: return kOutOfResources;
  }
  return kInvalidValue;
}

}  // namespace

ChildGrids::~ChildGrids() {
  for (const auto& [address, request] : buffers_) {
    device_.memory().free(address, memory::Kind::module);
  }
}

std::optional<ChildWork> ChildGrids::next() {
  std::move(tail_.rbegin(), tail_.rend(), std::back_inserter(waiting_));
  std::move(asked_.rbegin(), asked_.rend(), std::back_inserter(waiting_));
  tail_.clear();
  asked_.clear();
  if (waiting_.empty()) {
    return std::nullopt;
  }
  ChildWork work = std::move(waiting_.back());
  waiting_.pop_back();
  work.request.params = work.params;
  depth_ = work.depth;
  return work;
}

uint64_t ChildGrids::parameter_buffer(const exec::ChildGrid& grid) {
  const std::optional<KernelId> kernel = find_(grid.kernel);
  if (!kernel) {
    failed(kInvalidDeviceFunction);
    return 0;
  }
  LaunchRequest request;
  request.kernel = *kernel;
  request.grid = {.x = grid.grid[0], .y = grid.grid[1], .z = grid.grid[2]};
  request.block = {.x = grid.block[0], .y = grid.block[1], .z = grid.block[2]};
  request.dynamic_shared = grid.dynamic_shared;
  if (const LaunchError error = device_.check_launch(request); error != LaunchError::none) {
    failed(error_of(error));
    return 0;
  }
  const uint64_t bytes = std::max<uint64_t>(device_.kernel(*kernel).param_bytes, 1);
  const uint64_t address = device_.memory().allocate(memory::Kind::module, bytes, kParametersLabel);
  if (address == 0) {
    failed(kMemoryAllocation);
  } else {
    buffers_[address] = request;
  }
  return address;
}

int ChildGrids::launch(uint64_t buffer, uint64_t stream) {
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) {
    return failed(kInvalidValue);
  }
  const bool tail = stream == kTailLaunch;
  ChildWork work{.request = found->second, .depth = tail ? depth_ : depth_ + 1};
  const memory::Allocation* place = device_.memory().find(buffer);
  work.params.assign(place->view, place->view + device_.kernel(work.request.kernel).param_bytes);
  device_.memory().free(buffer, memory::Kind::module);
  buffers_.erase(found);
  if (work.depth > kMaxDepth) {
    return failed(kMaxDepthExceeded);
  }
  (tail ? tail_ : asked_).push_back(std::move(work));
  return kSuccess;
}

bool ChildGrids::reachable(uint64_t address, uint64_t bytes) const {
  const memory::Allocation* place = device_.memory().find(address);
  return bytes == 0 || (place != nullptr && place->contains(address, bytes));
}

int ChildGrids::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (!reachable(to, bytes) || !reachable(from, bytes)) {
    return failed(kInvalidValue);
  }
  asked_.push_back({.kind = ChildWork::Kind::copy, .to = to, .from = from, .bytes = bytes, .depth = depth_});
  return kSuccess;
}

int ChildGrids::fill(uint64_t to, uint8_t value, uint64_t bytes) {
  if (!reachable(to, bytes)) {
    return failed(kInvalidValue);
  }
  asked_.push_back({.kind = ChildWork::Kind::fill, .to = to, .bytes = bytes, .value = value, .depth = depth_});
  return kSuccess;
}

std::optional<exec::KernelFacts> ChildGrids::kernel(uint64_t code) const {
  const std::optional<KernelId> id = find_(code);
  if (!id) {
    return std::nullopt;
  }
  const KernelInfo& info = device_.kernel(*id);
  const Properties& p = device_.properties();
  const uint64_t room = p.shared_per_block - std::min<uint64_t>(info.static_shared, p.shared_per_block);
  return exec::KernelFacts{.shared_bytes = info.static_shared,
                           .const_bytes = info.const_bytes,
                           .local_bytes = info.local_bytes,
                           .max_threads = info.max_threads_per_block,
                           .registers = info.registers,
                           .ptx_version = info.ptx_version,
                           .binary_version = p.cc_major * 10 + p.cc_minor,
                           .max_dynamic_shared = static_cast<int>(room)};
}

std::optional<int> ChildGrids::resident_blocks(uint64_t code, int block_threads, uint64_t dynamic_shared) const {
  const std::optional<KernelId> id = find_(code);
  return id ? std::optional<int>(device_.occupancy(*id, block_threads, dynamic_shared).blocks_per_multiprocessor)
            : std::nullopt;
}

// The attributes that kernels size their children by (cudaDeviceAttr, driver_types.h).
std::optional<int> ChildGrids::attribute(int which) const {
  const Properties& p = device_.properties();
  switch (which) {
    case 1: return p.max_threads_per_block;
    case 2:
    case 3: return 1024;  // threads of a block in x and y
    case 4: return 64;
    case 5: return 0x7fffffff;  // blocks of a grid in x
    case 6:
    case 7: return 65535;
    case 8: return static_cast<int>(p.shared_per_block);
    case 10: return p.warp_size;
    case 12: return p.registers_per_block;
    case 13: return p.core_clock_khz;
    case 16: return p.multiprocessors;
    case 39: return p.max_threads_per_multiprocessor;
    case 75: return p.cc_major;
    case 76: return p.cc_minor;
    case 81: return static_cast<int>(p.shared_per_multiprocessor);
    case 82: return p.registers_per_multiprocessor;
    case 97: return static_cast<int>(p.shared_per_block_optin);
    default: return std::nullopt;
  }
}

std::optional<uint64_t> ChildGrids::limit(int which) const {
  switch (which) {
    case 0: return device_.limit(Limit::stack_bytes);
    case 1: return device_.limit(Limit::printf_bytes);
    case 2: return device_.limit(Limit::malloc_heap_bytes);
    case 4: return device_.limit(Limit::pending_launches);
    case 5: return device_.limit(Limit::fetch_granularity);
    case 6: return device_.limit(Limit::persisting_l2_bytes);
    default: return std::nullopt;
  }
}

}  // namespace hpml::sim::device
