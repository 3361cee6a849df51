#include "fail.h"

#include <cstdio>
#include <cstdlib>

namespace hpml::harness {

void fail(const std::string& sentence) {
  std::fprintf(stderr, "lab4: %s\n", sentence.c_str());
  std::exit(2);
}

}  // namespace hpml::harness
