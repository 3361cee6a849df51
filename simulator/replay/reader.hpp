#pragma once
// Reads a recording. It was written by a process that student code lived in: every length is checked, nothing is
// believed, and no allocation is larger than the file.
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "common/base/result.hpp"
#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

class Reader {
 public:
  // Both must outlive it. name: for messages.
  Reader(std::span<const std::byte> bytes, std::string name) : bytes_(bytes), name_(std::move(name)) {}

  Result<void> check_header();
  // None at the end of the file.
  Result<std::optional<Event>> next();
  size_t position() const { return at_; }

 private:
  std::span<const std::byte> bytes_;
  std::string name_;
  size_t at_ = 0;
};

}  // namespace hpml::sim::replay
