// What a launch costs, seen from the host.
//   launch null            one empty kernel at a time; its duration and its start come from the profiler's records
//   launch pipelined       empty kernels back to back: time per launch
//   launch round_trip      empty kernel and cudaDeviceSynchronize()
//   launch spin us=2.9     a kernel of that length: time per kernel with a synchronise each (sync_each), in a stream
//                          (stream), and as a graph of 20 (graph)
//   launch small           scaling 64 KB: time per kernel in a stream and in a graph
#include "bench.cuh"

constexpr int kLaunches = 200, kGraph = 20;

__global__ void nothing() {}

__global__ void scale(double* a, const double* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = 3.0 * b[i];
  }
}

// Host time per launch of `count` launches and one synchronise.
template <class Launch>
static double stream_us(Launch launch, int count) {
  launch(cudaStream_t{});
  check_kernel();
  const double begin = host_us();
  for (int i = 0; i < count; ++i) {
    launch(cudaStream_t{});
  }
  check_kernel();
  return (host_us() - begin) / count;
}

template <class Launch>
static double synchronised_us(Launch launch, int count) {
  launch(cudaStream_t{});
  check_kernel();
  const double begin = host_us();
  for (int i = 0; i < count; ++i) {
    launch(cudaStream_t{});
    CHECK(cudaDeviceSynchronize());
  }
  return (host_us() - begin) / count;
}

// The same launches recorded once and replayed.
template <class Launch>
static void graph_us(Launch launch, int replays) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) {
    fprintf(stderr, "launch: no graphs here\n");
    return;
  }
  for (int i = 0; i < kGraph; ++i) {
    launch(stream);
  }
  cudaGraph_t graph;
  cudaGraphExec_t runnable;
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
  CHECK(cudaGraphLaunch(runnable, stream));
  CHECK(cudaStreamSynchronize(stream));
  const double begin = host_us();
  for (int i = 0; i < replays; ++i) {
    CHECK(cudaGraphLaunch(runnable, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  result("graph", (host_us() - begin) / (replays * kGraph), "us");
}

static void spinning(const Arguments& arguments) {
  int khz = 0;
  CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  // The kernel shall last that long in all; an empty one already takes more than a microsecond.
  const double us = arguments.number("us", 2.9) - 1.3;
  const long long cycles = static_cast<long long>(us * khz * 1e-3);
  const auto launch = [cycles](cudaStream_t stream) { wait_cycles<<<1, 32, 0, stream>>>(cycles); };
  result("sync_each", synchronised_us(launch, kLaunches), "us");
  result("stream", stream_us(launch, kLaunches), "us");
  graph_us(launch, 10);
}

static void small() {
  const int n = 4096;  // 32 KB read, 32 KB written
  double* a = device_array<double>(2 * n);
  const auto launch = [=](cudaStream_t stream) { scale<<<n / 256, 256, 0, stream>>>(a, a + n, n); };
  result("stream", stream_us(launch, kLaunches), "us");
  graph_us(launch, 10);
}

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv);
  const auto empty = [](cudaStream_t stream) { nothing<<<1, 1, 0, stream>>>(); };
  if (arguments.is("null")) {
    result("round_trip", synchronised_us(empty, 10), "us");
  } else if (arguments.is("pipelined")) {
    result("time", stream_us(empty, kLaunches), "us");
  } else if (arguments.is("round_trip")) {
    result("time", synchronised_us(empty, kLaunches), "us");
  } else if (arguments.is("spin")) {
    spinning(arguments);
  } else if (arguments.is("small")) {
    small();
  } else {
    arguments.unknown("null pipelined round_trip spin small");
  }
}
