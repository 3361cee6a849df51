// Compiled with -mavx2 -mfma.
#if defined(__x86_64__)
#include "common/bench/kernels/levels.hpp"
#include "common/bench/kernels/vectors.hpp"

namespace hpml::bench {

const KernelTable kAvx2 = table_of<32>("avx2", true);

}  // namespace hpml::bench
#endif
