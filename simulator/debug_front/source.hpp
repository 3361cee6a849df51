#pragma once
// Lines of source files, read once.
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hpml::sim::debug_front {

class Sources {
 public:
  // Nothing: the file or the line is not there.
  std::optional<std::string> line(const std::string& file, int number);
  int lines(const std::string& file);

 private:
  const std::vector<std::string>& read(const std::string& file);
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace hpml::sim::debug_front
