#pragma once
// The side of Host that code under test lives in.
#include <string>
#include <vector>

#include "common/worker/host.hpp"

namespace hpml::worker {

// Turns this process, a fresh copy, into a worker: loads, answers 0, then answers each request. Never returns.
[[noreturn]] void serve(const Load& load, const Buffers& buffers, int requests, int answers);

// Turns this process into another program that is a worker (serve.py, or another implementation of protocol.hpp).
[[noreturn]] void execute(const std::vector<std::string>& command, const Buffers& buffers, int requests, int answers);

}  // namespace hpml::worker
