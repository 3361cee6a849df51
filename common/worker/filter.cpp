#include "common/worker/filter.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "common/worker/descriptor.hpp"

namespace hpml::worker {

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
  const sock_fprog filter = {static_cast<unsigned short>(bytes / static_cast<ssize_t>(sizeof(sock_filter))),
                             program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace hpml::worker
