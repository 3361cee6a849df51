// The program waits for host functions by means of its own, and calls nothing of CUDA: each way must end.
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "check.cuh"

__global__ void add(int* p) { atomicAdd(p, 1); }

struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<int> done{0};
};
static Meeting meeting;

static void tell(void*) {
  const std::lock_guard<std::mutex> lock(meeting.mutex);
  ++meeting.done;
  meeting.changed.notify_all();
}
static void tell_as_callback(cudaStream_t, cudaError_t, void*) { tell(nullptr); }
static void write_byte(void* end) {
  const char byte = 'w';
  if (write(*static_cast<int*>(end), &byte, 1) != 1) {
    printf("nothing written\n");
  }
}

// Each thread has a stream, and no thread waits for its own.
static void work(int* counter) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  add<<<1, 32, 0, stream>>>(counter);
  CHECK(cudaStreamAddCallback(stream, tell_as_callback, nullptr, 0));
}

int main() {
  int* counter = device_array<int>(1);
  std::thread first(work, counter), second(work, counter);
  first.join();
  second.join();
  {
    std::unique_lock<std::mutex> lock(meeting.mutex);
    meeting.changed.wait(lock, [] { return meeting.done == 2; });
  }
  printf("a condition: %d\n", meeting.done.load());

  int ends[2];
  if (pipe(ends) != 0) {
    return 1;
  }
  add<<<1, 32>>>(counter);
  CHECK(cudaLaunchHostFunc(nullptr, write_byte, &ends[1]));
  char byte = 0;
  const bool came = read(ends[0], &byte, 1) == 1;
  printf("a pipe: %d %c\n", came, byte);

  CHECK(cudaLaunchHostFunc(nullptr, tell, nullptr));
  while (meeting.done == 2) {
  }
  printf("a loop: %d\n", meeting.done.load());

  add<<<1, 32>>>(counter);
  CHECK(cudaLaunchHostFunc(nullptr, tell, nullptr));
  timespec before{}, after{};
  clock_gettime(CLOCK_MONOTONIC, &before);
  while (meeting.done == 3) {
    usleep(100);
  }
  clock_gettime(CLOCK_MONOTONIC, &after);
  printf("a loop that sleeps: %d, %s\n", meeting.done.load(),
         after.tv_sec - before.tv_sec < 2 ? "not for long" : "for long");

  CHECK(cudaDeviceSynchronize());
  printf("counted %d\n", to_host(counter, 1)[0]);
}
