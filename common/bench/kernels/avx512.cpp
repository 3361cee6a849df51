// Compiled with -mavx512f.
#if defined(__x86_64__)
#include "common/bench/kernels/levels.hpp"
#include "common/bench/kernels/vectors.hpp"

namespace hpml::bench {

const KernelTable kAvx512 = table_of<64>("avx512", true);

}  // namespace hpml::bench
#endif
