#include "common/relay/jail/bpf.hpp"

#include <linux/audit.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hpml::relay::jail {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kX32 = 0x40000000;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kX32 = 0;
#else
#error "which AUDIT_ARCH is this?"
#endif

constexpr std::size_t kPerArgument = 6;  // instructions of a comparison: both halves loaded, masked, compared

}  // namespace

Bpf::Bpf() {
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  load(offsetof(seccomp_data, nr));
  if (kX32 != 0) {
    add(BPF_JMP | BPF_JSET | BPF_K, kX32, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
  }
}

void Bpf::add(std::uint16_t code, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
  code_.push_back({code, if_true, if_false, value});
}

void Bpf::load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }

void Bpf::rule(long call, std::uint32_t action, std::initializer_list<Argument> arguments) {
  // The number of the call is in the accumulator here and after the rule.
  const std::size_t length = arguments.size() == 0 ? 1 : kPerArgument * arguments.size() + 2;
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, static_cast<std::uint8_t>(length));
  std::size_t left = kPerArgument * arguments.size();
  for (const Argument& argument : arguments) {
    for (const unsigned half : {0u, 1u}) {  // little-endian, as both architectures are
      load(offsetof(seccomp_data, args) + 8 * argument.index + 4 * half);
      add(BPF_ALU | BPF_AND | BPF_K, static_cast<std::uint32_t>(argument.mask >> (32 * half)));
      left -= 3;
      const auto value = static_cast<std::uint32_t>((argument.value & argument.mask) >> (32 * half));
      add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<std::uint8_t>(left + 1));
    }
  }
  add(BPF_RET | BPF_K, action);
  if (arguments.size() != 0) {
    load(offsetof(seccomp_data, nr));
  }
}

bool Bpf::install(std::uint32_t otherwise) {
  add(BPF_RET | BPF_K, otherwise);
  const sock_fprog program = {static_cast<unsigned short>(code_.size()), code_.data()};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace hpml::relay::jail
