#pragma once
// What the answer to Op::stalls says, as rows of two columns for a view.
#include <string>
#include <utility>
#include <vector>

#include "simulator/debug_front/client.hpp"

namespace hpml::sim::debug_front {

// "for data from global or local memory (long_scoreboard)"
std::string stall_words(const std::string& reason);
// "62 % barrier, 38 % long_scoreboard": those with a tenth at least.
std::string stall_shares(const Json& reasons);
// "row_sums.cu:20"
std::string short_place(const Json& at);
std::vector<std::pair<std::string, std::string>> stall_rows(const Json& result);

}  // namespace hpml::sim::debug_front
