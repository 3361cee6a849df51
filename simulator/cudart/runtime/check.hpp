#pragma once
// What the runtime tells the check tools of its devices (simulator/sanitize), and what it says of their findings.
// Without checks every function here returns at once.
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulator/cudart/runtime/runtime.hpp"
#include "simulator/cudart/runtime/work.hpp"

namespace hpml::sim::cudart {

void check_allocated(const Runtime& runtime, Context& context, const ApiRecord& call, uint64_t address);
// Rows of `width` bytes, `pitch` apart, of which the host has written or is about to read those in device memory.
struct Rows {
  uint64_t address = 0, pitch = 0, width = 0, height = 1;
  uint64_t slice = 0, depth = 1;  // from one layer of rows to the next, and how many there are
  static Rows of(const CopySide& side, const CopyWork& copy) {
    return {reinterpret_cast<uint64_t>(side.pointer), side.pitch, copy.width, copy.height, side.slice, copy.depth};
  }
  static Rows of(const FillWork& fill) {
    return {reinterpret_cast<uint64_t>(fill.dst),
            fill.pitch,
            fill.width * fill.element,
            fill.height,
            fill.slice,
            fill.depth};
  }
};
void check_host_writes(Runtime& runtime, const Rows& rows);
void check_host_reads(Runtime& runtime, const ApiRecord& call, const Rows& rows);
// A release refused because no allocation of its kind begins at the address.
void check_free_failed(Runtime& runtime, ApiRecord& call, const void* pointer);
// A call that returned an error of which nothing has been said yet.
void check_api_error(Runtime& runtime, const ApiRecord& call);
// The context's allocations are about to vanish with it.
void check_leaks(Context& context);
// Prints what was found since the last time.
void say_findings(Context& context);

// All devices: errors found, {"schema": "gpusim/check/v1", ...}, and "3 errors, 1 warning".
uint64_t check_errors(Runtime& runtime);
nlohmann::ordered_json check_json(Runtime& runtime);
std::string check_summary(Runtime& runtime);

}  // namespace hpml::sim::cudart
