#!/bin/sh
# Rebuilds the fat binaries of this folder from tiny.cu. Needs nvcc 13 and clang; run it in this folder.
set -eu
fatbin() {
  name=$1
  shift
  nvcc --fatbin -o "$name.fatbin" "$@" tiny.cu
}
fatbin default -arch=sm_75
fatbin size -arch=sm_75 -compress-mode=size
fatbin speed -arch=sm_75 -compress-mode=speed
fatbin none -arch=sm_75 -compress-mode=none
fatbin rdc -arch=sm_75 -rdc=true
fatbin debug -arch=sm_75 -G
fatbin lineinfo -arch=sm_75 -lineinfo
fatbin multi -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 \
  -gencode arch=compute_80,code=compute_80 -gencode arch=compute_90,code=compute_90
fatbin ptxonly -arch=compute_75
fatbin noptx -gencode arch=compute_75,code=sm_75
