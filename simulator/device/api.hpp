#pragma once
// The device as the CUDA runtime, cuDNN and the command line see it: load modules, launch grids, own memory, know
// what host operations cost. One object per simulated GPU. Not thread-safe: the caller holds one lock per device.
//
// A launch executes at once, in the caller's thread, in the order of the calls (a legal order of any CUDA program);
// when it happened in simulated time is the caller's timeline to decide from the durations returned here.
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/memory/address_space.hpp"
#include "simulator/memory/managed.hpp"
#include "simulator/metrics/document.hpp"
#include "simulator/sanitize/tools.hpp"

namespace hpml::sim::sanitize {
class Sanitizer;
}
namespace hpml::sim::debug {
class Debugger;
}

namespace hpml::sim::device {

using Picoseconds = int64_t;  // all simulated time; 0 = start of the program

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

inline std::array<uint32_t, 3> extents(const Dim3& d) { return {d.x, d.y, d.z}; }

enum class Mode : uint8_t { automatic, cycle, functional };

struct Options {
  std::string gpu = "t4";  // name of a file in gpus/, or a path to a .toml
  std::string gpu_dir;     // where gpus/*.toml lie
  Mode mode = Mode::automatic;
  int index = 0;                       // which GPU of the process
  int threads = 1;                     // host threads for the timing model; results do not depend on it
  uint64_t max_warp_instructions = 0;  // per launch; 0 = no limit
  double max_seconds = 0;              // wall time per launch; 0 = no limit
  bool strict =
      true;  // a kernel's access outside of every allocation ends the launch, also where hardware lets it pass
  bool strict_arch = false;  // refuse PTX whose .target is above the model's compute capability
  // A key that chooses products of bytes by matrix instructions, which count twice: a result then shows by its value
  // which of its products such an instruction has made (exec/detail/chosen_products.hpp).
  std::optional<uint64_t> chosen_products = {};
  sanitize::Tools check = {};           // check tools that watch every launch
  debug::Debugger* debugger = nullptr;  // stops launches to look into them; mode is functional then
};

// What cudaGetDeviceProperties and cudaDeviceGetAttribute tell, straight from the GPU file.
struct Rates {
  double fp16_gflops = 0, fp32_gflops = 0, fp64_gflops = 0;                       // scalar pipes
  double tensor_fp16_gflops = 0, tensor_tf32_gflops = 0, tensor_fp64_gflops = 0;  // 0: the chip has none
  double dram_gbs = 0, l2_gbs = 0;
};

struct Properties {
  std::string name;          // "Tesla T4 (simulated)"
  std::string chip;          // "TU104"
  std::string architecture;  // "Turing"
  int cc_major = 0, cc_minor = 0;
  int multiprocessors = 0;
  int warp_size = 32;
  int max_threads_per_block = 0, max_threads_per_multiprocessor = 0, max_blocks_per_multiprocessor = 0;
  int registers_per_block = 0, registers_per_multiprocessor = 0;
  uint64_t shared_per_block = 0, shared_per_block_optin = 0, shared_per_multiprocessor = 0,
           reserved_shared_per_block = 0;
  uint64_t total_memory = 0, l2_bytes = 0, const_bytes = 65536;
  int core_clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
  int copy_engines = 2;
  int max_cluster_blocks = 0, portable_cluster_blocks = 0;  // 0: no thread block clusters
  bool concurrent_managed_access = false, pageable_memory_access = false;
  Rates rates;
};

struct KernelParam {
  uint32_t offset = 0, size = 0, align = 0;  // bytes, in the parameter block
};

struct KernelInfo {
  std::string name;                  // as in PTX (mangled)
  int registers = 0;                 // per thread
  bool registers_estimated = false;  // no cubin: our own estimate, which refuses no launch
  uint32_t static_shared = 0, local_bytes = 0, const_bytes = 0;
  int max_threads_per_block = 0;     // after .maxntid/.reqntid and registers that are known
  std::optional<Dim3> cluster = {};  // that the code requires (.reqnctapercluster)
  int ptx_version = 0;               // 90 = PTX target sm_90
  std::vector<KernelParam> params;
  uint32_t param_bytes = 0;
  bool asks_host = false;  // it has a load that sees what the host writes while the kernel runs
};

// Register and shared-memory facts read from an embedded cubin for one kernel.
struct CubinKernel {
  std::string name;
  int sm = 0;
  int registers = 0;
  uint32_t static_shared = 0;
};

struct ModulePart {
  std::string ptx;                            // text
  std::string name;                           // for diagnostics: "<fat binary 1 of ./prog>"
  std::map<std::string, void*> shadows = {};  // variables of the host program; clang keeps managed ones there
};

struct SymbolInfo {
  uint64_t address = 0, size = 0;
};

using ModuleId = int;
using KernelId = int;

enum class TrapKind : uint8_t {
  illegal_address,        // 700
  misaligned_address,     // 716
  invalid_address_space,  // 717
  shared_out_of_bounds,   // 719
  local_out_of_bounds,    // 719
  stack_overflow,         // 719
  trap_instruction,       // 719
  assertion,              // 710
  illegal_instruction,    // 715: unsupported or unknown PTX was reached; message names it
  invalid_pc,             // 718: bad indirect call or branch
  timeout,                // 702: instruction or wall-time limit
  deadlock                // 702: barrier or warp-synchronous wait that can never complete
};

struct Trap {
  TrapKind kind{};
  std::string message;  // one line: kernel, source line if known, block, thread, address, nearest allocation
};

struct LaunchRequest {
  KernelId kernel = -1;
  Dim3 grid, block;
  std::optional<Dim3> cluster = {};   // blocks of a cluster, where the caller says so; else as the kernel's code does
  bool non_portable_cluster = false;  // more blocks than every GPU with clusters has, where this one can
  uint32_t dynamic_shared = 0;
  std::span<const std::byte> params;  // laid out as KernelInfo::params
  bool cooperative = false;
  Picoseconds start = 0;  // simulated start, for %globaltimer and records
};

struct LaunchResult {
  std::optional<Trap> trap;
  Picoseconds duration = 0;  // of the kernel on the device, launch overhead not included
  double share = 1;          // of the device that it keeps busy meanwhile: kernels of a sum of 1 fit side by side
  std::string
      stray_access;    // not Options::strict: an access that a GPU lets pass though it is out of bounds; empty: none
  std::string output;  // device printf: in order, to be shown at the next synchronisation
  std::string assertions;                                   // what failed ones say, for stderr; behind all output
  metrics::Kernel record;                                   // this launch's entry of metrics.json "kernels"
  std::vector<std::pair<uint64_t, uint32_t>> conditionals;  // handles of conditional nodes, and what it set them to
};

enum class Math : uint8_t { fp16, fp32, fp64, tensor_fp16, tensor_tf32, tensor_fp64 };

// A kernel of a library (cuDNN, cuBLAS). Its code is not executed here: the library computes the result itself and says
// what a kernel of that algorithm does; the time follows from the rates of the chip.
struct LibraryKernel {
  std::string name;
  Dim3 grid, block;
  uint32_t shared_bytes = 0;
  int registers = 0;
  Math math = Math::fp32;
  double flops = 0;                                // executed, padding of tiles included
  double efficiency = 1;                           // of the arithmetic rate, on multiprocessors that have blocks
  uint64_t dram_read = 0, dram_write = 0, l2 = 0;  // bytes
  double share = 1;                                // of the multiprocessors, as LaunchResult::share
  double at_least_ns = 0;                          // what it waits for besides: other GPUs
};

// What a library computes, as data, so that another process can do it again (simulator/replay).
struct LibraryOperation {
  std::string name;       // the function's
  std::string arguments;  // numbers, and addresses of device memory, as the library reads them
  uint32_t part = 0;      // which of its kernels; the last one writes the result
};

enum class LaunchError : uint8_t {
  none,
  invalid_configuration,
  invalid_value,
  out_of_resources,
  cooperative_too_large,
  no_clusters,  // the GPU has none
  invalid_cluster_size
};

// Sizes that cudaDeviceSetLimit changes and kernels feel.
enum class Limit : uint8_t {
  stack_bytes,
  malloc_heap_bytes,
  // Kept for kernels that ask; nothing follows from them.
  printf_bytes,
  pending_launches,
  fetch_granularity,
  persisting_l2_bytes
};
inline constexpr size_t kLimitCount = static_cast<size_t>(Limit::persisting_l2_bytes) + 1;

enum class CopyKind : uint8_t { host_to_host, host_to_device, device_to_host, device_to_device };

enum class ApiCost : uint8_t {
  context_create,
  malloc_device,
  malloc_managed,
  malloc_host,
  free_device,
  free_managed,
  free_host,
  launch,
  launch_to_start,
  synchronize,
  event_record,
  memcpy_call,
  memset_call,
  stream_create,
  query
};

// A copy, or a fill, that the caller carries out itself, told so that a recording can hold it.
struct CopySide {
  uint64_t address = 0, pitch = 0, slice = 0;
  const std::byte* data = nullptr;  // where its bytes are in this process
  bool simulated = false;           // memory of a device; else only the host knows it
};
struct HostCopy {
  CopyKind kind{};
  CopySide dst, src;
  uint64_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
};
struct HostFill {
  CopySide dst;
  uint32_t value = 0, element = 1;
  uint64_t width = 0, height = 1, depth = 1;  // elements, rows, slices
};

struct Occupancy {
  int blocks_per_multiprocessor = 0;
};

class Device {
 public:
  static Result<std::unique_ptr<Device>> create(const Options& options);
  virtual ~Device() = default;

