#pragma once
// What a control group allows this process of the processors, and how often it has held it back.
#include <cstdint>
#include <filesystem>
#include <limits>

namespace hpml::bench {

struct Quota {
  double processors = std::numeric_limits<double>::infinity();  // the smallest of all groups around this process
  int64_t held_back = 0;                                        // periods in which a group had used up its share
};

// root: where proc/ and sys/ lie; a test brings its own. Both versions of control groups; what cannot be read, as in a
// sandbox without them, limits nothing.
Quota processor_quota(const std::filesystem::path& root = "/");

}  // namespace hpml::bench
