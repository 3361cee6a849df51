// The same program for sm_75.
#include "block_barrier.cu"
