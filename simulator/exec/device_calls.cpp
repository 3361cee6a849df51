// Calls of the CUDA device runtime: arguments in, results out; exec::DeviceCalls does the work.
#include "simulator/exec/device_calls.hpp"

#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {
namespace {

// cudaError_t (driver_types.h)
constexpr uint64_t kSuccess = 0, kInvalidValue = 1, kMemoryAllocation = 2, kNotSupported = 801;

constexpr int kRuntimeVersion = 13000;  // of the runtime that programs with such calls are built for

}  // namespace

std::array<uint32_t, 3> WarpImpl::read_dim3(const ir::CallSite& site, size_t index, int lane) {
  std::array<uint32_t, 3> out{};
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  std::memcpy(out.data(), local_memory(lane) + frame->local_base + site.args[index].caller_offset, sizeof out);
  return out;
}

// *argument = value; a null pointer or one out of bounds is the caller's mistake.
uint64_t WarpImpl::give(const ir::CallSite& site, size_t argument, int lane, uint64_t value, uint64_t bytes) {
  const uint64_t address = read_arg(site, argument, lane);
  std::byte* place = data_at(address, lane, bytes);
  if (place == nullptr) {
    return kInvalidValue;
  }
  std::memcpy(place, &value, bytes);
  note_written(address, bytes);
  return kSuccess;
}

uint64_t WarpImpl::device_malloc_call(const ir::CallSite& site, int lane) {
  const Services& services = grid_->services_;
  const uint64_t address = services.device_malloc ? services.device_malloc(read_arg(site, 1, lane)) : 0;
  return address == 0 ? kMemoryAllocation : give(site, 0, lane, address, sizeof address);
}

uint64_t WarpImpl::device_call(const ir::CallSite& site, int lane) {
  DeviceCalls& calls = *grid_->services_.calls;
  switch (site.builtin) {
    case ir::Builtin::get_parameter_buffer:
      return calls.parameter_buffer({.kernel = read_arg(site, 0, lane),
                                     .grid = read_dim3(site, 1, lane),
                                     .block = read_dim3(site, 2, lane),
                                     .dynamic_shared = static_cast<uint32_t>(read_arg(site, 3, lane))});
    case ir::Builtin::launch_device:
      return static_cast<uint64_t>(calls.launch(read_arg(site, 0, lane), read_arg(site, 1, lane)));
    case ir::Builtin::memcpy_async:
      return static_cast<uint64_t>(
          calls.copy(read_arg(site, 0, lane), read_arg(site, 1, lane), read_arg(site, 2, lane)));
    case ir::Builtin::memset_async:
      return static_cast<uint64_t>(
          calls.fill(read_arg(site, 0, lane), static_cast<uint8_t>(read_arg(site, 1, lane)), read_arg(site, 2, lane)));
    case ir::Builtin::get_last_error: return static_cast<uint64_t>(calls.last_error(true));
    case ir::Builtin::peek_last_error: return static_cast<uint64_t>(calls.last_error(false));
    case ir::Builtin::get_device: return give(site, 0, lane, static_cast<uint64_t>(calls.device()), sizeof(int));
    case ir::Builtin::get_device_count: return give(site, 0, lane, 1, sizeof(int));
    case ir::Builtin::runtime_version: return give(site, 0, lane, kRuntimeVersion, sizeof(int));
    case ir::Builtin::get_attribute: {
      const std::optional<int> value = calls.attribute(static_cast<int>(read_arg(site, 1, lane)));
      return value ? give(site, 0, lane, static_cast<uint64_t>(*value), sizeof(int)) : kNotSupported;
    }
    case ir::Builtin::create_handle: return give(site, 0, lane, calls.new_handle(), sizeof(uint64_t));
    case ir::Builtin::device_malloc: return device_malloc_call(site, lane);
    case ir::Builtin::device_free: {
      const uint64_t address = read_arg(site, 0, lane);
      const bool done = address == 0 || (grid_->services_.device_free && grid_->services_.device_free(address));
      return done ? kSuccess : kInvalidValue;
    }
    case ir::Builtin::set_conditional:
      calls.set_conditional(read_arg(site, 0, lane), static_cast<uint32_t>(read_arg(site, 1, lane)));
      return kSuccess;
    // Work executes in the order of the calls, so what orders streams has nothing to do.
    case ir::Builtin::order_streams:
    case ir::Builtin::none:
    case ir::Builtin::vprintf:
    case ir::Builtin::assertfail:
    case ir::Builtin::malloc:
    case ir::Builtin::free:
    case ir::Builtin::unsupported: break;
  }
  return kSuccess;
}

void WarpImpl::device_calls(const ir::CallSite& site, LaneMask active) {
  if (grid_->services_.calls == nullptr) {
    return fail(TrapKind::illegal_instruction, "not supported here: " + site.name, std::countr_zero(active));
  }
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t result = device_call(site, lane);
    if (!site.results.empty()) {
      std::memcpy(local_memory(lane) + frame->local_base + site.results[0].caller_offset, &result,
                  std::min<size_t>(site.results[0].bytes, sizeof result));
    }
  }
}

}  // namespace hpml::sim::exec
