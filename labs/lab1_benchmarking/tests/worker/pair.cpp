#include <fmt/format.h>

#include <optional>

#include "commands.hpp"
#include "common/bench/paired.hpp"
#include "common/bench/report.hpp"
#include "fresh.hpp"
#include "host.hpp"
#include "timed.hpp"

namespace hpml::lab1 {
namespace {

// What the kernels' processes have worked while they were asked: neither waiting nor the grader's own work is in it.
class HostClock : public bench::SystemClock {
 public:
  HostClock(const KernelHost& a, const KernelHost& b) : a_(a), b_(b) {}
  int64_t cpu_ns() override { return a_.busy_ns() + b_.busy_ns(); }

 private:
  const KernelHost& a_;
  const KernelHost& b_;
};

}  // namespace

int compare_timed(const KernelHost& host_a, const TimedCall& a, const KernelHost& host_b, const TimedCall& b) {
  std::optional<Failure> failure;
  const auto work = [&failure](const TimedCall& call) {
    return [&failure, &call] {
      if (!failure) {
        const Answer<Ok> done = call();
        failure = done.ok() ? failure : std::optional(done.error());
      }
    };
  };
  HostClock clock(host_a, host_b);
  const bench::Paired paired = bench::compare(clock, work(a), work(b), {});
  if (failure) {
    return complain(*failure);
  }
  fmt::print("{}\n", bench::to_json(paired).dump());
  return 0;
}

int run_pair(const PairOptions& options) {
  auto a = KernelHost::start({options.library_a, options.symbol_a, KernelHost::Kind::dot, options.size});
  auto b = KernelHost::start({options.library_b, options.symbol_b, KernelHost::Kind::dot, options.size});
  if (!a.ok() || !b.ok()) {
    return complain((a.ok() ? b : a).error());
  }
  FreshVectors of_a(**a, options.size), of_b(**b, options.size);
  return compare_timed(
      **a, [&] { return of_a.timed_dot(); }, **b, [&] { return of_b.timed_dot(); });
}

}  // namespace hpml::lab1
