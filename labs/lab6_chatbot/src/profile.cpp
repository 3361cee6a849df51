// P1: where the time of a training step goes.
#include "profile.hpp"

namespace lab6 {

// Step 1: for every span, the time of the spans directly inside it. Step 2: add up by name and pass, sort.
std::vector<OperatorRow> top_operators(std::span<const Event> events) {
  (void)events;
  return {};
}

// Step 3.
std::string chrome_trace(std::span<const Event> events) {
  (void)events;
  return "{}";
}

}  // namespace lab6
