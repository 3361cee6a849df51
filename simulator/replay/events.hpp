#pragma once
// What a recording holds: everything that crosses the door of a device (device/api.hpp), in order. One struct per kind;
// `fields` names its members once, for writing and for reading.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "simulator/device/api.hpp"

namespace hpml::sim::replay {

// Rows of bytes, `pitch` apart, in slices `slice` apart.
struct Side {
  uint64_t address = 0, pitch = 0, slice = 0;
  template <class A>
  void fields(A& a) {
    a(address, pitch, slice);
  }
};

struct Shape {
  uint64_t width = 0, height = 1, depth = 1;  // bytes, rows, slices
  template <class A>
  void fields(A& a) {
    a(width, height, depth);
  }
};

struct DeviceMade {
  uint8_t device = 0;
  template <class A>
  void fields(A& a) {
    a(device);
  }
};

struct Allocated {
  uint8_t device = 0;
  uint8_t kind = 0;  // memory::Kind
  uint64_t address = 0, bytes = 0;
  template <class A>
  void fields(A& a) {
    a(device, kind, address, bytes);
  }
};

struct Freed {
  uint8_t device = 0;
  uint8_t kind = 0;
  uint64_t address = 0;
  template <class A>
  void fields(A& a) {
    a(device, kind, address);
  }
};

struct PeerEnabled {
  uint8_t device = 0, peer = 0, enabled = 0;
  template <class A>
  void fields(A& a) {
    a(device, peer, enabled);
  }
};

struct Shadow {  // a variable of the program in which clang keeps a managed one
  std::string name;
  uint64_t address = 0;
  template <class A>
  void fields(A& a) {
    a(name, address);
  }
};

struct Resources {  // of one kernel, from a cubin
  std::string name;
  uint32_t sm = 0, registers = 0, shared = 0;
  template <class A>
  void fields(A& a) {
    a(name, sm, registers, shared);
  }
};

struct ModuleLoaded {
  uint8_t device = 0;
  std::vector<std::string> ptx;  // of its parts
  std::vector<Shadow> shadows;
  std::vector<Resources> resources;
  template <class A>
  void fields(A& a) {
    a(device, ptx, shadows, resources);
  }
};

struct ModuleUnloaded {
  uint8_t device = 0;
  uint32_t module = 0;
  template <class A>
  void fields(A& a) {
    a(device, module);
  }
};

struct SharedRaised {  // cudaFuncAttributeMaxDynamicSharedMemorySize
  uint8_t device = 0;
  uint32_t module = 0;
  std::string kernel;
  uint32_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a(device, module, kernel, bytes);
  }
};

struct LimitSet {
  uint8_t device = 0, limit = 0;
  uint64_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a(device, limit, bytes);
  }
};

struct Launched {
  uint8_t device = 0;
  uint32_t module = 0;
  std::string kernel;
  device::Dim3 grid, block;
  uint32_t shared = 0;
  uint8_t cooperative = 0, non_portable_cluster = 0;
  device::Dim3 cluster = {.x = 0, .y = 0, .z = 0};  // 0: the launch does not say
  int64_t start = 0;                                // picoseconds: the program's word
  std::string params;
  template <class A>
  void fields(A& a) {
    a(device, module, kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, cooperative,
      non_portable_cluster, cluster.x, cluster.y, cluster.z, start, params);
  }
};

struct LibraryCalled {  // device::LibraryOperation
  uint8_t device = 0;
  std::string name, arguments;
  int64_t start = 0;  // picoseconds: the program's word
  template <class A>
  void fields(A& a) {
    a(device, name, arguments, start);
  }
};

struct Uploaded {  // from memory that only the host knows
  uint8_t device = 0, kind = 0;
  Side dst;
  Shape shape;
  std::string payload;  // the rows without their gaps
  template <class A>
  void fields(A& a) {
    a(device, kind, dst, shape, payload);
  }
};

struct Downloaded {  // to memory that only the host knows
  uint8_t device = 0, kind = 0;
  Side src;
  Shape shape;
  uint64_t digest = 0;  // of what the program got
  template <class A>
  void fields(A& a) {
    a(device, kind, src, shape, digest);
  }
};

struct Moved {  // both sides are memory of a device
  uint8_t device = 0, kind = 0;
  Side dst, src;
  Shape shape;
  template <class A>
  void fields(A& a) {
    a(device, kind, dst, src, shape);
  }
};

struct Filled {
  uint8_t device = 0;
  Side dst;
  Shape shape;  // width in elements
  uint32_t value = 0, element = 1;
  template <class A>
  void fields(A& a) {
    a(device, dst, shape, value, element);
  }
};

struct HostWrote {  // managed, pinned or registered memory, found changed when it mattered
  uint64_t address = 0;
  uint64_t zeros = 0;   // this many bytes of zero ...
  std::string payload;  // ... or these
  template <class A>
  void fields(A& a) {
    a(address, zeros, payload);
  }
};

struct HostTouched {  // a page that was on a GPU
  uint64_t address = 0;
  uint8_t is_write = 0;
  template <class A>
  void fields(A& a) {
    a(address, is_write);
  }
};

struct Prefetched {
  uint8_t device = 0;
  uint64_t address = 0, bytes = 0;
  uint8_t to_device = 0;
  template <class A>
  void fields(A& a) {
    a(device, address, bytes, to_device);
  }
};

struct Advised {  // how managed memory is used
  uint8_t device = 0;
  uint64_t address = 0, bytes = 0;
  uint8_t advice = 0, set = 0;  // advice: of memory::Advice
  template <class A>
  void fields(A& a) {
    a(device, address, bytes, advice, set);
  }
};

struct Cost {  // of a call to the runtime
  uint8_t device = 0, what = 0;
  uint64_t bytes = 0;
  template <class A>
  void fields(A& a) {
    a(device, what, bytes);
  }
};

struct Called {  // a call to the runtime, when it has ended
  std::string name, result, detail;
  int64_t bytes = -1;
  int64_t start = 0, end = 0;  // picoseconds: the program's word
  template <class A>
  void fields(A& a) {
    a(name, result, detail, bytes, start, end);
  }
};

struct Ended {
  int32_t status = 0, signal = 0;
  template <class A>
  void fields(A& a) {
    a(status, signal);
  }
};

struct TooLarge {  // the recording stops here
  template <class A>
  void fields(A&) {}
};

using Event = std::variant<DeviceMade, Allocated, Freed, PeerEnabled, ModuleLoaded, ModuleUnloaded, SharedRaised,
                           LimitSet, Launched, LibraryCalled, Uploaded, Downloaded, Moved, Filled, HostWrote,
                           HostTouched, Prefetched, Cost, Called, Ended, TooLarge, Advised>;

inline constexpr char kMagic[8] = {'G', 'P', 'U', 'S', 'I', 'M', 'R', '1'};

// Of bytes: for finding differences, not for security.
uint64_t digest_of(const std::byte* data, uint64_t bytes, uint64_t seed = 0);

}  // namespace hpml::sim::replay
