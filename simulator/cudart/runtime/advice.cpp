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

}  // namespace

std::string stray_access_warning(const std::string& access) {
  return "warning: " + access +
         "; a GPU lets this pass, for its pages are larger than the allocation: --strict stops here, --check memcheck "
         "lists every such access";
}

std::vector<std::string> advice_at_end(Runtime& runtime) {
  std::vector<std::string> lines;
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
