#include "common/bench/kernels/levels.hpp"
#include "common/bench/kernels/vectors.hpp"

namespace hpml::bench {

#if defined(__x86_64__)
const KernelTable kBaseline = table_of<16>("sse2", false);
#elif defined(__aarch64__)
const KernelTable kBaseline = table_of<16>("neon", true);
#else
const KernelTable kBaseline = table_of<16>("generic", false);
#endif

}  // namespace hpml::bench
