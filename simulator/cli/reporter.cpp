#include "simulator/cli/reporter.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/paths.hpp"

namespace hpml::sim::cli {
namespace {

// The distribution's own: the one whose packages tools/bootstrap installs.
constexpr const char* kPython = "/usr/bin/python3";

}  // namespace

int become_reporter(const std::vector<std::string>& arguments) {
  // Neither a user's Python settings (-E, -s) nor files beside the sources (-B): the same report everywhere.
  std::vector<std::string> words = {kPython, "-E", "-s", "-B", report_program().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) {
    pointers.push_back(word.data());
  }
  pointers.push_back(nullptr);
  execv(kPython, pointers.data());
  fmt::print(stderr, "gpusim: reports need {}: {}\n", kPython, strerror(errno));
  return kOurFault;
}

int run_reporter(const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(become_reporter(arguments));
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : kOurFault;
}

}  // namespace hpml::sim::cli
