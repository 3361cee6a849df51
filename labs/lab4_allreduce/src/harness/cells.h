// What a run is asked to do: cells OPERATION:N[:KIND], one per argument.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hpml::harness {

struct Cell {
  std::string operation;
  std::size_t elements;
  std::string kind;
};

std::vector<Cell> parse_cells(int argc, char** argv);

}  // namespace hpml::harness
