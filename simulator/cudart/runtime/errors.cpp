#include "simulator/cudart/runtime/errors.hpp"

#include <fmt/format.h>

#include "common/base/check.hpp"

namespace hpml::sim::cudart {

const char* error_name(int code) {
  const ErrorText* text = error_text(code);
  return text != nullptr ? text->name : "unrecognized error code";
}

const char* error_string(int code) {
  const ErrorText* text = error_text(code);
  return text != nullptr ? text->text : "unrecognized error code";
}

Error error_of(device::TrapKind kind) {
  switch (kind) {
    case device::TrapKind::illegal_address: return Error::illegal_address;
    case device::TrapKind::misaligned_address: return Error::misaligned_address;
    case device::TrapKind::invalid_address_space: return Error::invalid_address_space;
    case device::TrapKind::shared_out_of_bounds:
    case device::TrapKind::local_out_of_bounds:
    case device::TrapKind::stack_overflow:
    case device::TrapKind::trap_instruction: return Error::launch_failure;
    case device::TrapKind::assertion: return Error::device_assert;
    case device::TrapKind::illegal_instruction: return Error::illegal_instruction;
    case device::TrapKind::invalid_pc: return Error::invalid_pc;
    case device::TrapKind::timeout:
    case device::TrapKind::deadlock: return Error::launch_timeout;
  }
  HPML_CHECK(false, fmt::format("trap kind {} has no CUDA error", static_cast<int>(kind)));
}

Error error_of(device::LaunchError error) {
  switch (error) {
    case device::LaunchError::none: return Error::success;
    case device::LaunchError::invalid_configuration: return Error::invalid_configuration;
    case device::LaunchError::invalid_value: return Error::invalid_value;
    case device::LaunchError::out_of_resources: return Error::launch_out_of_resources;
    case device::LaunchError::no_clusters: return Error::not_supported;
    case device::LaunchError::invalid_cluster_size: return Error::invalid_cluster_size;
    case device::LaunchError::cooperative_too_large: return Error::cooperative_launch_too_large;
  }
  HPML_CHECK(false, fmt::format("launch error {} has no CUDA error", static_cast<int>(error)));
}

}  // namespace hpml::sim::cudart
