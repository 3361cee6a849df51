// search grid FIRST COUNT | random SEED FIRST COUNT | values N: of the sweep in LAB6_SWEEP (JSON), one line of JSON per
// run. grid also prints the number of combinations; values prints each parameter at u = 0, 1/N, ..., (N-1)/N.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/sweep_json.hpp"

namespace {

using namespace lab6::sweep;

void print(const nlohmann::json& json) { std::printf("%s\n", json.dump().c_str()); }

void print_values(const Sweep& sweep, int count) {
  for (const Parameter& parameter : sweep.parameters) {
    nlohmann::json values = nlohmann::json::array();
    for (int i = 0; i < count; ++i) {
      values.push_back(json_of(value_at(parameter, static_cast<double>(i) / count)));
    }
    print({{"name", parameter.name}, {"values", values}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Sweep sweep = sweep_of(json_from_environment("LAB6_SWEEP"));
  const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
  if (argc == 4 && std::strcmp(argv[1], "grid") == 0) {
    print({{"size", grid_size(sweep)}});
    for (uint64_t run = number(2); run < number(2) + number(3); ++run) {
      print(json_of(grid_config(sweep, static_cast<int64_t>(run))));
    }
  } else if (argc == 5 && std::strcmp(argv[1], "random") == 0) {
    for (uint64_t run = number(3); run < number(3) + number(4); ++run) {
      print(json_of(random_config(sweep, number(2), static_cast<int64_t>(run))));
    }
  } else if (argc == 3 && std::strcmp(argv[1], "values") == 0) {
    print_values(sweep, static_cast<int>(number(2)));
  } else {
    std::fprintf(stderr, "usage: search grid FIRST COUNT | random SEED FIRST COUNT | values N\n");
    return 2;
  }
  return 0;
}
