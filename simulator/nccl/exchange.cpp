#include "simulator/nccl/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/cudart/runtime/held_work.hpp"

namespace hpml::sim::nccl {

namespace {

void pair(const std::shared_ptr<Exchange>& from, Message& send, const std::shared_ptr<Exchange>& to, Message& receive) {
  if (send.bytes != receive.bytes) {
    cudart::say(fmt::format("NCCL: rank {} sends {} bytes to rank {}, which receives {}: the shorter part is moved",
                            from->rank, send.bytes, to->rank, receive.bytes));
  }
  receive.arrived.assign(send.data, send.data + std::min(send.bytes, receive.bytes));
  receive.partner = from;
  send.partner = to;
}

// The stream has reached the exchange: each message meets its other side, or waits for it.
void post(Mail& mail, const std::shared_ptr<Exchange>& exchange) {
  for (size_t i = 0; i < exchange->messages.size(); ++i) {
    Message& message = exchange->messages[i];
    const std::pair<int, int> way =
        message.sends ? std::pair(exchange->rank, message.peer) : std::pair(message.peer, exchange->rank);
    std::vector<Mail::Waiting>& others = (message.sends ? mail.receives : mail.sends)[way];
    if (others.empty()) {
      (message.sends ? mail.sends : mail.receives)[way].push_back({exchange, i});
      continue;
    }
    const Mail::Waiting other = others.front();
    others.erase(others.begin());
    Message& met = other.exchange->messages[other.message];
    if (message.sends) {
      pair(exchange, message, other.exchange, met);
    } else {
      pair(other.exchange, met, exchange, message);
    }
  }
}

std::optional<Picoseconds> step(Mail& mail, Runtime& runtime, const std::shared_ptr<Exchange>& exchange, StreamRef at,
                                Picoseconds earliest) {
  if (!exchange->ready) {
    exchange->ready = std::max(earliest, at.context->timeline().ready(*at.stream));
    post(mail, exchange);
  }
  Picoseconds start = *exchange->ready;
  uint64_t in = 0, out = 0;
  std::vector<cudart::Written> written;
  for (const Message& message : exchange->messages) {
    if (message.partner == nullptr) {
      return std::nullopt;
    }
    start = std::max(start, *message.partner->ready);
    (message.sends ? out : in) += message.peer == exchange->rank ? 0 : message.bytes;
    if (!message.sends) {
      written.push_back({message.address, message.arrived.size()});
    }
  }
  const double ns = in + out > 0 ? exchange_ns(std::max(in, out), link_of(*at.context)) : 0;
  const Picoseconds end = run_kernel(runtime, at, start, "ncclDevKernel_SendRecv", ns, out, std::move(written), [&] {
    for (const Message& message : exchange->messages) {
      std::ranges::copy(message.arrived, message.data);
    }
  });
  for (Message& message : exchange->messages) {
    message.partner = nullptr;  // two exchanges would keep each other
  }
  return end;
}

}  // namespace

void issue(const std::shared_ptr<Mail>& mail, Runtime& runtime, const std::shared_ptr<Exchange>& exchange, StreamRef at,
           Picoseconds earliest) {
  cudart::hold(runtime, at, [=, &runtime](Picoseconds) { return step(*mail, runtime, exchange, at, earliest); });
}

}  // namespace hpml::sim::nccl
