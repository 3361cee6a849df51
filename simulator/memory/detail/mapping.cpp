#include "simulator/memory/detail/mapping.hpp"

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace hpml::sim::memory::detail {
namespace {

constexpr uint64_t kCommitBytes = 32u << 20;  // at a time

void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

Diag refused(uint64_t address, uint64_t bytes, int error) {
  const char* hint = "";
  if (error == EEXIST) {
    hint = "; something else of this process lies there: run without libraries that map fixed addresses";
  } else if (error == ENOMEM) {
    hint = "; raise the address-space limit (ulimit -v unlimited), or set vm.overcommit_memory to 0 or 1";
  }
  return error_in("<simulated memory>", fmt::format("cannot reserve {} GiB of addresses at {:#x}: {}{}", bytes >> 30,
                                                    address, std::strerror(error), hint));
}

Result<void> map_at(uint64_t address, uint64_t bytes, int protection, int flags, int fd) {
  void* got = mmap(pointer(address), bytes, protection, flags | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  if (got == MAP_FAILED) {
    return refused(address, bytes, errno);
  }
  if (got != pointer(address)) {  // kernels before 4.17 take the address as a hint
    munmap(got, bytes);
    return refused(address, bytes, EEXIST);
  }
  madvise(got, bytes, MADV_DONTDUMP);  // a crash of the student's program must not write the GPU's memory to disk
  return Ok{};
}

// A memory file of that size, or -1: sandboxes may refuse the call or limit the size of files.
int memory_file(uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
    return -1;  // ftruncate would raise SIGXFSZ
  }
  const int fd = memfd_create("gpusim", MFD_CLOEXEC);
  if (fd >= 0 && ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

uint64_t page_bytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

Result<void> Mapping::map_view_only() {
  HPML_TRY_VOID(map_at(base_, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1));
  base_mapped_ = true;
  HPML_TRY_VOID(map_at(view_, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1));  // opened by commit()
  view_mapped_ = true;
  return Ok{};
}

Result<void> Mapping::map_both() {
  const int fd = memory_file(bytes_);
  if (fd < 0) {
    // Without a memory file: a shared anonymous mapping, of which mremap with an old size of 0 makes a second one.
    HPML_TRY_VOID(map_at(view_, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1));
    view_mapped_ = true;
    HPML_TRY_VOID(map_at(base_, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1));  // the place is free
    base_mapped_ = true;
    if (mremap(pointer(view_), 0, bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, pointer(base_)) == MAP_FAILED) {
      return refused(base_, bytes_, errno);
    }
    mprotect(pointer(base_), bytes_, PROT_NONE);
    return Ok{};
  }
  auto view = map_at(view_, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
  view_mapped_ = view.ok();
  auto base = map_at(base_, bytes_, PROT_NONE, MAP_SHARED, fd);
  base_mapped_ = base.ok();
  close(fd);
  return view.ok() ? base : view;
}

Result<Mapping> Mapping::create(uint64_t base, uint64_t view, uint64_t bytes, Sharing sharing) {
  Mapping mapping(base, view, bytes, sharing);
  HPML_TRY_VOID(sharing == Sharing::both ? mapping.map_both() : mapping.map_view_only());
  return mapping;
}

Mapping::Mapping(Mapping&& other) noexcept
    : base_(other.base_),
      view_(other.view_),
      bytes_(other.bytes_),
      sharing_(other.sharing_),
      committed_(other.committed_),
      base_mapped_(std::exchange(other.base_mapped_, false)),
      view_mapped_(std::exchange(other.view_mapped_, false)),
      file_(std::exchange(other.file_, -1)),
      has_shared_pages_(other.has_shared_pages_) {}

Mapping::~Mapping() {
  if (base_mapped_) {
    munmap(pointer(base_), bytes_);
  }
  if (view_mapped_) {
    munmap(pointer(view_), bytes_);
  }
  if (file_ >= 0) {
    close(file_);
  }
}

int Mapping::file() {
  HPML_CHECK(sharing_ == Sharing::view_only, "a mapping that is shared with the program");
  if (file_ < 0) {
    file_ = memory_file(bytes_);
  }
  return file_;
}

// Pages that are in the file already are written over themselves.
bool Mapping::share(uint64_t address, uint64_t bytes) {
  const int to = file();
  for (uint64_t done = 0; done < bytes;) {
    const ssize_t n =
        to < 0 ? -1 : pwrite(to, view_of(address + done), bytes - done, static_cast<off_t>(address - base_ + done));
    if (n <= 0) {
      return false;
    }
    done += static_cast<uint64_t>(n);
  }
  return adopt(address, bytes, to, address - base_);
}

bool Mapping::adopt(uint64_t address, uint64_t bytes, int file, uint64_t offset) {
  if (!allow(address, bytes) ||
      mmap(view_of(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    return false;
  }
  madvise(view_of(address), bytes, MADV_DONTDUMP);
  has_shared_pages_ = true;
  return true;
}

std::byte* Mapping::view_of(uint64_t address) const { return reinterpret_cast<std::byte*>(view_ + (address - base_)); }

// Private memory that may be written counts against limits on data (ulimit -d), touched or not: of the reservation only
// what was ever in use does. One range from the start, so that it is one record of the kernel's.
bool Mapping::commit(uint64_t end) {
  if (end < committed_) {
    return true;
  }
  const uint64_t upto = std::min((end / kCommitBytes + 1) * kCommitBytes, bytes_);
  if (mprotect(pointer(view_ + committed_), upto - committed_, PROT_READ | PROT_WRITE) != 0) {
    return false;
  }
  committed_ = upto;
  return true;
}

bool Mapping::allow(uint64_t address, uint64_t bytes) {
  if (sharing_ == Sharing::view_only) {
    return commit(address - base_ + bytes);
  }
  if (mprotect(pointer(address), bytes, PROT_READ | PROT_WRITE) == 0) {
    return true;
  }
  // Every range costs the kernel a record, of which it has about 65,000 per process (vm.max_map_count): open it all.
  return mprotect(pointer(base_), bytes_, PROT_READ | PROT_WRITE) == 0;
}

void Mapping::forbid(uint64_t address, uint64_t bytes) {
  if (sharing_ == Sharing::both) {
    const uint64_t page = page_bytes();
    mprotect(pointer(address), (bytes + page - 1) / page * page, PROT_NONE);
  }
}

bool Mapping::make_private(uint64_t address, uint64_t bytes) {
  if (sharing_ == Sharing::view_only) {
    return true;  // private from the start
  }
  const uint64_t page = page_bytes(), step = page * 512;
  const uint64_t end = (view_ + (address - base_) + bytes + page - 1) / page * page;
  std::vector<std::byte> held(step);
  std::vector<unsigned char> resident(step / page);
  for (uint64_t at = (view_ + (address - base_)) / page * page; at < end; at += step) {
    const uint64_t size = std::min(step, end - at);
    if (mincore(pointer(at), size, resident.data()) != 0) {
      std::fill(resident.begin(), resident.end(), static_cast<unsigned char>(1));
    }
    const auto each_page = [&](auto f) {
      for (uint64_t i = 0; i < size / page; ++i) {
        if ((resident[i] & 1) != 0) {
          f(reinterpret_cast<std::byte*>(at + i * page), held.data() + i * page);
        }
      }
    };
    each_page([page](const std::byte* mapped, std::byte* copy) { std::memcpy(copy, mapped, page); });
    if (mmap(pointer(at), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
             0) == MAP_FAILED) {
      return false;
    }
    each_page([page](std::byte* mapped, const std::byte* copy) { std::memcpy(mapped, copy, page); });
  }
  return true;
}

void Mapping::discard(uint64_t address, uint64_t bytes) {
  const uint64_t page = page_bytes();
  const uint64_t from = (address + page - 1) / page * page;
  const uint64_t to = (address + bytes) / page * page;
  if (from >= to) {
    std::memset(view_of(address), 0, bytes);
    return;
  }
  // The edges share their page with neighbours. They are cleared too, so that what fresh memory holds does not depend
  // on the page size of the machine.
  std::memset(view_of(address), 0, from - address);
  std::memset(view_of(to), 0, address + bytes - to);
  if (has_shared_pages_) {  // other processes keep theirs
    mmap(view_of(from), to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
         0);
    madvise(view_of(from), to - from, MADV_DONTDUMP);
    return;
  }
  madvise(view_of(from), to - from, sharing_ == Sharing::both ? MADV_REMOVE : MADV_DONTNEED);
}

}  // namespace hpml::sim::memory::detail
