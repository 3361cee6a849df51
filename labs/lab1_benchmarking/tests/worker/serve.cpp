#include "serve.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "common/bench/guarded.hpp"
#include "reference.hpp"

namespace hpml::lab1 {
namespace {

constexpr int kRequests = 3, kAnswers = 4;

// Nothing of the other process is left here but the two pipes; no further process, no thread (root is not limited).
void close_doors(int requests, int answers) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  const int first = fcntl(requests, F_DUPFD, kAnswers + 1), second = fcntl(answers, F_DUPFD, kAnswers + 1);
  dup2(first, kRequests);
  dup2(second, kAnswers);
  close_range(kAnswers + 1, ~0U, 0);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_NPROC, &none);
}

void answer(uint64_t sequence) {
  if (write(kAnswers, &sequence, sizeof sequence) != sizeof sequence) {
    _exit(3);
  }
}

float call_sparse(DotFunction function, int64_t n) {
  const auto a = bench::GuardedVector::make(n), b = bench::GuardedVector::make(n);
  if (!a.ok() || !b.ok()) {
    _exit(complain(3, (a.ok() ? b : a).error().message));
  }
  a->data()[n - 1] = b->data()[n - 1] = 1.0F;
  return function(n, a->data(), b->data());
}

}  // namespace

void serve(const KernelHost::What& what, const SharedVectors& shared, int requests, int answers) {
  close_doors(requests, answers);
  shared.guard();
  std::optional<Kernel> kernel;
  if (what.library != "ours") {
    auto loaded = Kernel::load(what.library, what.symbol, what.kind == KernelHost::Kind::dot ? kDotForm : kProductForm);
    if (!loaded.ok()) {
      _exit(complain(1, loaded.error().message));
    }
    kernel.emplace(std::move(*loaded));
  }
  const DotFunction dot = kernel ? kernel->function() : DotFunction{reference_dot};
  answer(0);
  Request request;
  while (read(kRequests, &request, sizeof request) == sizeof request && request.magic == kMagic) {
    const int64_t n = request.n;
    if (what.kind == KernelHost::Kind::product) {
      const int64_t count = n * n;
      kernel->product()(n, request.block, shared.vector(0, count), shared.vector(1, count), shared.vector(2, count));
    } else {
      *shared.vector(2, 1) = request.sparse != 0 ? call_sparse(dot, n) : dot(n, shared.vector(0, n), shared.vector(1, n));
    }
    answer(request.sequence);
  }
  _exit(0);
}

}  // namespace hpml::lab1
