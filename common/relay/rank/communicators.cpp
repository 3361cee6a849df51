#include "common/relay/rank/communicators.hpp"

#include "common/relay/rank/channel.hpp"
#include "common/relay/rank/requests.hpp"

namespace hpml::relay {

Communicators& communicators() {
  static Communicators all;
  return all;
}

const Communicators::Entry& Communicators::at(MPI_Comm comm) const {
  for (const Entry& entry : entries_) {
    if (entry.comm == comm) {
      return entry;
    }
  }
  fail(entries_.empty() ? "a call before MPI_Init (communicator %d)" : "MPI_Comm %d is not a communicator", comm);
}

void Communicators::remove(MPI_Comm comm) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.comm == comm; });
}

std::uint32_t known(MPI_Comm comm) { return static_cast<std::uint32_t>(communicators().at(comm).comm); }

namespace {

// `color` < 0: this rank wants no communicator.
MPI_Comm split(MPI_Comm comm, int color, int key) {
  const Answer answer = channel().ask(
      {.op = Op::split, .call = Call::comm_split, .communicator = known(comm), .peer = color, .tag = key});
  if (answer.value < 0) {
    return MPI_COMM_NULL;
  }
  communicators().add({answer.value, answer.rank, answer.size});
  return answer.value;
}

}  // namespace
}  // namespace hpml::relay

using hpml::relay::communicators;

extern "C" {

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
  *rank = communicators().at(comm).rank;
  return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int* size) {
  *size = communicators().at(comm).size;
  return MPI_SUCCESS;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* result) {
  if (color < 0 && color != MPI_UNDEFINED) {
    hpml::relay::fail("MPI_Comm_split: the colour is %d", color);
  }
  *result = hpml::relay::split(comm, color, key);
  return MPI_SUCCESS;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* result) {
  *result = hpml::relay::split(comm, 0, communicators().at(comm).rank);
  return MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm* comm) {
  communicators().at(*comm);
  communicators().remove(*comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  using hpml::relay::Call;
  using hpml::relay::Op;
  hpml::relay::channel().ask({.op = Op::barrier, .call = Call::barrier, .communicator = hpml::relay::known(comm)});
  return MPI_SUCCESS;
}
}
