#pragma once

// y = a x + y for n elements; x and y lie on the GPU. Returns when it is done.
void axpy(float a, const float* x, float* y, int n);
