#pragma once
// What lab2_worker can do. Each prints what it has measured or computed of student code that runs in another process.
#include <span>
#include <string>

#include "common/worker/failure.hpp"

namespace hpml::lab2 {

using worker::Answer;
using worker::Failure;
using Words = std::span<const std::string>;

// Says it on stderr and returns the exit status.
int complain(const Failure& failure);

// LIBRARY: K1's speed.
Answer<Ok> speed(Words words);
// LIBRARY STEPS LOAD_MS SUBMIT_MS DEVICE_MS: C2's times.
Answer<Ok> times(Words words);
// LIBRARY COUNT:CORRECT...: the share of right samples in batches of these sizes.
Answer<Ok> evaluate(Words words);
// LIBRARY OPTION...: a training, options as of `resnet train`.
Answer<Ok> train(Words words);
// PROGRAM WORD...: runs it and tells its output, its time and how long its threads slept, as JSON.
Answer<Ok> watch(Words words);

}  // namespace hpml::lab2
