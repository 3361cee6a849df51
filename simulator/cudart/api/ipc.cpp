// Memory, pools and events that processes share. Every process simulates the GPU by itself, with a clock of its own,
// but memory that is shared is the same memory. Work executes when it is issued, so that a process that another one
// tells of its work sees the results; an event of another process is always complete.
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

enum class Shared : uint32_t { memory = 0x6770736d, event = 0x67707365 };

// What a handle holds (cudaIpcMemHandle_t and the like are 64 bytes). The file is one of the process that made it.
struct Content {
  Shared what = Shared::memory;
  int process = 0, file = -1, ordinal = 0;
  memory::SharedPages pages;
};
struct Handle {
  std::array<char, 64> bytes = {};
};
static_assert(sizeof(Content) <= sizeof(Handle));

Handle to_handle(const Content& content) {
  Handle handle;
  std::memcpy(handle.bytes.data(), &content, sizeof content);
  return handle;
}
Content content_of(const Handle& handle) {
  Content content;
  std::memcpy(&content, handle.bytes.data(), sizeof content);
  return content;
}

Error get_memory(Context& context, const void* pointer, Handle* handle) {
  const memory::Allocation* found = context.memory().own(reinterpret_cast<uint64_t>(pointer));
  if (handle == nullptr || found == nullptr || context.pool_of(found->base) != nullptr ||
      context.graph_memory(pointer) != nullptr) {
    return Error::invalid_value;
  }
  const auto pages = context.memory().share(found->base);
  if (!pages) {
    return Error::invalid_value;
  }
  *handle = to_handle({Shared::memory, getpid(), context.memory().sharing_file(), context.ordinal(), *pages});
  return Error::success;
}

// Maps memory of a file, and lets kernels read it without a warning that nothing was written there.
uint64_t import(Context& context, int file, const memory::SharedPages& pages) {
  const uint64_t address = file >= 0 ? context.memory().import(file, pages) : 0;
  if (address != 0) {
    context.device().memory_written(address, pages.size);
  }
  return address;
}

Error open_memory(Context& context, const Handle& handle, unsigned flags, void** pointer) {
  constexpr unsigned kLazyPeerAccess = 1;  // the only flag, and it must be given
  const Content content = content_of(handle);
  if (pointer == nullptr || flags != kLazyPeerAccess || content.what != Shared::memory) {
    return Error::invalid_value;
  }
  if (content.process == getpid()) {
    return Error::device_uninitialized;  // as CUDA: a process cannot open what it shares itself
  }
  OpenedMemory& opened = context.opened_memory[std::string(handle.bytes.begin(), handle.bytes.end())];
  if (opened.count == 0) {
    const int file = open(fmt::format("/proc/{}/fd/{}", content.process, content.file).c_str(), O_RDWR | O_CLOEXEC);
    opened.address = import(context, file, content.pages);
    if (file >= 0) {
      close(file);
    }
  }
  if (opened.address == 0) {
    return Error::map_failed;
  }
  ++opened.count;
  *pointer = reinterpret_cast<void*>(opened.address);
  return Error::success;
}

Error close_memory(Runtime& runtime, const void* pointer) {
  for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
    Context* context = runtime.started(ordinal);
    if (context == nullptr) {
      continue;
    }
    const auto found = std::ranges::find(context->opened_memory, reinterpret_cast<uint64_t>(pointer),
                                         [](const auto& entry) { return entry.second.address; });
    if (found == context->opened_memory.end() || found->second.count == 0) {
      continue;
    }
    if (const Error error = synchronize_device(*context); error != Error::success) {
      return error;
    }
    if (--found->second.count == 0) {
      (void)context->memory().free(found->second.address, memory::Kind::device);
      context->opened_memory.erase(found);
    }
    return Error::success;
  }
  return Error::invalid_value;
}

// `body(Context&, MemPool&) -> Error`
template <class Body>
int shared_pool_call(const char* name, const void* handle, Body body) {
  return device_call(name, [&](Runtime& runtime, Context&, ApiRecord&) {
    for (int ordinal = 0; ordinal < runtime.device_count(); ++ordinal) {
      Context* owner = runtime.started(ordinal);
      if (MemPool* pool = owner != nullptr ? owner->pool(handle) : nullptr; pool != nullptr) {
        return body(*owner, *pool);
      }
    }
    return Error::invalid_value;
  });
}

