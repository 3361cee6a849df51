#include "common/worker/filter.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "common/worker/descriptor.hpp"
#include "common/worker/own_process.h"

namespace hpml::worker {

namespace {

bool install(sock_filter* program, size_t length) {
  const sock_fprog filter = {static_cast<unsigned short>(length), program};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace

bool enter_filter() {
  const char* path = std::getenv("HPML_FILTER");
  if (path == nullptr) {
    return true;
  }
  const Descriptor file(open(path, O_RDONLY | O_CLOEXEC));
  std::array<sock_filter, BPF_MAXINSNS> program{};
  const ssize_t bytes = read(file.number(), program.data(), sizeof program);
  if (bytes <= 0 || bytes % static_cast<ssize_t>(sizeof(sock_filter)) != 0) {
    return false;
  }
  std::array<sock_filter, HPML_OWN_PROCESS_FILTER> own{};
  hpml_own_process_filter(own.data());
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install(own.data(), own.size()) &&
         install(program.data(), static_cast<size_t>(bytes) / sizeof(sock_filter));
}

}  // namespace hpml::worker
