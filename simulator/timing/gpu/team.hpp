#pragma once
// Threads of the host that share the work of one simulated cycle. It is cut into shares, and who has time takes the
// next: on a busy machine a thread that does not run takes none, and nobody waits for it. A cycle takes microseconds,
// so threads spin while they wait, a moment; then they sleep.
#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace hpml::sim::timing {

class Team {
 public:
  // threads: the caller included; >= 1.
  Team(unsigned threads, unsigned shares);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  unsigned shares() const { return static_cast<unsigned>(taken_.size()); }
  // work(share) for every share, each on one thread; returns when all are done. Whatever was written before is seen by
  // all of them, and what they write by the caller.
  void run(const std::function<void(unsigned share)>& work);

 private:
  // Of each share, on a cache line of its own: the round in which it was last taken.
  struct alignas(64) Taken {
    std::atomic<uint32_t> round = 0;
  };

  void help(unsigned thread);
  unsigned first_share(unsigned thread) const { return thread * shares() / threads_; }
  bool take(unsigned share, uint32_t round);
  unsigned take_shares(unsigned thread, uint32_t round);

  const unsigned threads_;
  std::vector<std::thread> helpers_;
  const std::function<void(unsigned)>* work_ = nullptr;  // of this round
  std::atomic<uint32_t> round_ = 0;
  std::vector<Taken> taken_;        // by share
  std::atomic<unsigned> done_ = 0;  // shares of this round that helpers have done
  std::atomic<bool> over_ = false;
};

}  // namespace hpml::sim::timing
