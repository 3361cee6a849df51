#pragma once
// nvrtcResult.

namespace hpml::sim::nvrtc {

enum class Status : int {
  success = 0,
  out_of_memory = 1,
  program_creation_failure = 2,
  invalid_input = 3,
  invalid_program = 4,
  invalid_option = 5,
  compilation = 6,
  builtin_operation_failure = 7,
  no_name_expressions_after_compilation = 8,
  no_lowered_names_before_compilation = 9,
  name_expression_not_valid = 10,
  internal_error = 11,
  time_file_write_failed = 12
};

// "NVRTC_ERROR_COMPILATION"; for a code NVRTC does not have, what it says of such.
const char* status_name(int status);

}  // namespace hpml::sim::nvrtc
