#include "common/worker/compare.hpp"

#include <optional>

namespace hpml::worker {
namespace {

class WorkerClock : public bench::SystemClock {
 public:
  WorkerClock(const Host& a, const Host& b) : a_(a), b_(b) {}
  int64_t cpu_ns() override { return a_.busy_ns() + b_.busy_ns(); }

 private:
  const Host& a_;
  const Host& b_;
};

}  // namespace

Answer<bench::Paired> compare(const Side& a, const Side& b, const bench::PairedPlan& plan) {
  std::optional<Failure> failure;
  const auto work = [&failure](const Side& side) {
    return [&failure, &side] {
      if (!failure) {
        const Answer<Ok> done = side.call();
        failure = done.ok() ? failure : std::optional(done.error());
      }
    };
  };
  WorkerClock clock(a.host, b.host);
  bench::Paired paired = bench::compare(clock, work(a), work(b), plan);
  if (failure) {
    return *failure;
  }
  return paired;
}

}  // namespace hpml::worker
