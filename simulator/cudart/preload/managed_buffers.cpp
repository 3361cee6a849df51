// System calls on managed memory. The runtime learns of the host's accesses by the faults of protected pages, and moves
// those pages; a system call that meets one fails with EFAULT instead. So the pages of a buffer are touched before the
// call, as NVIDIA's driver would move them in it. The C library's own calls do not pass here: fread() and fwrite() read
// and write large blocks in the caller's buffer.
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "simulator/cudart/preload/hooks.hpp"

namespace hpml::sim::preload {
namespace {

enum class Use { reads, writes };  // what the system call does with the buffer

void touch(const void* buffer, size_t bytes, Use use) {
  const Hooks* const runtime = hooks();
  const size_t managed = runtime != nullptr && bytes > 0 ? runtime->managed_bytes(buffer, bytes) : 0;
  if (managed == 0) {
    return;
  }
  constexpr uintptr_t kPage = 4096;
  const int error = errno;
  auto* const first = static_cast<char*>(const_cast<void*>(buffer));
  char* const end = first + managed;
  for (char* at = first; at < end; at += kPage - reinterpret_cast<uintptr_t>(at) % kPage) {
    if (use == Use::writes) {
      __atomic_fetch_or(at, 0, __ATOMIC_RELAXED);
    } else {
      (void)*static_cast<volatile char*>(at);
    }
  }
  errno = error;
}

void touch(const iovec* parts, int count, Use use) {
  for (int i = 0; i < count; ++i) {
    touch(parts[i].iov_base, parts[i].iov_len, use);
  }
}

void touch(const msghdr* message, Use use) {
  if (message != nullptr) {
    touch(message->msg_iov, static_cast<int>(message->msg_iovlen), use);
  }
}

}  // namespace
}  // namespace hpml::sim::preload

using hpml::sim::preload::next;
using hpml::sim::preload::touch;
using hpml::sim::preload::Use;

// A function of the C library with its parameters, and what is touched before it.
#define HPML_BUFFERED(result, name, parameters, arguments, ...) \
  HPML_INTERPOSED result name parameters {                      \
    static auto* const real = next<result parameters>(#name);   \
    touch(__VA_ARGS__);                                         \
    return real arguments;                                      \
  }

HPML_BUFFERED(ssize_t, read, (int file, void* to, size_t bytes), (file, to, bytes), to, bytes, Use::writes)
HPML_BUFFERED(ssize_t, pread, (int file, void* to, size_t bytes, off_t at), (file, to, bytes, at), to, bytes,
              Use::writes)
HPML_BUFFERED(ssize_t, pread64, (int file, void* to, size_t bytes, off64_t at), (file, to, bytes, at), to, bytes,
              Use::writes)
HPML_BUFFERED(ssize_t, readv, (int file, const iovec* to, int count), (file, to, count), to, count, Use::writes)
HPML_BUFFERED(ssize_t, preadv, (int file, const iovec* to, int count, off_t at), (file, to, count, at), to, count,
              Use::writes)
HPML_BUFFERED(ssize_t, write, (int file, const void* from, size_t bytes), (file, from, bytes), from, bytes, Use::reads)
HPML_BUFFERED(ssize_t, pwrite, (int file, const void* from, size_t bytes, off_t at), (file, from, bytes, at), from,
              bytes, Use::reads)
HPML_BUFFERED(ssize_t, pwrite64, (int file, const void* from, size_t bytes, off64_t at), (file, from, bytes, at), from,
              bytes, Use::reads)
HPML_BUFFERED(ssize_t, writev, (int file, const iovec* from, int count), (file, from, count), from, count, Use::reads)
HPML_BUFFERED(ssize_t, pwritev, (int file, const iovec* from, int count, off_t at), (file, from, count, at), from,
              count, Use::reads)
HPML_BUFFERED(size_t, fread, (void* to, size_t size, size_t n, FILE* file), (to, size, n, file), to, size* n,
              Use::writes)
HPML_BUFFERED(size_t, fread_unlocked, (void* to, size_t size, size_t n, FILE* file), (to, size, n, file), to, size* n,
              Use::writes)
HPML_BUFFERED(size_t, fwrite, (const void* from, size_t size, size_t n, FILE* file), (from, size, n, file), from,
              size* n, Use::reads)
HPML_BUFFERED(size_t, fwrite_unlocked, (const void* from, size_t size, size_t n, FILE* file), (from, size, n, file),
              from, size* n, Use::reads)
HPML_BUFFERED(ssize_t, send, (int socket, const void* from, size_t bytes, int flags), (socket, from, bytes, flags),
              from, bytes, Use::reads)
HPML_BUFFERED(ssize_t, sendto,
              (int socket, const void* from, size_t bytes, int flags, const sockaddr* address, socklen_t length),
              (socket, from, bytes, flags, address, length), from, bytes, Use::reads)
HPML_BUFFERED(ssize_t, sendmsg, (int socket, const msghdr* message, int flags), (socket, message, flags), message,
              Use::reads)
HPML_BUFFERED(ssize_t, recv, (int socket, void* to, size_t bytes, int flags), (socket, to, bytes, flags), to, bytes,
              Use::writes)
HPML_BUFFERED(ssize_t, recvfrom, (int socket, void* to, size_t bytes, int flags, sockaddr* address, socklen_t* length),
              (socket, to, bytes, flags, address, length), to, bytes, Use::writes)
HPML_BUFFERED(ssize_t, recvmsg, (int socket, msghdr* message, int flags), (socket, message, flags), message,
              Use::writes)

// What _FORTIFY_SOURCE makes of the reading ones; `room`: of the whole buffer.
HPML_BUFFERED(ssize_t, __read_chk, (int file, void* to, size_t bytes, size_t room), (file, to, bytes, room), to, bytes,
              Use::writes)
HPML_BUFFERED(ssize_t, __pread_chk, (int file, void* to, size_t bytes, off_t at, size_t room),
              (file, to, bytes, at, room), to, bytes, Use::writes)
HPML_BUFFERED(ssize_t, __pread64_chk, (int file, void* to, size_t bytes, off64_t at, size_t room),
              (file, to, bytes, at, room), to, bytes, Use::writes)
HPML_BUFFERED(size_t, __fread_chk, (void* to, size_t room, size_t size, size_t n, FILE* file),
              (to, room, size, n, file), to, size* n, Use::writes)
HPML_BUFFERED(ssize_t, __recv_chk, (int socket, void* to, size_t bytes, size_t room, int flags),
              (socket, to, bytes, room, flags), to, bytes, Use::writes)
