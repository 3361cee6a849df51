// The one texture call that is a pure function of its arguments.
#include "simulator/cudart/api/common.hpp"

struct CudaChannelFormatDesc {  // cudaChannelFormatDesc
  int x, y, z, w, kind;
};

HPML_CUDA_API CudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {x, y, z, w, kind};
}
