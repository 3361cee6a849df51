#pragma once
// What a run leaves behind, metrics.json, as data: gpusim run, gpusim replay and gpusim launch fill in a Document, and
// to_text() alone knows what the file looks like. Its form is gpusim.metrics.v1.json, its counters are counters.tsv.
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hpml::sim::memory {
class AddressSpace;
}

namespace hpml::sim::metrics {

// Of a counter: whole numbers of any width, real numbers, yes or no; or nothing, and then the document leaves it out.
class Value {
 public:
  using Number = std::variant<std::monostate, bool, uint64_t, double>;
  Value() = default;
  Value(bool value) : number_(value) {}
  Value(double value) : number_(value) {}
  template <std::integral T>
  Value(T value) : number_(static_cast<uint64_t>(value)) {}
  template <class T>
  Value(const std::optional<T>& value) : Value(value ? Value(*value) : Value()) {}

  bool known() const { return !std::holds_alternative<std::monostate>(number_); }
  double as_double() const;  // 0 when it is not known
  const Number& number() const { return number_; }
  bool operator==(const Value&) const = default;

 private:
  Number number_;
};

struct Named {
  std::string_view name;  // static storage
  Value value;
  bool operator==(const Named&) const = default;
};
using Values = std::vector<Named>;

// Not known where no entry has the name.
Value value_of(const Values& values, std::string_view name);

// One request for shared memory whose lanes meet in a bank.
struct BankConflict {
  uint32_t bytes = 0;  // of each lane's access
  std::vector<std::optional<uint32_t>>
      words;  // by lane: the 4-byte word at which it begins; none: the lane is inactive
  bool operator==(const BankConflict&) const = default;
};

// What the instructions of one source line asked of one memory.
struct LineAccess {
  std::string file;  // without its folder
  int line = 0;
  std::string_view space, op;  // "global", "shared", "local"; "ld", "st", "atom"
  uint64_t requests = 0;
  uint64_t parts = 0, ideal_parts = 0;  // sectors of 32 bytes; shared: passes through the banks
  std::optional<int64_t> lane_stride;   // bytes between neighbouring threads, where it is always the same
  std::optional<BankConflict> conflict;
  bool operator==(const LineAccess&) const = default;
};

// Work in operations, traffic in bytes, rates in GFLOP/s and GB/s (simulator/device/roofline.hpp).
struct Roofline {
  Values flops, bytes, arithmetic_intensity, ceilings, achieved;
  bool operator==(const Roofline&) const = default;
};

// One launch.
struct Kernel {
  std::string name, demangled;
  bool library = false;  // of a library (cuDNN, cuBLAS, ...): modelled from its work, no code was executed
  std::array<uint32_t, 3> grid{}, block{};
  uint64_t shared_bytes = 0;
  int registers = 0;
  bool registers_estimated = false;
  double start_us = 0, duration_us = 0;
  int64_t cycles = 0;
  bool sampled = false, estimated = false;
  double sampled_fraction = 1;
  uint64_t warp_instructions = 0, thread_instructions = 0;
  Values metrics;  // names of counters.tsv
  std::vector<LineAccess> lines;
  Values stalls;  // warp-cycles per reason
  Roofline roofline;
  uint64_t stream = 0;
  int device = 0;
  bool operator==(const Kernel&) const = default;

  Value metric(std::string_view counter) const { return value_of(metrics, counter); }
};

// A copy, a fill or a prefetch. A replay does not know when it was, nor in which stream.
struct Copy {
  std::string_view kind;  // "HtoD", "DtoH", "DtoD", "HtoH", "memset", "prefetch"
  uint64_t bytes = 0;
  std::optional<double> start_us = {};
  double duration_us = 0;
  std::optional<uint64_t> stream = {};
  std::optional<int> device = {};
  std::optional<bool> pinned = {};
};

struct ApiCall {
  std::string name;
  double start_us = 0, duration_us = 0;
  std::string result;       // "cudaSuccess", "cudaErrorInvalidValue", ..., or a library's own word
  int64_t bytes = -1;       // -1: does not apply
  std::string detail = {};  // kernel of a launch, direction of a copy
};

// Allocated by the program and never freed.
struct Leak {
  std::string_view kind;
  uint64_t bytes = 0, allocation = 0;  // which allocation of the device, counted from 1
  int device = 0;
};

struct End {
  int status = 0;  // of exit()
  int signal = 0;  // when a signal ended it, else 0
};

// The only part that is not the same on every run and machine.
struct Simulator {
  double wall_s = 0, warp_instr_per_s = 0;
  uint64_t peak_rss_bytes = 0;
};

struct Document {
  std::string gpu, mode;  // names of GPUs, one per device, with commas between
  std::vector<Kernel> kernels;
  std::vector<Copy> memcpy, memset, prefetch;
  Values unified_memory;  // empty: no device was used
  std::vector<ApiCall> api;
  uint64_t api_calls = 0, api_errors = 0;  // of all calls; `api` may hold the first ones only
  std::vector<std::string> faults;         // one line per kernel that was ended by a fault
  std::vector<Leak> leaks;
  std::string check;             // report of the check tools as JSON text (simulator/sanitize); empty: none were on
  std::optional<double> end_us;  // a replay does not know it
  End end;
  std::optional<Simulator> simulator;
};

// JSON, one blank per level, with a newline at the end. Bytes that are no UTF-8 become U+FFFD.
std::string to_text(const Document& document);
std::string to_text(const Kernel& kernel);
std::string to_text(const Values& values);

// What of the memory of this device is the program's to free and is still there; variables have a label.
void add_leaks(const memory::AddressSpace& memory, int device, std::vector<Leak>& leaks);

constexpr double microseconds(int64_t picoseconds) { return static_cast<double>(picoseconds) / 1e6; }

}  // namespace hpml::sim::metrics
