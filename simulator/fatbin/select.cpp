#include "simulator/fatbin/select.hpp"

#include <fmt/format.h>

#include <tuple>

namespace hpml::sim::fatbin {
namespace {

uint32_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

// True when `a` is the better PTX: at or below the device before above it, then the nearest.
bool better_ptx(uint32_t a, uint32_t b, uint32_t device) {
  return std::tuple(a > device, distance(a, device)) < std::tuple(b > device, distance(b, device));
}

bool better_cubin(uint32_t a, uint32_t b, uint32_t device) {
  return std::tuple(a / 10 != device / 10, distance(a, device)) <
         std::tuple(b / 10 != device / 10, distance(b, device));
}

}  // namespace

Result<PtxChoice> choose_ptx(const std::vector<Entry>& entries, uint32_t device_sm, bool strict,
                             const std::string& name) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.is_ptx() && (best == nullptr || better_ptx(entry.sm, best->sm, device_sm))) {
      best = &entry;
    }
  }
  if (best == nullptr) {
    return error_in(name,
                    "compiled without PTX; use -arch=sm_XX or add code=compute_XX (without changing its Makefile: "
                    "NVCC_APPEND_FLAGS='-gencode arch=compute_XX,code=compute_XX' make)");
  }
  if (strict && best->sm > device_sm) {
    return error_in(name, fmt::format("its oldest PTX is for sm_{}, the device is sm_{}; build with -arch=sm_{}",
                                      best->sm, device_sm, device_sm));
  }
  return PtxChoice{best, best->sm > device_sm};
}

const Entry* choose_cubin(const std::vector<Entry>& entries, uint32_t device_sm) {
  const Entry* best = nullptr;
  for (const Entry& entry : entries) {
    if (entry.is_elf() && (best == nullptr || better_cubin(entry.sm, best->sm, device_sm))) {
      best = &entry;
    }
  }
  return best;
}

}  // namespace hpml::sim::fatbin
