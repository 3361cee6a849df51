// timers.cpp as a library: the grader's worker calls it with a loader and a device that sleep.
#include "harness/hosted.hpp"

const hosted::Loop* lab2_loop() {
  static constexpr hosted::Loop kLoop = {lab2::train_epoch, lab2::evaluate};
  return &kLoop;
}
