#pragma once

namespace hpml::relay {

// From now on, a system call that the rank's filter refuses, and an instruction that reads a clock, are told to the
// router before they end the rank. The handlers cannot be replaced afterwards.
void report_forbidden_calls();

}  // namespace hpml::relay
