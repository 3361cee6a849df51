#pragma once
// The options of cuModuleLoadDataEx, cuLinkCreate and cuLibraryLoad*. Their only effect here are the two logs: the
// others steer a compiler that this GPU does not have.
#include <string>

#include "simulator/cuda_driver/result.hpp"

namespace hpml::sim::cuda_driver {

class JitOptions {
 public:
  // The arrays are the caller's and outlive this object. error() tells of an option that does not exist.
  JitOptions(unsigned count, const int* options, void** values);
  Error error() const { return error_; }

  // Ends the compilation: fills the logs and what is asked back. A message that the program has no log for goes to
  // stderr, as nobody would see it otherwise.
  void finish(const std::string& error_message) const;

 private:
  struct LogBuffer {
    char* text = nullptr;
    void** size = nullptr;  // its room; then, how much of it was used
    void fill(const std::string& message) const;
  };
  LogBuffer info_, errors_;
  void** wall_time_ = nullptr;
  Error error_ = Error::success;
};

}  // namespace hpml::sim::cuda_driver
