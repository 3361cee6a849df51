#pragma once
// A check program of two processes. The first one knows a secret, and runs no student code. It starts the program again
// with its first words alone; that process runs the student code, can neither read the secret nor open a file, and asks
// the first one through two pipes.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <vector>

namespace apart {

constexpr int kAsk = 3, kHear = 4;  // descriptors of the second process

// All of the bytes, or false: the other side is gone.
static inline bool take_bytes(int file, void* to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t part = ::read(file, static_cast<char*>(to) + done, size - done);
    if (part <= 0) {
      return false;
    }
    done += static_cast<size_t>(part);
  }
  return true;
}
static inline bool give_bytes(int file, const void* from, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t part = ::write(file, static_cast<const char*>(from) + done, size - done);
    if (part <= 0) {
      return false;
    }
    done += static_cast<size_t>(part);
  }
  return true;
}
template <class T>
bool take(int file, T& value) {
  return take_bytes(file, &value, sizeof(T));
}
template <class T>
bool give(int file, const T& value) {
  return give_bytes(file, &value, sizeof(T));
}

// In the second process, before student code: it opens no file any more. /proc tells the command lines of other
// processes, and the one that started the sandbox has the secret among its words.
static inline bool open_no_more() {
  constexpr rlimit kNone{0, 0};
  return ::setrlimit(RLIMIT_NOFILE, &kNone) == 0;
}

// In the first process: starts the second one with the first `words` words; answer(from, to) reads and answers what it
// asks, and returns this process's exit code.
template <class Answer>
int serve(char** argv, size_t words, const Answer& answer) {
  ::prctl(PR_SET_DUMPABLE, 0);  // other processes cannot read this one's memory
  std::signal(SIGPIPE, SIG_IGN);
  int asked[2], heard[2];
  if (::pipe(asked) != 0 || ::pipe(heard) != 0) {
    std::perror(argv[0]);
    return 2;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    const int from = ::dup(heard[0]), to = ::dup(asked[1]);  // out of the way of the numbers that are wanted
    std::vector<char*> own(argv, argv + words);
    own.push_back(nullptr);
    if (::dup2(to, kAsk) == kAsk && ::dup2(from, kHear) == kHear) {
      for (int other = kHear + 1; other < 16; ++other) {
        ::close(other);
      }
      ::close(STDOUT_FILENO);
      ::execv(argv[0], own.data());
    }
    std::perror(argv[0]);
    ::_exit(2);
  }
  ::close(asked[1]);
  ::close(heard[0]);
  const int failed = answer(asked[0], heard[1]);
  ::close(asked[0]);
  ::close(heard[1]);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0) {
    std::fprintf(stderr, "the process that runs your code did not end well\n");
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : 1;
  }
  return failed;
}

}  // namespace apart
