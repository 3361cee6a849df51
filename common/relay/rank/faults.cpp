#include "common/relay/rank/faults.hpp"

#include <signal.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <cstring>

#include "common/relay/jail/filter.hpp"
#include "common/relay/rank/channel.hpp"

namespace hpml::relay {
namespace {

[[noreturn]] void tell(std::uint32_t what) {
  channel().put({.op = Op::forbidden, .count = what});
  channel().flush();
  _exit(1);
}

bool reads_clock([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  const auto* code = reinterpret_cast<const unsigned char*>(context.uc_mcontext.gregs[REG_RIP]);
  return (code[0] == 0x0f && code[1] == 0x31) || (code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9);
#elif defined(__aarch64__)
  std::uint32_t code = 0;
  memcpy(&code, reinterpret_cast<const void*>(context.uc_mcontext.pc), sizeof code);
  const std::uint32_t counter = code & ~0x1fu;  // mrs of CNTVCT_EL0 or CNTVCTSS_EL0, to any register
  return counter == 0xd53be040 || counter == 0xd53be0c0;
#else
#error "which instruction reads the time-stamp counter of this processor?"
#endif
}

void on_refused_call(int, siginfo_t* info, void*) { tell(static_cast<std::uint32_t>(info->si_syscall)); }

// SA_RESETHAND: any other fault happens again at once, and without this handler it ends the rank.
void on_fault(int, siginfo_t*, void* context) {
  if (reads_clock(*static_cast<const ucontext_t*>(context))) {
    tell(kClockRead);
  }
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action = {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  if (sigaction(signal, &action, nullptr) != 0) {
    fail("this program was not started by hpml-relay");
  }
}

}  // namespace

void report_forbidden_calls() {
  handle(SIGSYS, on_refused_call, 0);
  handle(SIGSEGV, on_fault, static_cast<int>(SA_RESETHAND));
  if (!jail::close_filter()) {
    fail("this program was not started by hpml-relay");
  }
}

}  // namespace hpml::relay
