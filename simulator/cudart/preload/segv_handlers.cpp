// Handlers of SIGSEGV that the program installs stand behind the runtime's, which learns by this signal that the host
// touches managed memory. On a machine with a GPU such an access raises no signal that the program can see.
#include <signal.h>

#include "simulator/cudart/preload/hooks.hpp"

using hpml::sim::preload::Hooks;
using hpml::sim::preload::hooks;
using hpml::sim::preload::next;

HPML_INTERPOSED int sigaction(int signal, const struct sigaction* wanted, struct sigaction* old) noexcept {
  static auto* const real = next<int(int, const struct sigaction*, struct sigaction*)>("sigaction");
  const Hooks* const runtime = signal == SIGSEGV ? hooks() : nullptr;
  return runtime != nullptr && runtime->segv_action(wanted, old) ? 0 : real(signal, wanted, old);
}

// signal(3), glibc: BSD semantics.
HPML_INTERPOSED sighandler_t signal(int signal, sighandler_t handler) noexcept {
  static auto* const real = next<sighandler_t(int, sighandler_t)>("signal");
  const Hooks* const runtime = signal == SIGSEGV ? hooks() : nullptr;
  struct sigaction wanted {};
  struct sigaction old {};
  wanted.sa_handler = handler;
  wanted.sa_flags = SA_RESTART;
  return runtime != nullptr && runtime->segv_action(&wanted, &old) ? old.sa_handler : real(signal, handler);
}
