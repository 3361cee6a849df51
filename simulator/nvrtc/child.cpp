#include "simulator/nvrtc/child.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string_view>
#include <utility>

namespace hpml::sim::nvrtc {
namespace {

// The program's environment without what puts the simulator in front of it: a compiler is no CUDA program.
std::vector<char*> environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (!text.starts_with("LD_PRELOAD=") && !text.starts_with("GPUSIM_")) {
      variables.push_back(*variable);
    }
  }
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

Result<PrivateFolder> PrivateFolder::create() {
  const char* base = getenv("TMPDIR");
  std::string path = fmt::format("{}/nvrtc.XXXXXX", base != nullptr && *base != '\0' ? base : "/tmp");
  if (mkdtemp(path.data()) == nullptr) {
    return error_in(path, fmt::format("cannot make a temporary folder: {}", strerror(errno)));
  }
  return PrivateFolder(path);
}

PrivateFolder::PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

PrivateFolder::~PrivateFolder() {
  if (!path_.empty()) {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
}

Result<int> run(const std::vector<std::string>& command, const std::filesystem::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : command) {
    arguments.push_back(const_cast<char*>(word.c_str()));
  }
  arguments.push_back(nullptr);
  std::vector<char*> variables = environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return error_in(command.front(), fmt::format("cannot be started: {}", strerror(error)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) {
      return error_in(command.front(), fmt::format("its end cannot be seen: {}", strerror(errno)));
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace hpml::sim::nvrtc
