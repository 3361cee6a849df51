#include "simulator/debug_front/source.hpp"

#include <fstream>

namespace hpml::sim::debug_front {

const std::vector<std::string>& Sources::read(const std::string& file) {
  const auto [it, added] = files_.try_emplace(file);
  if (added) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      it->second.push_back(line);
    }
  }
  return it->second;
}

std::optional<std::string> Sources::line(const std::string& file, int number) {
  const std::vector<std::string>& lines = read(file);
  if (number < 1 || static_cast<size_t>(number) > lines.size()) {
    return std::nullopt;
  }
  return lines[static_cast<size_t>(number) - 1];
}

int Sources::lines(const std::string& file) { return static_cast<int>(read(file).size()); }

}  // namespace hpml::sim::debug_front
