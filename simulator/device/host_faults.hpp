#pragma once
// The mechanism behind host page faults on managed memory: SIGSEGV of the program inside a watched range is offered to
// its watcher; everything else goes on to whatever handled the signal before (or kills the program, as it would have).
//
// Process-wide by nature: the kernel knows one handler per signal. The only mutable global state of this room.
#include <signal.h>

#include <cstdint>

namespace hpml::sim::device {

class HostFaultWatcher {
 public:
  virtual ~HostFaultWatcher() = default;
  // Called inside the signal handler, in the thread that touched `address`. True: the page is accessible now and the
  // access is repeated. False: not ours.
  virtual bool host_fault(uint64_t address, bool is_write) = 0;
};

// slot: 0 .. memory::kMaxGpus - 1, one watcher each. Ranges of different slots do not overlap.
void watch_host_faults(int slot, uint64_t base, uint64_t bytes, HostFaultWatcher* watcher);
void unwatch_host_faults(int slot);
// Puts our handler in front again if the program installed its own since.
void keep_host_fault_handler_first();
// The program's sigaction(SIGSEGV, wanted, old), either of which may be null, behind our handler. False: that is not
// installed, so the C library is to be asked.
bool segv_action_behind(const struct sigaction* wanted, struct sigaction* old);

}  // namespace hpml::sim::device
