// A program's handler of SIGSEGV sees its own faults, and no access to managed memory that the GPU has used.
#include <setjmp.h>
#include <signal.h>

#include "check.cuh"

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

static sigjmp_buf back;
static volatile int faults;

static void on_fault(int) {
  faults = faults + 1;
  siglongjmp(back, 1);
}

static void on_fault_with_place(int, siginfo_t*, void*) { on_fault(SIGSEGV); }

static int read_at(const volatile int* place) { return sigsetjmp(back, 1) == 0 ? *place : -1; }

static void report(const char* how, const int* managed) {
  faults = 0;
  const int value = read_at(managed);
  printf("%s: managed memory %d, %d faults", how, value, faults);
  faults = 0;
  const int nowhere = read_at(nullptr);
  printf("; nowhere %d, %d faults\n", nowhere, faults);
}

int main() {
  int* x;
  CHECK(cudaMallocManaged(&x, 32 * sizeof(int)));
  fill<<<1, 32>>>(x, 1);
  check_launch();
  signal(SIGSEGV, on_fault);  // after the GPU's work, before the first access to it
  report("signal", x);

  fill<<<1, 32>>>(x, 2);
  check_launch();
  struct sigaction action = {}, before = {};
  action.sa_sigaction = on_fault_with_place;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, &before);
  printf("the handler before is the first one: %s\n", before.sa_handler == on_fault ? "yes" : "no");
  report("sigaction", x);

  fill<<<1, 32>>>(x, 3);
  check_launch();
  printf("the handler before is the second one: %s\n", signal(SIGSEGV, SIG_DFL) == reinterpret_cast<sighandler_t>(on_fault_with_place) ? "yes" : "no");
  printf("%d\n", x[0]);
  CHECK(cudaFree(x));
}
