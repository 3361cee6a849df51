#include "common/relay/rank/requests.hpp"

#include <algorithm>

#include "common/relay/rank/channel.hpp"

namespace hpml::relay {

Requests& requests() {
  static Requests all;
  return all;
}

std::uint64_t size_of(MPI_Datatype type) {
  const int size = type & 0xff;
  if ((size != 1 && size != 4 && size != 8) || type >> 8 < 1 || type >> 8 > 0xd) {
    fail("unknown MPI_Datatype %#x", static_cast<unsigned>(type));
  }
  return static_cast<std::uint64_t>(size);
}

MPI_Request Requests::open(const char* name, int count, int peer, int tag, void* buffer) {
  if (count < 0) {
    fail("%s: the count is %d", name, count);
  }
  if (tag < 0 && tag != kAny) {
    fail("%s: the tag is %d", name, tag);
  }
  if (free_.empty()) {
    free_.push_back(static_cast<MPI_Request>(slots_.size()));
    slots_.emplace_back();
    done_.emplace_back();
  }
  const MPI_Request request = free_.back();
  free_.pop_back();
  slots_[static_cast<std::size_t>(request)] = {true, peer == kNobody, buffer};
  return request;
}

MPI_Request Requests::send(Call call, const void* buffer, int count, MPI_Datatype type, int to, int tag,
                           MPI_Comm comm) {
  const MPI_Request request = open("a send", count, to, tag, nullptr);
  if (to != kNobody) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) * size_of(type);
    channel().put({.op = Op::send,
                   .call = call,
                   .communicator = known(comm),
                   .slot = static_cast<std::uint32_t>(request),
                   .peer = to,
                   .tag = tag,
                   .bytes = bytes},
                  buffer, bytes);
  }
  return request;
}

MPI_Request Requests::receive(Call call, void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm) {
  const MPI_Request request = open("a receive", count, from, tag, buffer);
  if (from != kNobody) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) * size_of(type);
    channel().put({.op = Op::receive,
                   .call = call,
                   .communicator = known(comm),
                   .slot = static_cast<std::uint32_t>(request),
                   .peer = from,
                   .tag = tag,
                   .bytes = bytes});
  }
  return request;
}

const Requests::Slot& Requests::at(MPI_Request request) const {
  if (request < 0 || static_cast<std::size_t>(request) >= slots_.size() ||
      !slots_[static_cast<std::size_t>(request)].active) {
    fail("MPI_Request %d is not active", request);
  }
  return slots_[static_cast<std::size_t>(request)];
}

Answer Requests::ask(Op op, Call call, std::span<const MPI_Request> requests) {
  static_assert(sizeof(MPI_Request) == sizeof(std::uint32_t));
  return channel().ask({.op = op, .call = call, .count = static_cast<std::uint32_t>(requests.size())}, requests.data(),
                       requests.size_bytes());
}

MPI_Status Requests::finish() {
  Completion completion;
  channel().read(&completion, sizeof completion);
  const auto request = static_cast<MPI_Request>(completion.slot);
  const Slot& slot = at(request);
  if (completion.has_payload != 0) {
    channel().read(slot.buffer, completion.bytes);
  }
  close(request);
  const MPI_Status status{completion.source, completion.tag, MPI_SUCCESS, completion.bytes};
  done_[completion.slot] = status;
  return status;
}

MPI_Status Requests::finish_nobody(MPI_Request request) {
  close(request);
  return {kNobody, kAny, MPI_SUCCESS, 0};
}

void Requests::close(MPI_Request request) {
  slots_[static_cast<std::size_t>(request)].active = false;
  free_.push_back(request);
}

std::vector<MPI_Request> Requests::known_to_router(std::span<const MPI_Request> requests) const {
  std::vector<MPI_Request> asked;
  for (const MPI_Request request : requests) {
    if (request != MPI_REQUEST_NULL && !at(request).nobody) {
      asked.push_back(request);
    }
  }
  return asked;
}

void Requests::settle(const Answer& answer, std::span<MPI_Request> requests, MPI_Status* statuses) {
  for (std::uint32_t each = 0; each < answer.completions; ++each) {
    finish();
  }
  for (std::size_t each = 0; each < requests.size(); ++each) {
    MPI_Request& request = requests[each];
    MPI_Status status = kEmptyStatus;
    if (request != MPI_REQUEST_NULL) {
      const auto slot = static_cast<std::size_t>(request);
      status = slots_[slot].active ? finish_nobody(request) : done_[slot];
    }
    if (statuses != nullptr) {
      statuses[each] = status;
    }
    request = MPI_REQUEST_NULL;
  }
}

void Requests::wait_all(Call call, std::span<MPI_Request> requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> asked = known_to_router(requests);
  settle(asked.empty() ? Answer{} : ask(Op::wait_all, call, asked), requests, statuses);
}

int Requests::wait_any(Call call, std::span<MPI_Request> requests, MPI_Status* status) {
  std::vector<MPI_Request> asked;
  int place = MPI_UNDEFINED;
  MPI_Status got = kEmptyStatus;
  for (std::size_t each = 0; each < requests.size(); ++each) {
    if (requests[each] == MPI_REQUEST_NULL) {
      continue;
    }
    if (at(requests[each]).nobody) {
      place = static_cast<int>(each);
      got = finish_nobody(requests[each]);
      break;
    }
    asked.push_back(requests[each]);
  }
  if (place == MPI_UNDEFINED && !asked.empty()) {
    const Answer answer = ask(Op::wait_any, call, asked);
    const MPI_Request finished = asked.at(static_cast<std::size_t>(answer.value));
    place = static_cast<int>(std::find(requests.begin(), requests.end(), finished) - requests.begin());
    got = finish();
  }
  if (place != MPI_UNDEFINED) {
    requests[static_cast<std::size_t>(place)] = MPI_REQUEST_NULL;
  }
  if (status != nullptr) {
    *status = got;
  }
  return place;
}

bool Requests::test_all(Call call, std::span<MPI_Request> requests, MPI_Status* statuses) {
  const std::vector<MPI_Request> asked = known_to_router(requests);
  const Answer answer = asked.empty() ? Answer{.value = 1} : ask(Op::test_all, call, asked);
  if (answer.value == 0) {
    return false;
  }
  settle(answer, requests, statuses);
  return true;
}

}  // namespace hpml::relay
