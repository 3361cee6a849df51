#pragma once
// What a student's kernel is measured against.
namespace hpml::lab1 {

float reference_dot(long n, const float* a, const float* b);

// E2's loop: x[i] = x[i] * factor + step, so many rounds; with one rounding per round (fused), or two.
void reference_peak(long rounds, float factor, float step, long values, float* x);
void reference_peak_fused(long rounds, float factor, float step, long values, float* x);

}  // namespace hpml::lab1
