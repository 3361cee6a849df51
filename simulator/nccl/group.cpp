#include "simulator/nccl/group.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::nccl {

namespace {

constexpr std::chrono::microseconds kNap{50};

// When the device may start what is launched now, after the host's cost of that.
Picoseconds launched(Runtime& runtime, Context& context) {
  const auto cost = [&](device::ApiCost what) { return context.device().api_cost(what, 0); };
  const Picoseconds called = runtime.clock.now();
  runtime.clock.advance(cost(device::ApiCost::launch));
  return called + cost(device::ApiCost::launch_to_start);
}

}  // namespace

Group& Group::of_this_thread() {
  thread_local Group group;
  return group;
}

void Group::add(Communicator& communicator, StreamRef at, const Call& call) {
  collectives_.push_back({communicator.clique, communicator.rank, communicator.collectives++, at, call});
}

void Group::add(Communicator& communicator, StreamRef at, const Message& message) {
  const auto found = std::find_if(messages_.begin(), messages_.end(), [&](const Messages& one) {
    return one.clique == communicator.clique && one.exchange->rank == communicator.rank && one.at.stream == at.stream;
  });
  if (found != messages_.end()) {
    found->exchange->messages.push_back(message);
    return;
  }
  messages_.push_back({communicator.clique, at,
                       std::make_shared<Exchange>(Exchange{.rank = communicator.rank, .messages = {message}})});
}

void Group::call_ends(Runtime& runtime) {
  if (!open()) {
    begin(runtime);
  }
}

bool Group::end(Runtime& runtime) {
  if (depth_ == 0) {
    return false;
  }
  --depth_;
  call_ends(runtime);
  return true;
}

void Group::begin(Runtime& runtime) {
  for (const std::function<bool()>& condition : std::exchange(conditions_, {})) {
    while (!condition()) {
      runtime.mutex.unlocked([] { std::this_thread::sleep_for(kNap); });
    }
  }
  for (const Collective& one : std::exchange(collectives_, {})) {
    Clique::issue(one.clique, runtime, one.rank, one.number, one.at, one.call, launched(runtime, *one.at.context));
  }
  for (const Messages& one : std::exchange(messages_, {})) {
    issue(one.clique->mail(), runtime, one.exchange, one.at, launched(runtime, *one.at.context));
  }
  cudart::release_held(runtime, runtime.clock.now());
}

}  // namespace hpml::sim::nccl
