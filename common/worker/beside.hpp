#pragma once
// A program that times itself, run several times, and a reference measured before each of its runs: what disturbs the
// machine for a while disturbs both. hpml_autograder/measuring.py reads the result.
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/worker/failure.hpp"
#include "common/worker/program.hpp"

namespace hpml::worker {

using Work = std::function<Answer<Times>()>;  // does it once

struct Reference {
  std::string name;
  double units = 0;             // of work per call: bytes, operations
  std::vector<Work> ways = {};  // of doing the same; in each call the fastest is the reference
};

// Work of this process.
Work timed(const std::function<void()>& work);

// {"outputs": [text per run], "runs": [times per run], "samples": {name: [times per call]}, "units": {name: number}};
// times are {"wall_ns", "cpu_ns"}.
Answer<nlohmann::json> beside(const std::vector<Reference>& references, const std::vector<std::string>& command,
                              int rounds);

}  // namespace hpml::worker
