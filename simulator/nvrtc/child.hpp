#pragma once
// A compiler as a child process, in a folder of its own.
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/result.hpp"

namespace hpml::sim::nvrtc {

// A new folder that only this user can read; removed with the object.
class PrivateFolder {
 public:
  static Result<PrivateFolder> create();
  ~PrivateFolder();
  PrivateFolder(PrivateFolder&& other) noexcept;
  PrivateFolder& operator=(PrivateFolder&&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit PrivateFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Runs the command to its end, without the simulator in front of it; what it prints goes to the file `log`.
// Returns its exit status. Error: it could not be started.
Result<int> run(const std::vector<std::string>& command, const std::filesystem::path& log);

}  // namespace hpml::sim::nvrtc
