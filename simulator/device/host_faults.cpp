#include "simulator/device/host_faults.hpp"

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "simulator/memory/address_space.hpp"

namespace hpml::sim::device {
namespace {

struct Watch {
  std::atomic<HostFaultWatcher*> watcher{nullptr};
  uint64_t base = 0, bytes = 0;  // written before watcher is set
};

std::array<Watch, memory::kMaxGpus> watches;
struct sigaction previous;
bool installed = false;  // our handler, with `previous` behind it

bool is_write_fault([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  constexpr long kWriteBit = 2;  // page-fault error code, bit 1
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#else
  return true;
#endif
}

bool offer(uint64_t address, const void* context) {
  for (Watch& watch : watches) {
    HostFaultWatcher* watcher = watch.watcher.load(std::memory_order_acquire);
    if (watcher != nullptr && address - watch.base < watch.bytes) {
      return watcher->host_fault(address, is_write_fault(context));
    }
  }
  return false;
}

void on_segv(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const bool handled = offer(reinterpret_cast<uint64_t>(info->si_addr), context);
  errno = saved_errno;
  if (handled) {
    return;
  }
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(signal, info, context);
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    sigaction(SIGSEGV, &previous, nullptr);  // the access is repeated and has its old effect
  }
}

}  // namespace

bool segv_action_behind(const struct sigaction* wanted, struct sigaction* old) {
  if (!installed) {
    return false;
  }
  const struct sigaction before = previous;
  if (wanted != nullptr) {
    previous = *wanted;
  }
  if (old != nullptr) {
    *old = before;
  }
  return true;
}

void keep_host_fault_handler_first() {
  struct sigaction current {};
  sigaction(SIGSEGV, nullptr, &current);
  if ((current.sa_flags & SA_SIGINFO) != 0 && current.sa_sigaction == on_segv) {
    return;
  }
  previous = current;
  struct sigaction ours {};
  ours.sa_sigaction = on_segv;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  sigaction(SIGSEGV, &ours, nullptr);
  installed = true;
}

void watch_host_faults(int slot, uint64_t base, uint64_t bytes, HostFaultWatcher* watcher) {
  Watch& watch = watches[static_cast<size_t>(slot)];
  watch.base = base;
  watch.bytes = bytes;
  watch.watcher.store(watcher, std::memory_order_release);
  keep_host_fault_handler_first();
}

void unwatch_host_faults(int slot) {
  watches[static_cast<size_t>(slot)].watcher.store(nullptr, std::memory_order_release);
}

}  // namespace hpml::sim::device
