// hpml-relay-ranks: starts the ranks of a run, inside the sandbox, for the router outside it.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "common/relay/jail/launcher.hpp"
#include "common/relay/jail/program.hpp"

namespace {

constexpr int kUsage = 2;
constexpr int kMachine = 3;

int connect_to(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path, path.c_str(), path.size());
  const int control = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  return connect(control, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? control : -1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Starts the ranks of a run for hpml-relay, each behind a filter of system calls");
  std::string path;
  long memory_mb = 0;
  std::vector<std::string> arguments, own;
  app.add_option("--connect", path, "socket of hpml-relay --listen; default: descriptor 3");
  app.add_option("--memory-mb", memory_mb, "private memory of each rank; 0: no limit")->check(CLI::NonNegativeNumber);
  app.add_option("--own", own, "a value for each rank, in its environment as HPML_OWN: no rank can know another's")
      ->delimiter(',');
  app.add_option("program", arguments, "the ranks' program and its arguments")->required();
  app.positionals_at_end();
  CLI11_PARSE(app, argc, argv);
  if (const std::string problem = hpml::relay::jail::why_no_rank(arguments[0]); !problem.empty()) {
    fprintf(stderr, "hpml-relay-ranks: %s: %s\n", arguments[0].c_str(), problem.c_str());
    return kUsage;
  }
  const int control = path.empty() ? hpml::relay::jail::kControlSocket : connect_to(path);
  if (control < 0) {
    fprintf(stderr, "hpml-relay-ranks: %s: %s\n", path.c_str(), strerror(errno));
    return kMachine;
  }
  return hpml::relay::jail::Launcher(control, std::move(arguments), std::move(own), memory_mb).run();
}
