// Virtual memory management: physical memory by handles, which programs map into ranges of addresses (CUDA driver API,
// section "Virtual Memory Management"). A range belongs to the device that was current when it was reserved, and holds
// its memory alone.
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr uint64_t kGranularity = memory::kVaBlockBytes;
constexpr int kPinned = 1, kOnDevice = 1;                    // CUmemAllocationType, CUmemLocationType
constexpr int kNoAccess = 0, kReadOnly = 1, kReadWrite = 3;  // CUmemAccess_flags

struct Location {
  int type, id;
};
struct Properties {  // CUmemAllocationProp
  int type, handle_types;
  Location location;
  void* win32;
  unsigned char compression, rdma;
  unsigned short usage;
  unsigned char reserved[4];
};
struct AccessDescription {  // CUmemAccessDesc
  Location location;
  int flags;
};

struct Physical {
  int device = 0;
  uint64_t bytes = 0;
  int references = 1;             // of the program, and one of its mapping
  uint64_t mapped_at = 0;         // 0: nowhere
  std::vector<std::byte> kept{};  // what it holds while no address shows it
};
struct Mapped {
  uint64_t handle = 0, bytes = 0;
  int access = kNoAccess;
};
struct Range {
  int device = 0;
  uint64_t bytes = 0;
};

// Of the process, as device memory is. Guarded by the runtime's mutex, which every call holds.
struct VirtualMemory {
  std::map<uint64_t, Physical> physical;  // by handle
  std::map<uint64_t, Mapped> mapped;      // by address
  std::map<uint64_t, Range> ranges;       // by address
  uint64_t next_handle = 1;
};
VirtualMemory& state() {
  static VirtualMemory all;
  return all;
}

bool whole(uint64_t bytes) { return bytes > 0 && bytes % kGranularity == 0; }

memory::AddressSpace& memory_of(Runtime& runtime, int device) { return runtime.device(device)->memory(); }

void dereference(Runtime& runtime, uint64_t handle) {
  Physical& physical = state().physical.at(handle);
  if (--physical.references == 0) {
    memory_of(runtime, physical.device).put_back(physical.bytes);
    state().physical.erase(handle);
  }
}

const Range* range_of(uint64_t address, uint64_t bytes) {
  const auto after = state().ranges.upper_bound(address);
  if (after == state().ranges.begin()) {
    return nullptr;
  }
  const auto& [base, range] = *std::prev(after);
  return bytes <= range.bytes && address - base <= range.bytes - bytes ? &range : nullptr;
}

// The mappings that make up [address, address + bytes), in order; empty when they do not.
std::vector<uint64_t> mappings_of(uint64_t address, uint64_t bytes) {
  std::vector<uint64_t> found;
  uint64_t next = address;
  for (auto it = state().mapped.find(address);
       it != state().mapped.end() && it->first == next && next < address + bytes; ++it) {
    found.push_back(it->first);
    next += it->second.bytes;
  }
  return next == address + bytes ? found : std::vector<uint64_t>{};
}

void hide(memory::AddressSpace& memory, uint64_t address, Mapped& mapped) {
  if (mapped.access == kNoAccess) {
    return;
  }
  const memory::Allocation& allocation = *memory.own(address);
  const std::byte* const from = allocation.view + (address - allocation.base);
  state().physical.at(mapped.handle).kept.assign(from, from + mapped.bytes);
  memory.close(address, mapped.bytes);
  mapped.access = kNoAccess;
}

bool show(memory::AddressSpace& memory, uint64_t address, Mapped& mapped, int access) {
  if (mapped.access == kNoAccess) {
    if (!memory.open(address, mapped.bytes)) {
      return false;
    }
    Physical& physical = state().physical.at(mapped.handle);
    const memory::Allocation& allocation = *memory.own(address);
    std::memcpy(allocation.view + (address - allocation.base), physical.kept.data(), physical.kept.size());
    physical.kept = {};
  }
  mapped.access = access;
  return true;
}

