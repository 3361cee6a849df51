// Numbers and lists as JSON text.
#pragma once

#include <cstdio>
#include <string>

namespace hpml::harness {

inline std::string number(double value) {
  if (!(value - value == 0)) {
    return "null";  // infinite or not a number: JSON has neither
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

}  // namespace hpml::harness
