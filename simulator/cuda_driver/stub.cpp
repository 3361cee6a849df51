// Entry points that this library lacks: each is a generated function that ends here.
#include "simulator/cuda_driver/frame.hpp"

namespace hpml::sim::cudart {
int not_supported(const char* name);
}

namespace hpml::sim::cuda_driver {

int not_supported(const char* name) {
  const AskedAs asked(name);
  return cudart::not_supported(name);
}

}  // namespace hpml::sim::cuda_driver