// Of one mapping.
Error set_access(Runtime& runtime, uint64_t address, const AccessDescription& wanted) {
  Mapped& mapped = state().mapped.at(address);
  const int owner = state().physical.at(mapped.handle).device;
  memory::AddressSpace& memory = memory_of(runtime, owner);
  if (wanted.location.id == owner) {
    if (wanted.flags == kNoAccess) {
      hide(memory, address, mapped);
      return Error::success;
    }
    return show(memory, address, mapped, wanted.flags) ? Error::success : Error::memory_allocation;
  }
  if (mapped.access == kNoAccess && !show(memory, address, mapped, wanted.flags)) {
    return Error::memory_allocation;
  }
  const memory::Allocation& allocation = *memory.own(address);
  const auto bit = static_cast<uint8_t>(1u << wanted.location.id);
  const auto others = static_cast<uint8_t>(allocation.readers & ~bit);
  memory.set_readers(allocation.base, wanted.flags == kNoAccess ? others : static_cast<uint8_t>(others | bit));
  return Error::success;
}

bool known(const Runtime& runtime, const AccessDescription& wanted) {
  return wanted.location.type == kOnDevice && is_device(runtime, wanted.location.id) &&
         (wanted.flags == kNoAccess || wanted.flags == kReadOnly || wanted.flags == kReadWrite);
}

}  // namespace
}  // namespace hpml::sim::cuda_driver

using namespace hpml::sim::cuda_driver;  // NOLINT(google-build-using-namespace): entry points have no namespace
namespace cudart = hpml::sim::cudart;
namespace memory = hpml::sim::memory;

HPML_CU_API int cuMemGetAllocationGranularity(size_t* bytes, const Properties* properties, int) {
  return driver_call("cuMemGetAllocationGranularity", [&](Runtime& runtime, ApiRecord&) {
    if (bytes == nullptr || properties == nullptr || properties->type != kPinned ||
        properties->location.type != kOnDevice || !is_device(runtime, properties->location.id)) {
      return Error::invalid_value;
    }
    *bytes = kGranularity;
    return Error::success;
  });
}

HPML_CU_API int cuMemAddressReserve(DevicePtr* address, size_t bytes, size_t alignment, DevicePtr,
                                    unsigned long long flags) {
  return driver_call("cuMemAddressReserve", [&](Runtime& runtime, ApiRecord&) {
    if (address == nullptr || !whole(bytes) || (alignment & (alignment - 1)) != 0 || flags != 0) {
      return Error::invalid_value;
    }
    const int device = this_thread().device;
    *address = memory_of(runtime, device).reserve(bytes, alignment);
    if (*address == 0) {
      return Error::memory_allocation;
    }
    state().ranges[*address] = {device, bytes};
    return Error::success;
  });
}

HPML_CU_API int cuMemAddressFree(DevicePtr address, size_t bytes) {
  return driver_call("cuMemAddressFree", [&](Runtime& runtime, ApiRecord&) {
    const auto found = state().ranges.find(address);
    const auto mapped = state().mapped.lower_bound(address);
    if (found == state().ranges.end() || found->second.bytes != bytes ||
        (mapped != state().mapped.end() && mapped->first < address + bytes)) {
      return Error::invalid_value;
    }
    memory_of(runtime, found->second.device).release(address);
    state().ranges.erase(found);
    return Error::success;
  });
}

HPML_CU_API int cuMemCreate(uint64_t* handle, size_t bytes, const Properties* properties, unsigned long long flags) {
  return driver_call("cuMemCreate", [&](Runtime& runtime, ApiRecord&) {
    if (handle == nullptr || properties == nullptr || !whole(bytes) || flags != 0 || properties->type != kPinned ||
        properties->location.type != kOnDevice) {
      return Error::invalid_value;
    }
    const int device = properties->location.id;
    if (!is_device(runtime, device)) {
      return Error::invalid_device;
    }
    if (properties->handle_types != 0) {
      return Error::not_supported;  // handles for other processes; cuDeviceGetAttribute says so
    }
    if (!memory_of(runtime, device).set_aside(bytes)) {
      return Error::memory_allocation;
    }
    *handle = state().next_handle++;
    state().physical[*handle] = {.device = device, .bytes = bytes};
    return Error::success;
  });
}

HPML_CU_API int cuMemRelease(uint64_t handle) {
  return driver_call("cuMemRelease", [&](Runtime& runtime, ApiRecord&) {
    const auto found = state().physical.find(handle);
    if (found == state().physical.end() || found->second.references - (found->second.mapped_at != 0) < 1) {
      return Error::invalid_value;
    }
    dereference(runtime, handle);
    return Error::success;
  });
}

