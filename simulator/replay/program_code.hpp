#pragma once
// The device code that a program file contains: what a recording may claim to have loaded.
#include <set>
#include <string>
#include <tuple>

#include "common/base/result.hpp"
#include "simulator/replay/events.hpp"

namespace hpml::sim::replay {

class ProgramCode {
 public:
  static Result<ProgramCode> read(const std::string& path);

  bool has_ptx(const std::string& text) const;
  bool has(const Resources& resources) const;

 private:
  std::string file_;           // plain PTX text (clang) lies in it as it is
  std::set<std::string> ptx_;  // of its containers
  std::set<std::tuple<std::string, uint32_t, uint32_t, uint32_t>> resources_;
};

}  // namespace hpml::sim::replay
