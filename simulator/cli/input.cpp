#include "simulator/cli/input.hpp"

#include <errno.h>
#include <string.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace hpml::sim::cli {

Result<std::string> read_input(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    return error_in(path, "is a folder, a file was expected");
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return error_in(path, std::string("cannot be read: ") + strerror(errno));
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace hpml::sim::cli