HPML_CU_API int cuMemMap(DevicePtr address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags) {
  return driver_call("cuMemMap", [&](Runtime&, ApiRecord&) {
    const auto found = state().physical.find(handle);
    const Range* const range = range_of(address, bytes);
    if (found == state().physical.end() || range == nullptr || address % kGranularity != 0 || !whole(bytes) ||
        bytes > found->second.bytes || offset != 0 || flags != 0) {
      return Error::invalid_value;
    }
    const auto next = state().mapped.lower_bound(address);
    if ((next != state().mapped.end() && next->first < address + bytes) ||
        (next != state().mapped.begin() && std::prev(next)->first + std::prev(next)->second.bytes > address)) {
      return Error::invalid_value;
    }
    if (found->second.mapped_at != 0 || range->device != found->second.device) {
      cudart::say("cuMemMap: one memory at two addresses, or in the range of another device, is not supported");
      return Error::not_supported;
    }
    found->second.mapped_at = address;
    ++found->second.references;
    state().mapped[address] = {.handle = handle, .bytes = bytes};
    return Error::success;
  });
}

HPML_CU_API int cuMemUnmap(DevicePtr address, size_t bytes) {
  return context_call("cuMemUnmap", [&](Runtime& runtime, Context& context, ApiRecord&) {
    const std::vector<uint64_t> all = mappings_of(address, bytes);
    if (all.empty()) {
      return Error::invalid_value;
    }
    const Error error = cudart::synchronize_device(context);
    for (const uint64_t one : all) {
      Mapped& mapped = state().mapped.at(one);
      Physical& physical = state().physical.at(mapped.handle);
      hide(memory_of(runtime, physical.device), one, mapped);
      physical.mapped_at = 0;
      dereference(runtime, mapped.handle);
      state().mapped.erase(one);
    }
    return error;
  });
}

HPML_CU_API int cuMemSetAccess(DevicePtr address, size_t bytes, const AccessDescription* wanted, size_t count) {
  return driver_call("cuMemSetAccess", [&](Runtime& runtime, ApiRecord&) {
    const std::vector<uint64_t> all = mappings_of(address, bytes);
    if (all.empty() || wanted == nullptr || count == 0) {
      return Error::invalid_value;
    }
    for (size_t i = 0; i < count; ++i) {
      if (!known(runtime, wanted[i])) {
        return Error::invalid_value;
      }
      for (const uint64_t one : all) {
        if (const Error error = set_access(runtime, one, wanted[i]); error != Error::success) {
          return error;
        }
      }
    }
    return Error::success;
  });
}

HPML_CU_API int cuMemGetAccess(unsigned long long* flags, const Location* location, DevicePtr address) {
  return driver_call("cuMemGetAccess", [&](Runtime& runtime, ApiRecord&) {
    const auto after = state().mapped.upper_bound(address);
    if (flags == nullptr || location == nullptr || location->type != kOnDevice || !is_device(runtime, location->id) ||
        after == state().mapped.begin() || address - std::prev(after)->first >= std::prev(after)->second.bytes) {
      return Error::invalid_value;
    }
    const Mapped& mapped = std::prev(after)->second;
    const int owner = state().physical.at(mapped.handle).device;
    const memory::Allocation* const open = memory_of(runtime, owner).own(address);
    const bool other = open != nullptr && (open->readers >> location->id & 1) != 0;
    *flags = static_cast<unsigned long long>(location->id == owner ? mapped.access : other ? kReadWrite : kNoAccess);
    return Error::success;
  });
}

HPML_CU_API int cuMemRetainAllocationHandle(uint64_t* handle, void* pointer) {
  return driver_call("cuMemRetainAllocationHandle", [&](Runtime&, ApiRecord&) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const auto after = state().mapped.upper_bound(address);
    if (handle == nullptr || after == state().mapped.begin() ||
        address - std::prev(after)->first >= std::prev(after)->second.bytes) {
      return Error::invalid_value;
    }
    *handle = std::prev(after)->second.handle;
    ++state().physical.at(*handle).references;
    return Error::success;
  });
}

HPML_CU_API int cuMemGetAllocationPropertiesFromHandle(Properties* properties, uint64_t handle) {
  return driver_call("cuMemGetAllocationPropertiesFromHandle", [&](Runtime&, ApiRecord&) {
    const auto found = state().physical.find(handle);
    if (properties == nullptr || found == state().physical.end()) {
      return Error::invalid_value;
    }
    *properties = {};
    properties->type = kPinned;
    properties->location = {kOnDevice, found->second.device};
    return Error::success;
  });
}