constexpr int kFileDescriptor = 1;  // cudaMemHandleTypePosixFileDescriptor

}  // namespace
}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaIpcGetMemHandle(Handle* handle, void* pointer) {
  return device_call("cudaIpcGetMemHandle",
                     [&](Runtime&, Context& context, ApiRecord&) { return get_memory(context, pointer, handle); });
}
HPML_CUDA_API int cudaIpcOpenMemHandle(void** pointer, Handle handle, unsigned flags) {
  return unsafe_call("cudaIpcOpenMemHandle", [&](Runtime&, Context& context, ApiRecord&) {
    return open_memory(context, handle, flags, pointer);
  });
}
HPML_CUDA_API int cudaIpcCloseMemHandle(void* pointer) {
  return unsafe_call("cudaIpcCloseMemHandle",
                     [&](Runtime& runtime, Context&, ApiRecord&) { return close_memory(runtime, pointer); });
}
HPML_CUDA_API int cudaIpcGetEventHandle(Handle* handle, void* event_handle) {
  return device_call("cudaIpcGetEventHandle", [&](Runtime& runtime, Context&, ApiRecord&) {
    constexpr unsigned kInterprocess = 4;  // cudaEventInterprocess
    const Event* event = runtime.event(event_handle);
    if (handle == nullptr || event == nullptr || (event->flags & kInterprocess) == 0) {
      return Error::invalid_resource_handle;
    }
    *handle = to_handle({.what = Shared::event, .process = getpid(), .pages = {}});
    return Error::success;
  });
}
HPML_CUDA_API int cudaIpcOpenEventHandle(void** event, Handle handle) {
  return device_call("cudaIpcOpenEventHandle", [&](Runtime&, Context& context, ApiRecord&) {
    constexpr unsigned kFlags = 6;  // cudaEventInterprocess and cudaEventDisableTiming
    if (event == nullptr || content_of(handle).what != Shared::event) {
      return Error::invalid_value;
    }
    *event = context.create_event(kFlags);
    return Error::success;
  });
}

HPML_CUDA_API int cudaMemPoolExportToShareableHandle(void* descriptor, void* handle, int type, unsigned flags) {
  return shared_pool_call("cudaMemPoolExportToShareableHandle", handle, [&](Context& owner, MemPool& pool) {
    const int file = pool.shareable ? owner.memory().sharing_file() : -1;
    if (descriptor == nullptr || type != kFileDescriptor || flags != 0 || file < 0) {
      return Error::invalid_value;
    }
    const int copy = dup(file);
    std::memcpy(descriptor, &copy, sizeof copy);
    return copy >= 0 ? Error::success : Error::invalid_value;
  });
}
// The pool keeps the file open until the process ends.
HPML_CUDA_API int cudaMemPoolImportFromShareableHandle(void** pool, void* descriptor, int type, unsigned flags) {
  return device_call("cudaMemPoolImportFromShareableHandle", [&](Runtime&, Context& context, ApiRecord&) {
    const int file = fcntl(static_cast<int>(reinterpret_cast<intptr_t>(descriptor)), F_DUPFD_CLOEXEC, 0);
    if (pool == nullptr || type != kFileDescriptor || flags != 0 || file < 0) {
      return Error::invalid_value;
    }
    MemPool* made = context.add_pool();
    made->file = file;
    *pool = made;
    return Error::success;
  });
}
HPML_CUDA_API int cudaMemPoolExportPointer(Handle* data, void* pointer) {
  return device_call("cudaMemPoolExportPointer", [&](Runtime&, Context& context, ApiRecord&) {
    const auto address = reinterpret_cast<uint64_t>(pointer);
    const MemPool* pool = context.pool_of(address);
    const auto pages = pool != nullptr && pool->shareable ? context.memory().share(address) : std::nullopt;
    if (data == nullptr || !pages) {
      return Error::invalid_value;
    }
    *data = to_handle({Shared::memory, getpid(), -1, context.ordinal(), *pages});
    return Error::success;
  });
}
HPML_CUDA_API int cudaMemPoolImportPointer(void** pointer, void* handle, const Handle* data) {
  return shared_pool_call("cudaMemPoolImportPointer", handle, [&](Context& owner, MemPool& pool) {
    const Content content = data != nullptr ? content_of(*data) : Content{.what = Shared::event, .pages = {}};
    const uint64_t address = content.what == Shared::memory ? import(owner, pool.file, content.pages) : 0;
    if (pointer == nullptr || address == 0) {
      return Error::invalid_value;
    }
    pool.allocated(address, content.pages.size);
    *pointer = reinterpret_cast<void*>(address);
    return Error::success;
  });
}
