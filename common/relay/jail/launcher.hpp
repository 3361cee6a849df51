#pragma once
#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "common/relay/jail/control.hpp"

namespace hpml::relay::jail {

// Starts ranks as the router asks for them, and tells it when one ends and how much processor time they have used.
class Launcher {
 public:
  // arguments: of every rank, the program's path first. own: what only that rank is told, by rank; may be empty.
  // memory_mb: private memory of each rank, 0 for no limit.
  Launcher(int control, std::vector<std::string> arguments, std::vector<std::string> own, long memory_mb);
  // Until the router closes its end. Returns the exit status of the process.
  int run();

 private:
  bool serve();  // one request; false: the router is gone
  void start(const StartRank& request, const int (&descriptors)[kDescriptors]);
  [[noreturn]] void become_rank(std::uint32_t rank, const int (&descriptors)[kDescriptors]);
  void reap();
  void report_use();
  void kill_all();
  void tell(const News& news) const;

  int control_;
  std::vector<std::string> arguments_, own_;
  std::vector<char*> words_;
  long memory_mb_;
  int children_ended_;  // signalfd
  std::map<pid_t, std::uint32_t> ranks_;
  std::chrono::steady_clock::time_point last_report_;
};

}  // namespace hpml::relay::jail
