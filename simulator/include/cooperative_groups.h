// Cooperative groups: thread blocks, tiles of a warp, coalesced threads and their parts, clusters, the grid.
// memcpy_async has a header of its own.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__cplusplus)
#include "hpml/cg_groups.h"
#include "hpml/cg_tile.h"
#include "hpml/cg_coalesced.h"
#include "hpml/cg_partition.h"
#include "hpml/cg_cluster.h"
#include "hpml/cg_grid.h"
#endif
