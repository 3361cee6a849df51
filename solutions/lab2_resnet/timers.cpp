// C1, C2: the training loop, and where its time goes.
#include <chrono>

#include "lab2.hpp"

namespace lab2 {

namespace {

using Clock = std::chrono::steady_clock;
double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

EpochTimes train_epoch(int epoch, Loader& loader, Model& model, StepLog& log) {
  EpochTimes times;
  const auto start = Clock::now();
  loader.start_epoch(epoch);
  Batch batch;
  int64_t samples = 0, correct = 0;
  auto before = Clock::now();
  for (int step = 0; loader.next(batch); ++step) {
    const auto loaded = Clock::now();
    model.train_step(batch);
    model.update();
    model.synchronize();  // the calls above may only have queued the work
    const auto trained = Clock::now();
    times.load_s += seconds(before, loaded);
    times.train_s += seconds(loaded, trained);
    samples += batch.count;
    correct += model.correct();
    times.loss += model.loss() * batch.count;
    log.step(epoch, step, batch.count, model.loss(), static_cast<double>(model.correct()) / batch.count);
    before = Clock::now();
  }
  times.load_s += seconds(before, Clock::now());  // finding out that the epoch is over
  times.total_s = seconds(start, Clock::now());
  times.loss /= static_cast<double>(samples);
  times.top1 = static_cast<double>(correct) / static_cast<double>(samples);
  return times;
}

double evaluate(Loader& loader, Model& model) {
  int64_t samples = 0, correct = 0;
  Batch batch;
  loader.start_epoch(0);
  while (loader.next(batch)) {
    model.evaluate(batch);
    samples += batch.count;
    correct += model.correct();
  }
  return static_cast<double>(correct) / static_cast<double>(samples);
}

}  // namespace lab2

// HPML-CANARY-5e0c71f3b8a94d26
