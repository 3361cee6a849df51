#pragma once
#include <string>
#include <vector>

#include "common/worker/buffers.hpp"

namespace hpml::worker {

// The command of a worker in Python (serve.py), for Host::start() with the same layout. `adapter`: a file of the lab
// that loads the student's module, which `arguments` may name, and calls it.
std::vector<std::string> python_worker(const Layout& layout, const std::string& adapter,
                                       const std::vector<std::string>& arguments);

}  // namespace hpml::worker
