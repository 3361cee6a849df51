// The same program for sm_90.
#include "block_barrier.cu"
