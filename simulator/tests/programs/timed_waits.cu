// A program under `gpusim run` sees simulated time. A wait with a deadline still returns when another thread, or a host
// function of a stream, signals; a wait that times out moves the program's clock to the deadline.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <future>
#include <mutex>
#include <thread>

#include "check.cuh"

__global__ void nothing() {}

static void compute() {  // some hundredths of a second
  volatile double x = 0;
  for (int i = 0; i < 10'000'000; ++i) {
    x = x + 1;
  }
}

static long milliseconds(const timespec& time) { return time.tv_sec * 1000 + time.tv_nsec / 1'000'000; }
static timespec at(long time) { return {time / 1000, time % 1000 * 1'000'000}; }  // milliseconds

static long now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return milliseconds(time);
}

struct Flag {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_set = false;
  void set() {
    const std::lock_guard lock(mutex);
    is_set = true;
    changed.notify_all();
  }
};

int main() {
  using namespace std::chrono_literals;
  const auto far = 600s;
  {
    Flag flag;
    std::thread other([&] { compute(), flag.set(); });
    std::unique_lock lock(flag.mutex);
    printf("condition variable: %d\n", flag.changed.wait_for(lock, far, [&] { return flag.is_set; }));
    lock.unlock();
    other.join();
  }
  {
    Flag flag;
    nothing<<<1, 1>>>();
    CHECK(cudaLaunchHostFunc(nullptr, [](void* to) { static_cast<Flag*>(to)->set(); }, &flag));
    std::unique_lock lock(flag.mutex);
    printf("host function: %d\n", flag.changed.wait_for(lock, far, [&] { return flag.is_set; }));
    lock.unlock();
    CHECK(cudaDeviceSynchronize());
  }
  {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t real_time = PTHREAD_COND_INITIALIZER, monotonic;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonic, &attributes);
    pthread_mutex_lock(&mutex);
    for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
      pthread_cond_t* condition = clock == CLOCK_REALTIME ? &real_time : &monotonic;
      const long begin = now(clock);
      const timespec start = at(begin), end = at(begin + 200);
      printf("deadline that has passed: %d", pthread_cond_timedwait(condition, &mutex, &start) == ETIMEDOUT);
      printf(", that comes: %d", pthread_cond_timedwait(condition, &mutex, &end) == ETIMEDOUT);
      printf(", after %ld ms\n", now(clock) - begin);
    }
    pthread_mutex_unlock(&mutex);
  }
  {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread other([&] { compute(), sem_post(&semaphore); });
    const timespec end = at(now(CLOCK_REALTIME) + 600'000);
    printf("semaphore: %d\n", sem_timedwait(&semaphore, &end));
    other.join();
  }
  {
    std::timed_mutex mutex;
    std::atomic<bool> held = false;
    std::thread other([&] {
      const std::lock_guard lock(mutex);
      held = true;
      compute();
    });
    while (!held) {
    }
    const bool got = mutex.try_lock_for(far);
    printf("mutex: %d\n", got);
    if (got) {
      mutex.unlock();
    }
    other.join();
  }
  {
    auto value = std::async(std::launch::async, [] { return compute(), 7; });
    const bool ready = value.wait_for(far) == std::future_status::ready;
    printf("future: %d, %d\n", ready, value.get());
  }
  {
    std::atomic<bool> done = false;
    std::thread other([&] { compute(), done = true; });
    sleep(1);
    printf("after a sleep: %d\n", done.load());
    other.join();
  }
}
