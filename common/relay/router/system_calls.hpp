#pragma once
#include <cstdint>
#include <string>

namespace hpml::relay {

// What a rank did that is not allowed, in words: a system call of this machine by its number, or kClockRead.
std::string describe_system_call(std::uint32_t number);

}  // namespace hpml::relay
