#include "cells.h"

#include <charconv>

#include "fail.h"

namespace hpml::harness {

std::vector<Cell> parse_cells(int argc, char** argv) {
  std::vector<Cell> cells;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t colon = word.find(':');
    const std::size_t second = word.find(':', colon + 1);
    const std::string number = colon == std::string::npos ? "" : word.substr(colon + 1, second - colon - 1);
    Cell cell{word.substr(0, colon), 0, second == std::string::npos ? "" : word.substr(second + 1)};
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), cell.elements);
    if (error != std::errc() || end != number.data() + number.size()) {
      fail("'" + word + "' is no cell; expected OPERATION:N or OPERATION:N:KIND, such as ring:1000");
    }
    cells.push_back(cell);
  }
  if (cells.empty()) {
    fail("no cells given; expected OPERATION:N, such as ring:1000");
  }
  return cells;
}

}  // namespace hpml::harness
