#pragma once
// ncclSend and ncclRecv: all of a group on one communicator and stream go side by side, in one kernel.
#include "simulator/nccl/clique.hpp"

namespace hpml::sim::nccl {

struct Exchange;

// One ncclSend or ncclRecv. The nth send of a rank to another belongs to the nth receive there.
struct Message {
  bool sends = false;
  int peer = 0;
  std::byte* data = nullptr;
  const void* address = nullptr;  // the program's
  uint64_t bytes = 0;
  std::vector<std::byte> arrived = {};          // of a receive, once its stream and the sender's have reached it
  std::shared_ptr<Exchange> partner = nullptr;  // in which the other side is
};

struct Exchange {
  int rank = 0;
  std::vector<Message> messages;
  std::optional<Picoseconds> ready = {};  // when the stream reached it
};

// Messages on their way whose other side is missing, by sender and receiver.
struct Mail {
  struct Waiting {
    std::shared_ptr<Exchange> exchange;
    size_t message = 0;
  };
  std::map<std::pair<int, int>, std::vector<Waiting>> sends, receives;
};

// Into the stream.
void issue(const std::shared_ptr<Mail>& mail, Runtime& runtime, const std::shared_ptr<Exchange>& exchange, StreamRef at,
           Picoseconds earliest);

}  // namespace hpml::sim::nccl
