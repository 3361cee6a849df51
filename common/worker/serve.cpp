#include "common/worker/serve.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/worker/filter.hpp"

namespace hpml::worker {
namespace {

// Moves these descriptors to 3, 4, ... and closes all others; no further process, no thread (root is not limited), and
// of the kernel only what the grader lists.
void close_doors(std::vector<int> kept) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  const int end = kRequests + static_cast<int>(kept.size());
  for (int& file : kept) {
    file = fcntl(file, F_DUPFD, end);  // out of the way of the others
  }
  for (int number = kRequests; number < end; ++number) {
    dup2(kept[static_cast<size_t>(number - kRequests)], number);
  }
  close_range(static_cast<unsigned>(end), ~0U, 0);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_NPROC, &none);
  if (!enter_filter()) {
    _exit(kOurFault);
  }
}

void answer(uint64_t sequence) {
  if (write(kAnswers, &sequence, sizeof sequence) != sizeof sequence) {
    _exit(kOurFault);
  }
}

}  // namespace

void serve(const Load& load, const Buffers& buffers, int requests, int answers) {
  if (!buffers.enter()) {
    _exit(kOurFault);
  }
  close_doors({requests, answers});
  const Function function = load(buffers);
  answer(0);
  Request request;
  while (read(kRequests, &request, sizeof request) == sizeof request && request.magic == kMagic) {
    function(request);
    answer(request.sequence);
  }
  _exit(0);
}

void execute(const std::vector<std::string>& command, const Buffers& buffers, int requests, int answers) {
  close_doors({requests, answers, buffers.input_memory().files().front().number(),
               buffers.output_memory().files().front().number()});
  std::vector<char*> words;
  for (const std::string& word : command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  execv(words[0], words.data());
  _exit(kOurFault);
}

}  // namespace hpml::worker
