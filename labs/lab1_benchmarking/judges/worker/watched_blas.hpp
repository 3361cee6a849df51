#pragma once
// cblas_sdot of this program stands before the library's (ld.so(8): the program's own names come first), so that a call
// of it is seen with its arguments, also in calls that are timed. All of this lives in the worker.
#include <cstdint>
#include <string>

namespace hpml::lab1 {

// Forwards calls of cblas_sdot to the BLAS that the student's library is linked with, where it is linked with one.
void watch_sdot_of(const std::string& library);

// From now on, calls are to be given these two vectors.
void expect_sdot(int64_t n, const float* a, const float* b);

// How many elements of them were given since, the same ones of both, by one call or several. -1: a call was given
// something else.
int64_t given_to_sdot();

}  // namespace hpml::lab1
