// timers STEPS LOAD_MS SUBMIT_MS DEVICE_MS: an epoch of a loader and a device that sleep. What train_epoch says, then
// what the sleeps took: load, submit plus device, seconds; then the steps that the log has got. timers evaluate
// COUNT:CORRECT...: the share that evaluate() makes of batches of these sizes.
#include <chrono>
#include <string_view>
#include <thread>

#include "harness/check.hpp"

namespace {

using Clock = std::chrono::steady_clock;
double slept_load = 0, slept_train = 0;

void sleep(double seconds, double& total) {
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  total += std::chrono::duration<double>(Clock::now() - start).count();
}

class SlowLoader : public lab2::Loader {
 public:
  SlowLoader(std::vector<int> sizes, double seconds) : sizes_(std::move(sizes)), seconds_(seconds) {}
  int batches_per_epoch() const override { return static_cast<int>(sizes_.size()); }
  void start_epoch(int) override { next_ = 0; }
  bool next(lab2::Batch& batch) override {
    if (next_ == sizes_.size()) {
      return false;
    }
    sleep(seconds_, slept_load);
    batch.count = sizes_[next_++];
    return true;
  }

 private:
  std::vector<int> sizes_;
  double seconds_;
  size_t next_ = 0;
};

// Calls only queue the work: synchronize() waits for the device.
class SlowModel : public lab2::Model {
 public:
  SlowModel(double submit, double device, std::vector<int> correct)
      : submit_(submit), device_(device), correct_(std::move(correct)) {}
  void train_step(const lab2::Batch&) override {
    sleep(submit_, slept_train);
    queued_ += device_;
    ++steps_;
  }
  void update() override { updates_ += 1; }
  void synchronize() override {
    sleep(queued_, slept_train);
    queued_ = 0;
  }
  double loss() override {
    synchronize();
    return 0.5 * steps_;
  }
  int correct() override {
    synchronize();
    return correct_.empty() ? steps_ : correct_[static_cast<size_t>(steps_ - 1)];
  }
  void evaluate(const lab2::Batch&) override { ++steps_; }
  int updates() const { return updates_; }

 private:
  double submit_, device_, queued_ = 0;
  std::vector<int> correct_;
  int steps_ = 0, updates_ = 0;
};

class PrintedLog : public lab2::StepLog {
 public:
  void step(int epoch, int step, int64_t samples, double loss, double top1) override {
    std::printf("step %d %d %lld %.17g %.17g\n", epoch, step, static_cast<long long>(samples), loss, top1);
  }
};

void evaluate(int argc, char** argv) {
  std::vector<int> sizes, correct;
  for (int i = 2; i < argc; ++i) {
    sizes.push_back(0);
    correct.push_back(0);
    std::sscanf(argv[i], "%d:%d", &sizes.back(), &correct.back());
  }
  SlowLoader loader(sizes, 0);
  SlowModel model(0, 0, correct);
  std::printf("%.17g\n", lab2::evaluate(loader, model));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string_view(argv[1]) == "evaluate") {
    evaluate(argc, argv);
    return 0;
  }
  if (argc != 5) {
    check::fail("usage: timers STEPS LOAD_MS SUBMIT_MS DEVICE_MS | evaluate COUNT:CORRECT...");
  }
  std::vector<int> sizes(static_cast<size_t>(std::atoi(argv[1])), 10);
  sizes.back() = 4;  // the last batch is smaller
  SlowLoader loader(sizes, std::atof(argv[2]) * 1e-3);
  SlowModel model(std::atof(argv[3]) * 1e-3, std::atof(argv[4]) * 1e-3, {});
  PrintedLog log;
  const lab2::EpochTimes t = lab2::train_epoch(3, loader, model, log);
  std::printf("epoch %.9f %.9f %.9f %.17g %.17g\n", t.load_s, t.train_s, t.total_s, t.loss, t.top1);
  std::printf("slept %.9f %.9f updates %d\n", slept_load, slept_train, model.updates());
  return 0;
}
