#pragma once
// A recursive mutex that its owner can give up for a while, however often it has locked it.
#include <mutex>

namespace hpml::sim::cudart {

class CountedMutex {
 public:
  void lock() {
    mutex_.lock();
    ++depth_;
  }
  bool try_lock() {
    const bool locked = mutex_.try_lock();
    depth_ += locked ? 1 : 0;
    return locked;
  }
  void unlock() {
    --depth_;
    mutex_.unlock();
  }

  // Runs `body` unlocked. Precondition: the calling thread has locked it.
  template <class Body>
  void unlocked(Body body) {
    const int depth = depth_;
    for (int i = 0; i < depth; ++i) {
      unlock();
    }
    body();
    for (int i = 0; i < depth; ++i) {
      lock();
    }
  }

 private:
  std::recursive_mutex mutex_;
  int depth_ = 0;  // of its owner
};

}  // namespace hpml::sim::cudart
