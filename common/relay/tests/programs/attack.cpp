// What a hostile rank may try: attack NAME. Rank 1 does it, the others take part in a ring. The ring is right without
// it.
#include <fcntl.h>
#include <linux/futex.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

#include "common/relay/wire.hpp"

using hpml::relay::Frame;
using hpml::relay::kRankSocket;
using hpml::relay::Op;

namespace {

void forge(const Frame& frame) { (void)!write(kRankSocket, &frame, sizeof frame); }

void wait_for_the_end() {
  char byte;
  while (read(kRankSocket, &byte, 1) > 0) {
  }
}

template <class Function>
void try_call(Function function) {
  const long result = static_cast<long>(function());
  printf("result %ld\n", result);
}

std::map<std::string, void (*)()> attacks = {
    {"none", [] {}},
    {"shows_its_environment",
     [] {
       for (char** word = environ; *word != nullptr; ++word) {
         printf("%s\n", *word);
       }
     }},
    {"writes_a_file", [] { try_call([] { return open("/tmp/channel", O_CREAT | O_WRONLY, 0666); }); }},
    {"shared_memory", [] { try_call([] { return shm_open("/channel", O_CREAT | O_RDWR, 0666); }); }},
    {"system_v", [] { try_call([] { return shmget(77, 4096, IPC_CREAT | 0666); }); }},
    {"shared_mapping", [] { mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }},
    {"signal", [] { try_call([] { return kill(-1, SIGUSR1); }); }},
    {"thread_signal", [] { try_call([] { return syscall(SYS_tgkill, getpid() - 1, getpid() - 1, SIGKILL); }); }},
    {"raw_call",
     [] {
#if defined(__x86_64__)
       long result = SYS_socket;
       asm volatile("syscall" : "+a"(result) : "D"(AF_UNIX), "S"(SOCK_STREAM), "d"(0) : "rcx", "r11", "memory");
#else
       syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0);
#endif
     }},
    {"reads_memory",
     [] {
       char bytes[16];
       iovec here = {bytes, sizeof bytes}, there = {reinterpret_cast<void*>(0x400000), sizeof bytes};
       try_call([&] { return process_vm_readv(getpid() - 1, &here, 1, &there, 1, 0); });
     }},
    {"forks", [] { try_call([] { return fork(); }); }},
    {"thread",
     [] {
       pthread_t thread;
       pthread_create(
           &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
     }},
    {"starts_a_program",
     [] {
       char* const words[] = {const_cast<char*>("/bin/true"), nullptr};
       execv("/bin/true", words);
     }},
    {"limits_another",
     [] {
       const struct rlimit none = {0, 0};
       syscall(SYS_prlimit64, getpid() - 1, RLIMIT_CPU, &none, nullptr);
     }},
    {"own_handler", [] { signal(SIGSYS, SIG_IGN); }},
    {"sleeps", [] { syscall(SYS_nanosleep, nullptr, nullptr); }},
    {"reads_a_clock",
     [] { printf("%ld\n", static_cast<long>(std::chrono::steady_clock::now().time_since_epoch().count())); }},
    {"wrong_peer",
     [] {
       forge({.op = Op::send, .slot = 9, .peer = 77, .tag = 1});
       forge({.op = Op::barrier});
     }},
    {"negative_peer",
     [] {
       forge({.op = Op::send, .slot = 9, .peer = -2147483647, .tag = 1});
       forge({.op = Op::barrier});
     }},
    {"negative_size", [] { forge({.op = Op::send, .slot = 9, .peer = 0, .tag = 1, .bytes = ~0ull}); }},
    {"huge_size", [] { forge({.op = Op::send, .slot = 9, .peer = 0, .tag = 1, .bytes = 1ull << 40}); }},
    {"huge_slot", [] { forge({.op = Op::receive, .slot = 0xfffffff0, .peer = 0, .tag = 1}); }},
    {"huge_list", [] { forge({.op = Op::wait_all, .count = 0xffffffff}); }},
    {"unknown_frame", [] { forge({.op = static_cast<Op>(99)}); }},
    {"foreign_communicator", [] { forge({.op = Op::barrier, .communicator = 12345}); }},
    {"unknown_request",
     [] {
       forge({.op = Op::wait_all, .count = 1});
       const unsigned slot = 4000;
       (void)!write(kRankSocket, &slot, sizeof slot);
     }},
    {"clock_back",
     [] {
       forge({.op = Op::advance, .time = 5});
       forge({.op = Op::advance, .time = 1});
       forge({.op = Op::barrier});
     }},
    {"clock_nan", [] { forge({.op = Op::advance, .time = __builtin_nan("")}); }},
    {"asks_twice",
     [] {
       forge({.op = Op::barrier});
       forge({.op = Op::barrier});
     }},
    {"half_a_frame",
     [] {
       (void)!write(kRankSocket, "abc", 3);
       _exit(0);
     }},
    {"floods",
     [] {
       for (;;) forge({.op = Op::advance, .time = 1});
     }},
    {"floods_messages",
     [] {
       static char bytes[1 << 20];
       for (unsigned slot = 100;; ++slot) {
         forge({.op = Op::send, .slot = slot, .peer = 0, .tag = 5, .bytes = sizeof bytes});
         (void)!write(kRankSocket, bytes, sizeof bytes);
       }
     }},
    {"floods_output",
     [] {
       for (;;) puts("0123456789012345678901234567890123456789");
     }},
    {"closes_region", [] { MPI_Pcontrol(0); }},
    {"exits_early", [] { _exit(0); }},
    {"fails", [] { _exit(9); }},
    {"aborts", [] { abort(); }},
    {"crashes", [] { *static_cast<volatile int*>(nullptr) = 1; }},
    {"never_ends",
     [] {
       for (volatile int i = 0;; i = i + 1) {
       }
     }},
    {"waits_for_nothing",
     [] {
       int never = 0;
       syscall(SYS_futex, &never, FUTEX_WAIT, 0, nullptr, nullptr, 0);
     }},
    {"takes_memory",
     [] {
       for (;;) memset(malloc(1 << 20), 1, 1 << 20);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string name = argv[1];
  MPI_Pcontrol(1);
  int token = rank, got = -1;
  MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  if (rank == 1) {
    attacks.at(name)();
    if (name != "none" && name != "shows_its_environment" && name != "closes_region" && name != "shared_mapping") {
      fflush(stdout);
      wait_for_the_end();
    }
  }
  MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Pcontrol(0);
  MPI_Finalize();
  return got == (rank + size - 1) % size ? 0 : 1;
}
