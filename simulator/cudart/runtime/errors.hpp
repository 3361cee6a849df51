#pragma once
// cudaError_t: the codes that this runtime returns by name here, all codes with their texts in errors.cpp.
#include <optional>
#include <string_view>

#include "simulator/device/api.hpp"

namespace hpml::sim::cudart {

enum class Error : int {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  initialization_error = 3,
  invalid_configuration = 9,
  invalid_pitch_value = 12,
  invalid_symbol = 13,
  invalid_device_pointer = 17,
  invalid_channel_descriptor = 20,
  invalid_memcpy_direction = 21,
  invalid_filter_setting = 26,
  missing_configuration = 52,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_kernel_image = 200,
  device_uninitialized = 201,
  map_failed = 205,
  no_kernel_image_for_device = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  file_not_found = 301,
  shared_object_init_failed = 303,
  operating_system = 304,
  invalid_resource_handle = 400,
  illegal_state = 401,
  symbol_not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  device_assert = 710,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_pc = 718,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  stream_capture_unsupported = 900,
  stream_capture_invalidated = 901,
  stream_capture_merge = 902,
  stream_capture_unmatched = 903,
  stream_capture_unjoined = 904,
  stream_capture_isolation = 905,
  stream_capture_implicit = 906,
  captured_event = 907,
  stream_capture_wrong_thread = 908,
  graph_exec_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

struct ErrorText {
  int code;
  const char* name;  // "cudaErrorInvalidValue"
  const char* text;  // "invalid argument"
};

// Null for a code CUDA does not have.
const ErrorText* error_text(int code);
// As cudaGetErrorName and cudaGetErrorString: "unrecognized error code" for a code CUDA does not have.
const char* error_name(int code);
const char* error_string(int code);

Error error_of(device::TrapKind kind);
Error error_of(device::LaunchError error);

}  // namespace hpml::sim::cudart
