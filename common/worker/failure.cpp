#include "common/worker/failure.hpp"

#include <cerrno>
#include <cstring>

namespace hpml::worker {

Failure system_failure(const std::string& what) { return {kOurFault, what + ": " + std::strerror(errno)}; }

}  // namespace hpml::worker
