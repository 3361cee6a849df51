// hpml-relay: runs an MPI program with one filtered process per rank, and carries, counts and times all its messages.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "common/relay/jail/control.hpp"
#include "common/relay/jail/program.hpp"
#include "common/relay/router/server.hpp"

namespace {

using namespace hpml::relay;

constexpr int kFailed = 1;
constexpr int kUsage = 2;
constexpr int kMachine = 3;
constexpr std::uint32_t kMostRanks = 4096;

struct Options {
  std::uint32_t ranks = 0;
  double latency_s = 0;
  double bytes_per_s = 0;
  std::vector<double> group;
  std::vector<std::uint32_t> placement;
  std::string report;
  bool timeline = false;
  double test_s = Settings{}.test_s;
  std::uint32_t envelope_bytes = Settings{}.envelope_bytes;
  TimeBounds bounds = {60, 300};
  std::uint64_t held_mb = Limits{}.held_bytes >> 20;
  std::size_t output_kb = 64;
  long memory_mb = 0;
  int listener = -1;
  std::vector<std::string> program;
};

void add_options(CLI::App& app, Options& options) {
  app.add_option("-n,--ranks", options.ranks, "number of ranks")->required()->check(CLI::Range(1u, kMostRanks));
  app.add_option("--latency", options.latency_s, "seconds from rank to rank")->required()->check(CLI::PositiveNumber);
  app.add_option("--bandwidth", options.bytes_per_s, "bytes per second into and out of a rank")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--group", options.group,
                 "HOSTS LATENCY BANDWIDTH: hosts in a group, and what the way between groups adds and lets through")
      ->expected(3);
  app.add_option("--placement", options.placement, "the host of each rank, separated by commas; default: 0,1,2,...")
      ->delimiter(',');
  app.add_option("--report", options.report, "file for the report, JSON")->required();
  app.add_flag("--timeline", options.timeline, "put every message and call into the report");
  app.add_option("--test-cost", options.test_s, "virtual seconds of a test or probe")->check(CLI::PositiveNumber);
  app.add_option("--envelope", options.envelope_bytes, "bytes that every message adds on the network");
  app.add_option("--cpu", options.bounds.cpu_s, "seconds of processor time for all ranks together")
      ->check(CLI::PositiveNumber);
  app.add_option("--wall", options.bounds.wall_s, "real seconds for the run")->check(CLI::PositiveNumber);
  app.add_option("--held-mb", options.held_mb, "memory for messages under way")->check(CLI::Range(1, 1 << 20));
  app.add_option("--output-kb", options.output_kb, "standard output, and error, of each rank")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--memory-mb", options.memory_mb, "private memory of each rank; 0: no limit")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--listen-fd", options.listener,
                 "do not start the ranks: wait on this listening socket for hpml-relay-ranks");
  app.add_option("program", options.program, "the ranks' program and its arguments");
  app.positionals_at_end();
}

hpml::Result<Platform> platform(const Options& options) {
  std::optional<Groups> groups;
  if (!options.group.empty()) {
    groups = Groups{static_cast<std::uint32_t>(options.group[0]), {options.group[1], options.group[2]}};
  }
  return Platform::make(options.ranks, {options.latency_s, options.bytes_per_s}, groups, options.placement);
}

// Three descriptors for each rank.
void raise_descriptor_limit() {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

// hpml-relay-ranks beside this program, as a child with the control socket.
Handle start_launcher(const Options& options, pid_t* started) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
    return Handle();
  }
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<std::string> words = {self.parent_path() / "hpml-relay-ranks", "--memory-mb",
                                    std::to_string(options.memory_mb), "--"};
  words.insert(words.end(), options.program.begin(), options.program.end());
  std::vector<char*> arguments;
  for (std::string& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    if (dup2(sockets[1], jail::kControlSocket) == jail::kControlSocket) {
      fcntl(jail::kControlSocket, F_SETFD, 0);
      execv(arguments[0], arguments.data());
    }
    _exit(kMachine);
  }
  close(sockets[1]);
  Handle ours(sockets[0]);
  *started = child;
  return child < 0 ? Handle() : std::move(ours);
}

Handle accept_launcher(const Options& options) {
  Handle listener(options.listener);
  pollfd waiting = {options.listener, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(options.bounds.wall_s * 1000)) != 1) {
    return Handle();
  }
  return Handle(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
}

int usage(const std::string& problem) {
  fprintf(stderr, "hpml-relay: %s\n", problem.c_str());
  return kUsage;
}

int status_of(const Verdict& verdict) {
  if (verdict.state == "done") {
    return 0;
  }
  return verdict.state == "machine" ? kMachine : kFailed;
}

int relay(const Options& options) {
  const hpml::Result<Platform> network = platform(options);
  if (!network.ok()) {
    return usage(network.error().message);
  }
  if ((options.listener < 0) == options.program.empty()) {
    return usage("give either a program or --listen-fd");
  }
  if (options.listener < 0) {
    if (const std::string problem = jail::why_no_rank(options.program[0]); !problem.empty()) {
      return usage(options.program[0] + ": " + problem);
    }
  }
  raise_descriptor_limit();
  // A process that is woken waits for its turn instead of interrupting: router and ranks then work in rounds, with half
  // as many changes between processes. The ranks inherit it.
  const sched_param normal = {};
  sched_setscheduler(0, SCHED_BATCH, &normal);
  Limits limits;
  limits.held_bytes = options.held_mb << 20;
  limits.message_bytes = std::min(limits.message_bytes, limits.held_bytes);
  Engine engine({options.ranks, options.test_s, options.envelope_bytes, options.timeline}, *network, limits);
  const auto begin = std::chrono::steady_clock::now();
  pid_t launcher = -1;
  Handle control = options.listener < 0 ? start_launcher(options, &launcher) : accept_launcher(options);
  if (!control.open()) {
    fprintf(stderr, "hpml-relay: the launcher of the ranks did not start: %s\n", strerror(errno));
    return kMachine;
  }
  Server server(engine, options.ranks, limits, std::move(control), options.bounds, options.output_kb << 10);
  server.run();
  if (launcher > 0) {
    waitpid(launcher, nullptr, 0);
  }
  const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::ofstream file(options.report, std::ios::binary);
  file << report(engine.run(), *network, server.outputs(), options.timeline)
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
       << "\n";
  if (!file.flush()) {
    fprintf(stderr, "hpml-relay: %s: cannot be written\n", options.report.c_str());
    return kMachine;
  }
  const Verdict& verdict = engine.run().verdict;
  fprintf(stderr, "hpml-relay: %s%s%s (%u ranks, %llu messages, %.2f s)\n", verdict.state.c_str(),
          verdict.message.empty() ? "" : ": ", verdict.message.c_str(), options.ranks,
          static_cast<unsigned long long>(engine.run().message_count), wall_s);
  return status_of(verdict);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs an MPI program with one filtered process per rank; carries, counts and times all its messages");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsage;
  }
  return relay(options);
}
