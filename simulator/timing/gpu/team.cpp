#include "simulator/timing/gpu/team.hpp"

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

Team::Team(unsigned threads, unsigned shares) : threads_(threads), taken_(shares) {
  // Signals are the program's: none of its handlers runs on a thread that it knows nothing of.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < threads; ++i) {
    helpers_.emplace_back([this, i] { help(i); });
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

// False: somebody has it, or its round is over.
bool Team::take(unsigned share, uint32_t round) {
  std::atomic<uint32_t>& taken = taken_[share].round;
  uint32_t before = round - 1;
  return taken.load(std::memory_order_relaxed) == before &&
         taken.compare_exchange_strong(before, round, std::memory_order_acq_rel);
}

// First the thread's own, the same in every round: what they work on is in this processor's caches. Then what others
// have not come to yet, the last first. Returns how many.
unsigned Team::take_shares(unsigned thread, uint32_t round) {
  unsigned count = 0;
  const auto try_share = [&](unsigned share) {
    if (take(share, round)) {
      (*work_)(share);
      ++count;
    }
  };
  for (unsigned share = first_share(thread); share < first_share(thread + 1); ++share) {
    try_share(share);
  }
  for (unsigned share = shares(); share > 0; --share) {
    try_share(share - 1);
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

void Team::help(unsigned thread) {
  for (uint32_t seen = 0;;) {
    uint32_t round = round_.load(std::memory_order_acquire);
    for (int looks = 0; round == seen; round = round_.load(std::memory_order_acquire)) {
      ++looks < kPatience ? relax() : round_.wait(seen, std::memory_order_acquire);
    }
    seen = round;
    if (over_.load(std::memory_order_relaxed)) {
      return;
    }
    if (const unsigned count = take_shares(thread, round); count > 0) {
      done_.fetch_add(count, std::memory_order_release);
    }
  }
}

}  // namespace hpml::sim::timing
