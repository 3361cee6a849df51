// What a recording says of memory: allocations, copies, fills, and what the host wrote and touched.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "simulator/replay/layout.hpp"
#include "simulator/replay/recording_device.hpp"
#include "simulator/replay/replayer.hpp"
#include "simulator/replay/replayer_terms.hpp"

namespace hpml::sim::replay {
namespace {

constexpr std::array kCopyNames = {"HtoH", "HtoD", "DtoH", "DtoD"};  // by device::CopyKind

bool is_shared(memory::Kind kind) {
  return kind == memory::Kind::managed || kind == memory::Kind::pinned || kind == memory::Kind::registered;
}

// Copies from and to such memory take less time than those of ordinary memory.
bool is_pinned(const memory::Allocation& allocation) {
  return allocation.kind == memory::Kind::pinned || allocation.kind == memory::Kind::registered;
}

}  // namespace

// The program's variables keep their addresses: kernels may have them among their arguments.
Result<void> Replayer::map_host(uint64_t address, uint64_t bytes) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr uint64_t kMost = uint64_t{1} << 32;
  if (bytes == 0 || bytes > kMost || address < page || address > UINT64_MAX - 2 * kMost) {
    return impossible(fmt::format("{} bytes of host memory at {:#x}", bytes, address));
  }
  for (uint64_t at = address / page * page; at < address + bytes; at += page) {
    if (mapped_.contains(at)) {
      continue;
    }
    void* const wanted = reinterpret_cast<void*>(at);
    void* const got =
        mmap(wanted, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
      return impossible(fmt::format("host memory at {:#x} cannot be had again", at));
    }
    mapped_.insert(at);
  }
  return Ok{};
}

Result<void> Replayer::apply(Allocated& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  memory::AddressSpace& memory = owner->device->memory();
  if (event.kind == kMapOnly || event.kind == static_cast<uint8_t>(memory::Kind::registered)) {
    HPML_TRY_VOID(map_host(event.address, event.bytes));
    if (event.kind == kMapOnly || memory.register_host(reinterpret_cast<void*>(event.address), event.bytes)) {
      return Ok{};
    }
    return impossible("host memory is registered twice");
  }
  if (event.kind >= static_cast<uint8_t>(memory::Kind::registered) || event.bytes == 0) {
    return impossible("an allocation of an impossible kind or size");
  }
  const auto kind = static_cast<memory::Kind>(event.kind);
  const uint64_t address = memory.allocate(kind, event.bytes);
  if (address != event.address) {
    return impossible(fmt::format("an allocation of {} bytes lies at {:#x}, not at {:#x} as it says", event.bytes,
                                  address, event.address));
  }
  if (kind == memory::Kind::managed) {
    owner->device->managed_allocated(address, event.bytes);
    ++managed_;
  }
  allocating_ = true;
  return Ok{};
}

void Replayer::keep_content(const memory::Allocation& allocation) {
  if (is_shared(allocation.kind)) {
    transfers_.shared(memory::name(allocation.kind), allocation.base,
                      std::string(reinterpret_cast<const char*>(allocation.view), allocation.size));
  }
}

Result<void> Replayer::apply(Freed& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  memory::AddressSpace& memory = owner->device->memory();
  const memory::Allocation* found = memory.own(event.address);
  if (found == nullptr || found->base != event.address || found->kind == memory::Kind::module) {
    return impossible(fmt::format("what is freed at {:#x} was not allocated", event.address));
  }
  keep_content(*found);
  const memory::Kind kind = found->kind;
  if (kind == memory::Kind::registered) {
    memory.unregister_host(reinterpret_cast<void*>(event.address));
    return Ok{};
  }
  if (kind == memory::Kind::managed) {
    owner->device->managed_freed(event.address);
  }
  (void)memory.free(event.address, kind);
  return Ok{};
}

void Replayer::note_copy(const Gpu& gpu, uint8_t kind, bool pinned, const Shape& shape) {
  const uint64_t bytes = shape.width * shape.height * shape.depth;
  const int64_t time = gpu.device->copy_time(static_cast<device::CopyKind>(kind), pinned, bytes);
  document_.memcpy.push_back(
      {.kind = kCopyNames[kind], .bytes = bytes, .duration_us = metrics::microseconds(time), .pinned = pinned});
}

