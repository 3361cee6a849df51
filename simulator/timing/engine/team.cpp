#include "simulator/timing/engine/team.hpp"

#include <csignal>

namespace hpml::sim::timing {

namespace {

// Looks, one after the other, before a waiting thread gives its processor away.
constexpr int kPatience = 20'000;

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

Team::Team(unsigned threads, unsigned shares) : taken_(shares) {
  // Signals are the program's: none of its handlers runs on a thread that it knows nothing of.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < threads; ++i) {
    helpers_.emplace_back([this, i, threads, shares] { help(i * shares / threads); });
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Team::~Team() {
  over_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& helper : helpers_) {
    helper.join();
  }
}

// Takes what nobody has taken yet, from share `first` on; returns how many. One that comes late, after the round has
// ended, finds nothing: every share has been taken then.
unsigned Team::take_shares(unsigned first, uint32_t round) {
  unsigned count = 0;
  for (unsigned i = 0; i < shares(); ++i) {
    const unsigned share = (first + i) % shares();
    uint32_t before = round - 1;
    if (taken_[share].compare_exchange_strong(before, round, std::memory_order_acq_rel)) {
      (*work_)(share);
      ++count;
    }
  }
  return count;
}

void Team::run(const std::function<void(unsigned)>& work) {
  work_ = &work;
  done_.store(0, std::memory_order_relaxed);
  const uint32_t round = round_.fetch_add(1, std::memory_order_release) + 1;
  round_.notify_all();
  const unsigned left = shares() - take_shares(0, round);
  for (int looks = 0; done_.load(std::memory_order_acquire) != left; ++looks) {
    looks < kPatience ? relax() : std::this_thread::yield();
  }
}

void Team::help(unsigned first) {
  for (uint32_t seen = 0;;) {
    uint32_t round = round_.load(std::memory_order_acquire);
    for (int looks = 0; round == seen; round = round_.load(std::memory_order_acquire)) {
      ++looks < kPatience ? relax() : round_.wait(seen, std::memory_order_acquire);
    }
    seen = round;
    if (over_.load(std::memory_order_relaxed)) {
      return;
    }
    if (const unsigned count = take_shares(first, round); count > 0) {
      done_.fetch_add(count, std::memory_order_release);
    }
  }
}

}  // namespace hpml::sim::timing
