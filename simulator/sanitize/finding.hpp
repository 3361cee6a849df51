#pragma once
// What a check found: plain data, from which text and JSON are made.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/sanitize/tools.hpp"

namespace hpml::sim::sanitize {

// The order is that of the list in README.md.
enum class Kind : uint8_t {
  invalid_global_read,
  invalid_global_write,
  invalid_global_atomic,
  invalid_shared_read,
  invalid_shared_write,
  invalid_shared_atomic,
  invalid_local_read,
  invalid_local_write,
  misaligned_read,
  misaligned_write,
  misaligned_atomic,
  use_after_free,
  double_free,
  invalid_free,
  leak,
  api_error,
  uninitialized_global_read,
  uninitialized_shared_read,
  uninitialized_copy,
  read_after_write,
  write_after_read,
  write_after_write,
  divergent_barrier_in_warp,
  divergent_barrier_in_block,
  barrier_thread_count,
  mask_without_caller,
  mask_lane_missing,
};
std::string_view name(Kind kind);
Tool tool_of(Kind kind);

enum class Severity : uint8_t { error, warning };

struct SourcePlace {
  std::string function;  // mangled
  std::string file;      // of .loc; empty: compiled without line information
  int line = 0;
  std::string ptx_file;
  int ptx_line = 0;
};

// One thread at one instruction.
struct ThreadPlace {
  std::array<uint32_t, 3> block = {}, thread = {};
  SourcePlace source;
  std::string does;  // "reads", "wrote"; how the text of a hazard calls it
};

struct AllocationPlace {
  uint64_t base = 0, size = 0;
  std::string kind;   // "device", "managed", "pinned host", "shared", ...
  std::string label;  // name of a variable
  uint32_t serial = 0;
  std::string origin;  // "cudaMalloc, API call 3"; empty: not known
  enum class Relation : uint8_t { inside, before, behind, crosses_end, freed } relation = Relation::inside;
  uint64_t distance = 0;  // bytes from the nearest edge for before and behind; from the base otherwise
};

struct Finding {
  Kind kind{};
  Severity severity = Severity::error;
  std::string message;               // one line: what is wrong
  std::string kernel;                // demangled; empty: found on the host
  std::vector<ThreadPlace> threads;  // the one that did it first; of a hazard both
  std::string space;                 // "global", "shared", "local"; empty: no access
  std::optional<uint64_t> address;
  uint64_t size = 0;
  std::optional<AllocationPlace> allocation;
  std::string api;     // host call, for findings on the host
  std::string hint;    // how to mend it, when there is more to say than the message does
  uint64_t count = 1;  // times the same kind was found at the same place
};

}  // namespace hpml::sim::sanitize