Result<void> Replayer::apply(Uploaded& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located dst, locate(event.dst, event.shape));
  if (event.kind >= kCopyNames.size() ||
      event.payload.size() != event.shape.width * event.shape.height * event.shape.depth) {
    return impossible("a copy whose bytes are not all there");
  }
  const uint64_t returned = transfers_.returned();
  transfers_.upload(event.payload, dst.offset, event.shape.width);
  if (transfers_.returned() > returned) {
    warm_up_.before(WarmUp::Step::copy, live());
  }
  scatter(event.payload, dst.data, event.dst, event.shape);
  if (transfers_.returned() > returned) {
    warm_up_.after(WarmUp::Step::copy, live());
  }
  check_host_wrote(*dst.owner->device, event.dst, event.shape);
  dst.owner->device->memory_written(event.dst.address, extent(event.dst, event.shape));
  note_copy(*by, event.kind, false, event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Downloaded& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located src, locate(event.src, event.shape));
  if (event.kind >= kCopyNames.size()) {
    return impossible("a copy of an impossible kind");
  }
  const std::string rows = gather(src.data, event.src, event.shape);
  check_host_reads(*src.owner->device, event.src, event.shape);
  transfers_.download(rows, event.src, event.shape.width, event.digest, launches_);
  note_copy(*by, event.kind, is_pinned(*src.allocation), event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Moved& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  HPML_TRY(const Located dst, locate(event.dst, event.shape));
  HPML_TRY(const Located src, locate(event.src, event.shape));
  if (event.kind >= kCopyNames.size()) {
    return impossible("a copy of an impossible kind");
  }
  if (!transfers_.tell("copy", bytes_of(event.dst.address, event.src.address))) {
    return told_too_much();
  }
  warm_up_.before(WarmUp::Step::copy, live());
  scatter(gather(src.data, event.src, event.shape), dst.data, event.dst, event.shape);
  warm_up_.after(WarmUp::Step::copy, live());
  check_host_wrote(*dst.owner->device, event.dst, event.shape);
  dst.owner->device->memory_written(event.dst.address, extent(event.dst, event.shape));
  note_copy(*by, event.kind, is_pinned(*src.allocation) || is_pinned(*dst.allocation), event.shape);
  return Ok{};
}

Result<void> Replayer::apply(Filled& event) {
  HPML_TRY(Gpu* const by, gpu(event.device));
  constexpr uint64_t kMostElements = uint64_t{1} << 38;
  if ((event.element != 1 && event.element != 2 && event.element != 4) || event.shape.width > kMostElements) {
    return impossible("a fill of an impossible element");
  }
  const Shape bytes = in_bytes(event.shape, event.element);
  HPML_TRY(const Located dst, locate(event.dst, bytes));
  if (event.value != 0 && !transfers_.tell("fill", bytes_of(event.dst.address, event.value))) {
    return told_too_much();
  }
  std::string rows(bytes.width * bytes.height * bytes.depth, '\0');
  for (uint64_t at = 0; at < rows.size(); at += event.element) {
    rows.replace(at, event.element, reinterpret_cast<const char*>(&event.value), event.element);
  }
  scatter(rows, dst.data, event.dst, bytes);
  check_host_wrote(*by->device, event.dst, bytes);
  by->device->memory_written(event.dst.address, extent(event.dst, bytes));
  document_.memset.push_back({.kind = "memset",
                              .bytes = rows.size(),
                              .duration_us = metrics::microseconds(by->device->memset_time(rows.size()))});
  return Ok{};
}

Result<void> Replayer::apply(HostWrote& event) {
  if (event.payload.empty()) {
    HPML_TRY(const Located all, locate(event.address, event.zeros));
    constexpr uint64_t kMostZeros = uint64_t{1} << 20;  // they come leaf by leaf
    if (event.zeros > kMostZeros || !is_shared(all.allocation->kind)) {
      return impossible("the host writes where it cannot");
    }
    event.payload.assign(event.zeros, '\0');
  }
  HPML_TRY(const Located place, locate(event.address, event.payload.size()));
  if (!is_shared(place.allocation->kind)) {
    return impossible("the host writes to memory of a device");
  }
  transfers_.host_write(event.payload, place.offset);
  std::copy(event.payload.begin(), event.payload.end(), reinterpret_cast<char*>(place.data));
  check_host_wrote(*place.owner->device, {.address = event.address}, {.width = event.payload.size()});
  return Ok{};
}

// As the program did it, so that the page's fault is met as it was.
Result<void> Replayer::apply(HostTouched& event) {
  HPML_TRY(const Located place, locate(event.address, 1));
  if (place.allocation->kind != memory::Kind::managed) {
    return impossible("the host touches memory of a device");
  }
  auto* const byte = reinterpret_cast<unsigned char*>(event.address);
  if (event.is_write != 0) {
    __atomic_fetch_or(byte, static_cast<unsigned char>(0), __ATOMIC_RELAXED);
  } else {
    (void)__atomic_load_n(byte, __ATOMIC_RELAXED);
  }
  return Ok{};
}

Result<void> Replayer::apply(Prefetched& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  HPML_TRY(const Located place, locate(event.address, event.bytes));
  if (place.allocation->kind != memory::Kind::managed || event.bytes == 0) {
    return impossible("a prefetch of memory that is not managed");
  }
  const int64_t time = owner->device->prefetch(event.address, event.bytes, event.to_device != 0);
  document_.prefetch.push_back({.kind = "prefetch", .bytes = event.bytes, .duration_us = metrics::microseconds(time)});
  return Ok{};
}

Result<void> Replayer::apply(Advised& event) {
  HPML_TRY(Gpu* const owner, gpu(event.device));
  HPML_TRY(const Located place, locate(event.address, event.bytes));
  if (place.allocation->kind != memory::Kind::managed || event.bytes == 0 ||
      event.advice > static_cast<uint8_t>(memory::Advice::accessed)) {
    return impossible("advice about memory that is not managed, or that does not exist");
  }
  owner->device->advise(event.address, event.bytes, static_cast<memory::Advice>(event.advice), event.set != 0);
  return Ok{};
}

}  // namespace hpml::sim::replay
