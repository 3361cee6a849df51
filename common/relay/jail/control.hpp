#pragma once
// What the router and hpml-relay-ranks, which starts the ranks inside the sandbox, say to each other: one packet each,
// over a SOCK_SEQPACKET socket. When the router closes it, the ranks are killed.
#include <cstdint>

namespace hpml::relay::jail {

inline constexpr int kControlSocket = 3;

// Router to launcher. Three descriptors come with it: socket, standard output and standard error of the rank.
struct StartRank {
  std::uint32_t rank = 0;
};
inline constexpr int kDescriptors = 3;

// Launcher to router.
struct News {
  enum Kind : std::uint32_t { started, not_started, ended, used };
  Kind kind = started;
  std::uint32_t rank = 0;
  // not_started: errno; ended: as of waitpid(); used: milliseconds of processor time of all ranks, `rank` having most
  // of it
  std::int32_t status = 0;
};

}  // namespace hpml::relay::jail
