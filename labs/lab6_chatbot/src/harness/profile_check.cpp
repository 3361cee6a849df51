// profile top|trace: HPML_TEXT is a JSON list of events [name, pass, thread, start_ns, duration_ns, flops, bytes]; prints
// the rows of top_operators(), or the trace.
#include <nlohmann/json.hpp>

#include "harness/check.hpp"
#include "profile.hpp"

int main(int argc, char** argv) {
  const char* text = std::getenv("HPML_TEXT");
  if (argc != 2 || text == nullptr) {
    check::fail("usage: HPML_TEXT=... profile top|trace");
  }
  std::vector<lab6::Event> events;
  for (const nlohmann::json& event : nlohmann::json::parse(text)) {
    events.push_back({event[0], event[1], event[2], event[3], event[4], event[5], event[6]});
  }
  if (std::string_view(argv[1]) == "trace") {
    std::printf("%s\n", lab6::chrome_trace(events).c_str());
    return 0;
  }
  nlohmann::json rows = nlohmann::json::array();
  for (const lab6::OperatorRow& row : lab6::top_operators(events)) {
    rows.push_back({row.name, row.pass, row.calls, row.self_ns, row.self_flops, row.share});
  }
  std::printf("%s\n", rows.dump().c_str());
  return 0;
}