  virtual const Properties& properties() const = 0;
  virtual memory::AddressSpace& memory() = 0;

  // Parses, resolves and links the parts (several for -rdc) into one module and allocates its variables.
  // Error: PTX diagnostics with file:line:col. Instructions we lack are no error until a kernel with them is launched.
  virtual Result<ModuleId> load_module(const std::vector<ModulePart>& parts,
                                       const std::vector<CubinKernel>& cubins) = 0;
  virtual void unload_module(ModuleId module) = 0;
  // Decodes every kernel at once, as the driver compiles a module that a program loads. Error: the first kernel's that
  // cannot run at all; instructions we lack are still none.
  virtual Result<void> verify_module(ModuleId /*module*/) { return Ok{}; }
  virtual std::vector<std::string> kernel_names(ModuleId module) const = 0;
  virtual std::optional<KernelId> find_kernel(ModuleId module, const std::string& name) const = 0;
  virtual const KernelInfo& kernel(KernelId kernel) const = 0;
  virtual std::optional<SymbolInfo> find_symbol(ModuleId module, const std::string& name) const = 0;

  // Largest dynamic shared memory the kernel may use (cudaFuncAttributeMaxDynamicSharedMemorySize). False: over the
  // limit.
  virtual bool set_max_dynamic_shared(KernelId kernel, uint32_t bytes) = 0;
  virtual Occupancy occupancy(KernelId kernel, int block_threads, uint64_t dynamic_shared) const = 0;
  // Clusters of the launch that are resident at once; its grid does not matter.
  virtual uint64_t active_clusters(const LaunchRequest& request) const = 0;
  virtual LaunchError check_launch(const LaunchRequest& request) const = 0;
  // One line that says what of the launch is too much, how much is allowed, and how to mend it. Empty: nothing is.
  virtual std::string explain(const LaunchRequest& request) const = 0;
  // False: not possible (now).
  virtual bool set_limit(Limit limit, uint64_t bytes) = 0;
  virtual uint64_t limit(Limit limit) const = 0;
  // Precondition: check_launch(request) == none. Traps are part of the result.
  virtual LaunchResult launch(const LaunchRequest& request) = 0;

