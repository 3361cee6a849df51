#pragma once
// Random numbers drawn in kernels, for machines without cuRAND: where the real header is installed, that one is found
// first. Names, states and the order in which numbers are drawn: NVIDIA cuRAND library guide, chapter 3 (device API).
// Bits and uniform numbers are those of NVIDIA's header, one by one. Not here: MTGP32 and discrete distributions.
#include <curand.h>

#ifdef __CUDA__
#include <hpml/random_mrg32k3a.h>
#include <hpml/random_normal.h>
#include <hpml/random_philox.h>
#include <hpml/random_poisson.h>
#include <hpml/random_sobol.h>
#include <hpml/random_uniform.h>
#include <hpml/random_xorwow.h>
#endif
