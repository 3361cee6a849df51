// Calls of the CUDA device runtime: arguments in, results out; exec::DeviceCalls does the work.
#include "simulator/exec/device_calls.hpp"

#include <bit>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {
namespace {

// cudaError_t (driver_types.h)
constexpr uint64_t kSuccess = 0, kInvalidValue = 1, kMemoryAllocation = 2, kInvalidDeviceFunction = 98,
                   kUnsupportedLimit = 215, kNotSupported = 801;

// The rows of a box, one after the other, until one fails. `row(uint64_t y) -> int`
template <class Row>
uint64_t each_row(uint64_t rows, Row row) {
  int error = 0;
  for (uint64_t y = 0; y < rows && error == 0; ++y) {
    error = row(y);
  }
  return static_cast<uint64_t>(error);
}

constexpr int kRuntimeVersion = 13000;  // of the runtime that programs with such calls are built for

}  // namespace

std::array<uint32_t, 3> WarpDeviceRuntime::read_dim3(const ir::CallSite& site, size_t index, int lane) {
  std::array<uint32_t, 3> out{};
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  std::memcpy(out.data(), local_memory(lane) + frame->local_base + site.args[index].caller_offset, sizeof out);
  return out;
}

// *argument = value; a null pointer or one out of bounds is the caller's mistake.
uint64_t WarpDeviceRuntime::give(const ir::CallSite& site, size_t argument, int lane, uint64_t value, uint64_t bytes) {
  const uint64_t address = read_arg(site, argument, lane);
  std::byte* place = data_at(address, lane, bytes);
  if (place == nullptr) {
    return kInvalidValue;
  }
  std::memcpy(place, &value, bytes);
  note_written(address, bytes);
  return kSuccess;
}

uint64_t WarpDeviceRuntime::device_malloc_call(const ir::CallSite& site, int lane) {
  const Services& services = grid_->services_;
  const uint64_t address = services.device_malloc ? services.device_malloc(read_arg(site, 1, lane)) : 0;
  return address == 0 ? kMemoryAllocation : give(site, 0, lane, address, sizeof address);
}

// As far as CUDA 11's cudaFuncAttributes goes; CUDA 12's is longer.
uint64_t WarpDeviceRuntime::function_attributes(const ir::CallSite& site, int lane) {
  struct {
    uint64_t shared_bytes, const_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, carveout;
  } out{};
  const std::optional<KernelFacts> facts = grid_->services_.calls->kernel(read_arg(site, 1, lane));
  if (!facts) {
    return kInvalidDeviceFunction;
  }
  out = {facts->shared_bytes,       facts->const_bytes,
         facts->local_bytes,        facts->max_threads,
         facts->registers,          facts->ptx_version,
         facts->binary_version,     0,
         facts->max_dynamic_shared, -1};
  const uint64_t address = read_arg(site, 0, lane);
  std::byte* place = data_at(address, lane, sizeof out);
  if (place == nullptr) {
    return kInvalidValue;
  }
  std::memcpy(place, &out, sizeof out);
  note_written(address, sizeof out);
  return kSuccess;
}

uint64_t WarpDeviceRuntime::resident_blocks(const ir::CallSite& site, int lane) {
  const auto blocks = grid_->services_.calls->resident_blocks(
      read_arg(site, 1, lane), static_cast<int>(read_arg(site, 2, lane)), read_arg(site, 3, lane));
  return blocks ? give(site, 0, lane, static_cast<uint64_t>(*blocks), sizeof(int)) : kInvalidDeviceFunction;
}

// Copies (to, pitch, from, pitch, width, height) and fills (to, pitch, value, width, height) of boxes.
uint64_t WarpDeviceRuntime::device_box_call(const ir::CallSite& site, int lane) {
  DeviceCalls& calls = *grid_->services_.calls;
  const auto arg = [&](size_t i) { return read_arg(site, i, lane); };
  if (site.builtin == ir::Builtin::memcpy_2d_async) {
    return each_row(arg(5), [&](uint64_t y) { return calls.copy(arg(0) + y * arg(1), arg(2) + y * arg(3), arg(4)); });
  }
  const auto value = static_cast<uint8_t>(arg(2));
  return each_row(arg(4), [&](uint64_t y) { return calls.fill(arg(0) + y * arg(1), value, arg(3)); });
}

uint64_t WarpDeviceRuntime::device_call(const ir::CallSite& site, int lane) {
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
    case ir::Builtin::memcpy_2d_async:
    case ir::Builtin::memset_2d_async: return device_box_call(site, lane);
    case ir::Builtin::function_attributes: return function_attributes(site, lane);
    case ir::Builtin::resident_blocks: return resident_blocks(site, lane);
    case ir::Builtin::get_last_error: return static_cast<uint64_t>(calls.last_error(true));
    case ir::Builtin::peek_last_error: return static_cast<uint64_t>(calls.last_error(false));
    case ir::Builtin::get_device: return give(site, 0, lane, static_cast<uint64_t>(calls.device()), sizeof(int));
    case ir::Builtin::get_device_count: return give(site, 0, lane, 1, sizeof(int));
    case ir::Builtin::runtime_version: return give(site, 0, lane, kRuntimeVersion, sizeof(int));
    case ir::Builtin::get_attribute: {
      const std::optional<int> value = calls.attribute(static_cast<int>(read_arg(site, 1, lane)));
      return value ? give(site, 0, lane, static_cast<uint64_t>(*value), sizeof(int)) : kNotSupported;
    }
    case ir::Builtin::get_limit: {
      const std::optional<uint64_t> value = calls.limit(static_cast<int>(read_arg(site, 1, lane)));
      return value ? give(site, 0, lane, *value, sizeof *value) : kUnsupportedLimit;
    }
    case ir::Builtin::no_preference: return give(site, 0, lane, 0, sizeof(int));
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

void WarpDeviceRuntime::device_calls(const ir::CallSite& site, LaneMask active) {
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
