#include "common/worker/fresh.hpp"

namespace hpml::worker {

Random unpredictable() {
  std::random_device device;
  const uint64_t high = device();
  return Random(high << 32 | device());
}

}  // namespace hpml::worker
