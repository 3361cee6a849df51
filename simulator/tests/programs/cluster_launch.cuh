// Launches with clusters, for the programs of this folder that are about them.
#pragma once

#include <cooperative_groups.h>

#include "check.cuh"

struct ClusterLaunch {
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t config = {};

  ClusterLaunch(dim3 grid, dim3 block, dim3 cluster, size_t shared = 0) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster.x;
    attribute.val.clusterDim.y = cluster.y;
    attribute.val.clusterDim.z = cluster.z;
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
};
