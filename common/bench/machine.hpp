#pragma once
// What a measurement must say of the machine it was made on.
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

namespace hpml::bench {

// root: where proc/ and sys/ lie; a test brings its own. What cannot be read is "unknown", never guessed.
nlohmann::json describe_machine(const std::filesystem::path& root = "/");

// Flags of the first processor in proc/cpuinfo ("flags" on x86, "Features" on Arm).
std::set<std::string> processor_flags(const std::filesystem::path& root = "/");

// The largest cache that a processor of this machine sees, in bytes; 0 when unknown. In a virtual machine it may be the
// host's, shared with others: a size beyond it is still checked against the measured ladder.
int64_t last_level_cache_bytes(const std::filesystem::path& root = "/");

// Clock ticks of all processors since start-up, and those that the hypervisor gave to others.
struct ProcessorTicks {
  int64_t all = 0, stolen = 0;
};
ProcessorTicks processor_ticks(const std::filesystem::path& root = "/");

// Processors that this process may use: affinity, and the quota of its control group where there is one.
double usable_processors(const std::filesystem::path& root = "/");

}  // namespace hpml::bench
