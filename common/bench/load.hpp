#pragma once
// Other work on this machine, on purpose: what a measurement must stand.
#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace hpml::bench {

// Processes that compute (spinners) and that move memory (streamers) for as long as this object lives.
class LoadGenerator {
 public:
  LoadGenerator(int spinners, int streamers);
  ~LoadGenerator();
  LoadGenerator(const LoadGenerator&) = delete;
  LoadGenerator& operator=(const LoadGenerator&) = delete;

 private:
  std::vector<pid_t> processes_;
};

}  // namespace hpml::bench