  virtual Picoseconds library_time(const LibraryKernel& kernel) const = 0;
  virtual LaunchResult library_launch(const LibraryKernel& kernel, Picoseconds start) = 0;

  virtual Picoseconds copy_time(CopyKind kind, bool pinned, uint64_t bytes) const = 0;
  virtual Picoseconds memset_time(uint64_t bytes) const = 0;
  virtual Picoseconds api_cost(ApiCost what, uint64_t bytes) const = 0;

  // The host wrote these bytes of device memory (copy, memset): they are in the L2 of the model now.
  virtual void memory_written(uint64_t /*address*/, uint64_t /*bytes*/) {}

  virtual void before_copy(const HostCopy& /*copy*/) {}
  virtual void after_copy(const HostCopy& /*copy*/) {}
  virtual void before_fill(const HostFill& /*fill*/) {}
  virtual void after_fill(const HostFill& /*fill*/) {}
  // Around a kernel of a library, whose result the library writes itself.
  virtual void before_library(const LibraryOperation& /*operation*/, Picoseconds /*start*/) {}
  virtual void after_library() {}
  // Called when the program has touched a managed page that was on the GPU: in a signal handler.
  virtual void on_host_fault(std::function<void(uint64_t address, bool is_write)> /*listener*/) {}

  // Unified memory. Host accesses to managed pages are noticed by page protection while the program runs.
  virtual Picoseconds prefetch(uint64_t address, uint64_t bytes, bool to_device) = 0;
  virtual void managed_allocated(uint64_t address, uint64_t bytes) = 0;
  virtual void managed_freed(uint64_t address) = 0;
  virtual void advise(uint64_t address, uint64_t bytes, memory::Advice advice, bool set) = 0;
  // Simulated time that host page faults cost since the last call; the caller adds it to the host clock.
  virtual Picoseconds take_host_fault_time() = 0;
  virtual metrics::Values unified_memory_record() const = 0;  // metrics.json "unified_memory"

  // The check tools that are on; null: none.
  virtual sanitize::Sanitizer* sanitizer() { return nullptr; }

  // Executed so far, for the simulator block of metrics.json.
  virtual uint64_t warp_instructions() const = 0;
};

}  // namespace hpml::sim::device
