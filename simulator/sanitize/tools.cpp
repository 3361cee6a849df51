#include "simulator/sanitize/tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hpml::sim::sanitize {

std::string_view name(Tool tool) {
  switch (tool) {
    case Tool::memcheck: return "memcheck";
    case Tool::initcheck: return "initcheck";
    case Tool::racecheck: return "racecheck";
    case Tool::synccheck: return "synccheck";
    case Tool::phases: return "phases";
  }
  return "?";
}

Result<Tools> parse_tools(std::string_view list) {
  Tools tools;
  while (true) {
    const std::string_view word = list.substr(0, list.find(','));
    bool known = word == "all";
    for (const Tool tool : kTools) {
      if ((word == "all" && tool != Tool::phases) || word == name(tool)) {
        tools.add(tool);
        known = true;
      }
    }
    if (!known) {
      const std::vector<std::string> names = {"memcheck", "initcheck", "racecheck", "synccheck", "phases", "all"};
      return error_in("--check", fmt::format("there is no check '{}'{}; known: memcheck, initcheck, racecheck, "
                                             "synccheck, phases, all",
                                             word, did_you_mean(std::string(word), names)));
    }
    if (word.size() == list.size()) {
      return tools;
    }
    list.remove_prefix(word.size() + 1);
  }
}

}  // namespace hpml::sim::sanitize
