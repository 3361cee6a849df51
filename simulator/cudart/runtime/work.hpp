#pragma once
// One piece of work as the program asked for it: a stream executes it at once, a graph keeps it for its launches.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "simulator/cudart/runtime/array.hpp"
#include "simulator/cudart/runtime/kept_attributes.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cudart {

struct Event;
class Graph;
class GraphMemory;

struct KernelWork {
  const void* function = nullptr;  // as the program named it: the stub's address, or a handle
  device::KernelId kernel = -1;
  device::Dim3 grid, block;
  std::optional<device::Dim3> cluster = {};  // where the launch, or an attribute of the function, says it
  bool non_portable_cluster = false;
  uint32_t dynamic_shared = 0;
  bool cooperative = false;
  std::vector<std::byte> params;  // laid out as the kernel's PTX declares them
  KeptAttributes kept = {};
};

struct PitchedPointer {  // cudaPitchedPtr
  void* pointer = nullptr;
  uint64_t pitch = 0, width = 0, height = 0;
};

struct Position {  // cudaPos
  uint64_t x = 0, y = 0, z = 0;
};

struct Copy3D {  // cudaMemcpy3DParms, the same in all majors
  const Array* src_array = nullptr;
  Position src_position;
  PitchedPointer src;
  const Array* dst_array = nullptr;
  Position dst_position;
  PitchedPointer dst;
  Extent extent;
  int kind = 4;
};
static_assert(sizeof(Copy3D) == 160);

// One side of a copy: rows of bytes, `pitch` apart, in slices `slice` apart.
struct CopySide {
  void* pointer = nullptr;
  uint64_t pitch = 0, slice = 0;
  bool array = false;
};

struct CopyWork {
  CopySide dst, src;
  uint64_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
  int kind = 4;                               // cudaMemcpyKind
  Copy3D asked = {};                          // for a graph node's questions; empty: the copy was not asked for so
  uint64_t bytes() const { return width * height * depth; }
};

struct FillWork {
  void* dst = nullptr;
  uint64_t pitch = 0, slice = 0;  // bytes; slice: from one layer of a three-dimensional fill to the next
  uint32_t value = 0;
  uint32_t element = 1;                       // bytes: 1, 2 or 4
  uint64_t width = 0, height = 1, depth = 1;  // elements, rows, layers
  uint64_t bytes() const { return width * element * height * depth; }
};

struct HostWork {
  void (*function)(void*) = nullptr;
  void* data = nullptr;
};

struct Written {
  const void* address = nullptr;
  uint64_t bytes = 0;
};

// A kernel of a library: `body` writes the result through the device's memory. `output`, `more`: what it writes; null
// and 0 bytes where nothing is, or only what was there before is changed.
struct LibraryWork {
  device::LibraryKernel kernel;
  std::function<void()> body = {};
  void* output = nullptr;
  uint64_t output_bytes = 0;
  std::vector<Written> more = {};
  device::LibraryOperation operation = {};  // the same as data
};

struct EmptyWork {};
struct RecordWork {
  Event* event = nullptr;
};
struct WaitWork {
  Event* event = nullptr;
};
struct AllocWork {
  std::shared_ptr<GraphMemory> memory;
};
struct FreeWork {
  void* pointer = nullptr;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};

enum class ConditionalType : int { if_else = 0, loop = 1, choice = 2 };  // cudaGraphConditionalNodeType
// Which of its graphs runs, and how often, says a value that kernels set.
struct ConditionalWork {
  uint64_t handle = 0;
  ConditionalType type{};
  std::vector<std::shared_ptr<Graph>> bodies;
  std::shared_ptr<std::vector<Graph*>> shown;  // the bodies' handles, where the program looks for them
};

using Work = std::variant<KernelWork, CopyWork, FillWork, HostWork, ChildWork, EmptyWork, WaitWork, RecordWork,
                          AllocWork, FreeWork, LibraryWork, ConditionalWork>;

}  // namespace hpml::sim::cudart
