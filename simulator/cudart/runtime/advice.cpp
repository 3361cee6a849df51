#include "simulator/cudart/runtime/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hpml::sim::cudart {
namespace {

// Kernels that end after the host does. Their results are lost, and so is what they printed.
std::string running_kernels(Runtime& runtime, int ordinal) {
  const Picoseconds now = runtime.clock.now();
  const auto running = std::ranges::count_if(runtime.log.kernels, [&](const KernelRecord& kernel) {
    return kernel.device == ordinal && kernel.span.end > now;
  });
  if (running == 0) {
    return "";
  }
  const auto& pending = runtime.started(ordinal)->output;
  const bool prints = std::ranges::any_of(pending, [](const PendingOutput& part) { return !part.text.empty(); });
  return fmt::format("the program ended while {} still running{}: call cudaDeviceSynchronize() before the end",
                     running == 1 ? "a kernel was" : fmt::format("{} kernels were", running),
                     prints ? " and what they printed was lost" : "");
}

constexpr uint64_t kNullPage = 4096;
constexpr uint64_t kHeapHeader = 16;  // free() and delete read this many bytes before what they are given

std::string crash_in_device_memory(const memory::AddressSpace& memory, uint64_t address) {
  const memory::Allocation* at = memory.own(address);
  const memory::Allocation* freed = at == nullptr ? memory.freed(address) : nullptr;
  const memory::Allocation* behind = at == nullptr ? memory.own(address + kHeapHeader) : nullptr;
  if (at == nullptr && behind == nullptr) {
    behind = memory.freed(address + kHeapHeader);
  }
  if (behind != nullptr && address + kHeapHeader >= behind->base) {
    return "host code accessed memory of the GPU, right before an allocation, as free() and delete do: a pointer from "
           "cudaMalloc "
           "is freed by cudaFree";
  }
  const std::string which =
      at != nullptr ? fmt::format(", {} bytes into the device allocation of {} bytes", address - at->base, at->size)
      : freed != nullptr ? fmt::format(", in an allocation of {} bytes that was freed", freed->size)
                         : "";
  return fmt::format(
      "host code accessed memory of the GPU{}: the host cannot use a pointer from cudaMalloc; copy with "
      "cudaMemcpy first, or allocate with cudaMallocManaged",
      which);
}

}  // namespace

std::string stray_access_warning(const std::string& access) {
  return "warning: " + access +
         "; a GPU lets this pass, for its pages are larger than the allocation: --strict stops here, --check memcheck "
         "lists every such access";
}

void note_early_access(Log& log, int ordinal, Picoseconds now) {
  if (!log.read_too_early.empty()) {
    return;
  }
  const auto running = std::ranges::find_if(log.kernels, [&](const KernelRecord& kernel) {
    return kernel.device == ordinal && kernel.span.start <= now && kernel.span.end > now;
  });
  if (running != log.kernels.end()) {
    log.read_too_early = running->launch.demangled;
  }
}

std::string advice_at_crash(Runtime& runtime, uint64_t address) {
  if (address < kNullPage) {
    return "host code used a null pointer, or one that was never set: allocate the memory first, and check the error";
  }
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    const uint64_t base = memory::kDeviceBase + memory::kGpuStride * static_cast<uint64_t>(ordinal);
    if (context != nullptr && address - base < memory::kRegionBytes) {
      return crash_in_device_memory(context->memory(), address);
    }
  }
  return "";
}

std::vector<std::string> advice_at_end(Runtime& runtime) {
  std::vector<std::string> lines;
  if (!runtime.log.read_too_early.empty()) {
    lines.push_back(
        fmt::format("host code accessed managed memory while kernel {} was still running: call "
                    "cudaDeviceSynchronize() between the launch and the access",
                    runtime.log.read_too_early));
  }
  if (runtime.log.unasked_launch_error != Error::success) {
    lines.push_back(
        fmt::format("a kernel launch failed with {} and the program never asked: call cudaGetLastError() "
                    "after each launch",
                    error_name(static_cast<int>(runtime.log.unasked_launch_error))));
  }
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context == nullptr || context->faulted()) {
      continue;
    }
    if (std::string line = running_kernels(runtime, ordinal); !line.empty()) {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

}  // namespace hpml::sim::cudart
