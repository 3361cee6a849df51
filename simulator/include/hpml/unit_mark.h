// For the host side of a translation unit whose device code holds functions and nothing else. clang registers the device code
// of units with kernels or variables; with this variable it registers that of functions for other units as well.
#pragma once
__device__ int __hpml_unit_mark;
