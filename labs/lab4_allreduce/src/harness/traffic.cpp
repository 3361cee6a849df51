#include "traffic.h"

#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "observe.h"

namespace hpml::harness {

namespace {

struct Counters {
  bool counting = false;
  std::map<int, Sent> peers;
};

Counters counters;

int world_rank(int rank, MPI_Comm c) {
  if (c == MPI_COMM_WORLD || rank < 0) {
    return rank;
  }
  MPI_Group mine = MPI_GROUP_NULL;
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(c, &mine);
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int translated = 0;
  PMPI_Group_translate_ranks(mine, 1, &rank, world, &translated);
  PMPI_Group_free(&mine);
  PMPI_Group_free(&world);
  return translated;
}

std::size_t byte_count(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

void count_message(int count, MPI_Datatype type, int to, MPI_Comm c) {
  if (!counters.counting || to == MPI_PROC_NULL) {
    return;
  }
  const std::size_t bytes = byte_count(count, type);
  Sent& sent = counters.peers[world_rank(to, c)];
  ++sent.messages;
  sent.empty += bytes == 0 ? 1 : 0;
  sent.bytes += bytes;
  sent.largest = std::max<std::uint64_t>(sent.largest, bytes);
}

// The call that may block, for as long as it lives.
class Blocking {
 public:
  Blocking(const char* name, int to, int from, int tag, std::size_t bytes) {
    if (observer() != nullptr) {
      observer()->begin_call(name, to, from, tag, bytes);
    }
  }
  // A deadlocked simulation ends its ranks by an exception: the call that each was in stays on record.
  ~Blocking() {
    if (std::uncaught_exceptions() > 0) {
      return;
    }
    if (observer() != nullptr) {
      observer()->end_call();
    }
  }
};

}  // namespace

const std::map<int, Sent>& sent() { return counters.peers; }

Costs costs() {
  rusage usage{};
  if (std::getenv("HPML_COSTS") == nullptr || getrusage(RUSAGE_SELF, &usage) != 0) {
    return {};
  }
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<std::uint64_t>(usage.ru_maxrss)};
}

std::string sent_as_json() {
  std::string text = "[";
  for (const auto& [peer, sent] : counters.peers) {
    text += text.size() > 1 ? "," : "";
    text += "[" + std::to_string(peer) + "," + std::to_string(sent.messages) + "," + std::to_string(sent.empty) + "," +
            std::to_string(sent.bytes) + "," + std::to_string(sent.largest) + "]";
  }
  return text + "]";
}

}  // namespace hpml::harness

using hpml::harness::Blocking;
using hpml::harness::byte_count;
using hpml::harness::count_message;
using hpml::harness::counters;
using hpml::harness::world_rank;

extern "C" {

int MPI_Pcontrol(const int level, ...) {
  counters.counting = level == 1;
  if (level == 1) {
    counters.peers.clear();
  }
  return MPI_SUCCESS;
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c) {
  count_message(count, type, to, c);
  const Blocking call("MPI_Send", world_rank(to, c), -1, tag, byte_count(count, type));
  return PMPI_Send(data, count, type, to, tag, c);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm c, MPI_Request* request) {
  count_message(count, type, to, c);
  return PMPI_Isend(data, count, type, to, tag, c, request);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* target, int target_count,
                 MPI_Datatype target_type, int from, int from_tag, MPI_Comm c, MPI_Status* status) {
  count_message(count, type, to, c);
  const Blocking call("MPI_Sendrecv", world_rank(to, c), world_rank(from, c), tag, byte_count(count, type));
  return PMPI_Sendrecv(data, count, type, to, tag, target, target_count, target_type, from, from_tag, c, status);
}

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm c, MPI_Status* status) {
  const Blocking call("MPI_Recv", -1, world_rank(from, c), tag, byte_count(count, type));
  return PMPI_Recv(data, count, type, from, tag, c, status);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Blocking call("MPI_Wait", -1, -1, -1, 0);
  return PMPI_Wait(request, status);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const Blocking call("MPI_Waitall", -1, -1, -1, 0);
  return PMPI_Waitall(count, requests, statuses);
}

int MPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const Blocking call("MPI_Waitany", -1, -1, -1, 0);
  return PMPI_Waitany(count, requests, index, status);
}

}  // extern "C"
