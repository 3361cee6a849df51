// sweep_config: one line of JSON per sweep file of LAB6_FILES, a list of texts: what was read, or {"line", "error"}.
#include <cstdio>

#include "harness/sweep_json.hpp"

int main() {
  using namespace lab6::sweep;
  for (const auto& text : json_from_environment("LAB6_FILES")) {
    nlohmann::json result;
    try {
      result = json_of(parse_sweep(text.get<std::string>()));
    } catch (const SweepError& error) {
      result = {{"line", error.line}, {"error", error.what()}};
    }
    std::printf("%s\n", result.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace).c_str());
    std::fflush(stdout);
  }
  return 0;
}
