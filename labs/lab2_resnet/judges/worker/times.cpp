// C2: the student's loop over a loader and a device that sleep, in this process.
#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "common/worker/fresh.hpp"
#include "session.hpp"

namespace hpml::lab2 {
namespace {

using Clock = std::chrono::steady_clock;

// Sleeps and adds up how long that took.
class Sleeper {
 public:
  void sleep(double s) {
    const auto start = Clock::now();
    std::this_thread::sleep_for(std::chrono::duration<double>(s));
    slept_s += std::chrono::duration<double>(Clock::now() - start).count();
  }
  double slept_s = 0;
};

struct Sleeps {
  double load_s = 0, submit_s = 0, device_s = 0;  // of one step
};

// Batches of these sizes, and a model that only queues its work: synchronize() waits for the device.
class Slow {
 public:
  Slow(std::vector<int> sizes, Sleeps sleeps, std::vector<int> correct)
      : sizes_(std::move(sizes)), correct_(std::move(correct)), sleeps_(sleeps) {}

  Answer<int64_t> reply(const Event& event) {
    switch (event.called) {
      case Called::next: return next();
      case Called::train_step:
      case Called::evaluate: submit(); return 0;
      case Called::update: ++updates; return 0;
      case Called::synchronize: wait(); return 0;
      case Called::loss: wait(); return std::bit_cast<int64_t>(0.5 * steps_);
      case Called::correct: wait(); return right();
      default:
        fmt::print("step {} {} {} {:.17g} {:.17g}\n", event.epoch, event.step, event.samples, event.loss, event.top1);
        return 0;
    }
  }

  Sleeper load, train;
  int updates = 0;

 private:
  int64_t next() {
    if (next_ == sizes_.size()) {
      return 0;
    }
    load.sleep(sleeps_.load_s);
    return sizes_[next_++];
  }
  void submit() {
    train.sleep(sleeps_.submit_s);
    queued_s_ += sleeps_.device_s;
    ++steps_;
  }
  void wait() {
    train.sleep(queued_s_);
    queued_s_ = 0;
  }
  int64_t right() const {
    const auto last = static_cast<size_t>(steps_ - 1);
    return last < correct_.size() ? correct_[last] : steps_;
  }

  std::vector<int> sizes_, correct_;
  Sleeps sleeps_;
  size_t next_ = 0;
  double queued_s_ = 0;
  int steps_ = 0;
};

Answer<std::unique_ptr<Session>> session_of(const std::string& library) {
  return Session::start(1, [&library]() -> Session::Student { return {table_of<hosted::Loop>(library, "lab2_loop")}; });
}

}  // namespace

Answer<Ok> times(Words words) {
  constexpr size_t kWords = 5;
  if (words.size() != kWords) {
    return Failure{worker::kUsage, "usage: lab2_worker times LIBRARY STEPS LOAD_MS SUBMIT_MS DEVICE_MS"};
  }
  HPML_TRY(auto session, session_of(words[0]));
  // Longer than asked for by a random part, so that student code cannot know the length beforehand.
  worker::Random random = worker::unpredictable();
  const auto drawn_s = [&](size_t word) {
    return std::stod(words[word]) * 1e-3 * (1 + std::uniform_real_distribution<double>(0, 0.5)(random));
  };
  std::vector<int> sizes(static_cast<size_t>(std::stoi(words[1])), 10);
  sizes.back() = 4;  // the last batch is smaller
  const Sleeps sleeps{drawn_s(2), drawn_s(3), drawn_s(4)};
  // A busy machine may hold up a short epoch for longer than is allowed: the judge needs one without such a wait. They sleep
  // equally long, so that more epochs give no more chances to guess the times.
  constexpr int kEpochs = 3;
  for (int i = 0; i < kEpochs; ++i) {
    Slow slow(sizes, sleeps, {});
    HPML_TRY(const Event end, session->run(Session::Part::train_epoch, 3, static_cast<int>(sizes.size()),
                                           [&](const Event& event) { return slow.reply(event); }));
    fmt::print("epoch {:.9f} {:.9f} {:.9f} {:.17g} {:.17g}\n", end.load_s, end.train_s, end.total_s, end.loss, end.top1);
    fmt::print("slept {:.9f} {:.9f} updates {}\n", slow.load.slept_s, slow.train.slept_s, slow.updates);
  }
  return Ok{};
}

Answer<Ok> evaluate(Words words) {
  HPML_TRY(auto session, session_of(words[0]));
  std::vector<int> sizes, correct;
  for (const std::string& pair : words.subspan(1)) {
    sizes.push_back(std::stoi(pair));
    correct.push_back(std::stoi(pair.substr(pair.find(':') + 1)));
  }
  Slow slow(sizes, {}, correct);
  HPML_TRY(const Event end, session->run(Session::Part::evaluate, 0, static_cast<int>(sizes.size()),
                                         [&](const Event& event) { return slow.reply(event); }));
  fmt::print("{:.17g}\n", end.top1);
  return Ok{};
}

}  // namespace hpml::lab2
