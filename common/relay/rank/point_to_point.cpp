// Messages between two ranks.
#include "common/relay/rank/channel.hpp"
#include "common/relay/rank/requests.hpp"

using namespace hpml::relay;

namespace {

std::span<MPI_Request> list(int count, MPI_Request* requests) {
  if (count < 0) {
    fail("a list of %d requests", count);
  }
  return {requests, static_cast<std::size_t>(count)};
}

}  // namespace

extern "C" {

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  *request = requests().send(Call::isend, buffer, count, type, to, tag, comm);
  return MPI_SUCCESS;
}

int MPI_Irecv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  *request = requests().receive(Call::irecv, buffer, count, type, from, tag, comm);
  return MPI_SUCCESS;
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  MPI_Request request = requests().send(Call::send, buffer, count, type, to, tag, comm);
  requests().wait_all(Call::send, {&request, 1}, MPI_STATUSES_IGNORE);
  return MPI_SUCCESS;
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Request request = requests().receive(Call::recv, buffer, count, type, from, tag, comm);
  requests().wait_all(Call::recv, {&request, 1}, status);
  return MPI_SUCCESS;
}

int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  MPI_Request both[] = {requests().receive(Call::sendrecv, in, in_count, in_type, from, in_tag, comm),
                        requests().send(Call::sendrecv, out, out_count, out_type, to, out_tag, comm)};
  MPI_Status statuses[2];
  requests().wait_all(Call::sendrecv, both, statuses);
  if (status != MPI_STATUS_IGNORE) {
    *status = statuses[0];
  }
  return MPI_SUCCESS;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  requests().wait_all(Call::wait, {request, 1}, status);
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request all[], MPI_Status statuses[]) {
  requests().wait_all(Call::waitall, list(count, all), statuses);
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request all[], int* index, MPI_Status* status) {
  *index = requests().wait_any(Call::waitany, list(count, all), status);
  return MPI_SUCCESS;
}

int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  *flag = requests().test_all(Call::test, {request, 1}, status);
  return MPI_SUCCESS;
}

int MPI_Testall(int count, MPI_Request all[], int* flag, MPI_Status statuses[]) {
  *flag = requests().test_all(Call::testall, list(count, all), statuses);
  return MPI_SUCCESS;
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  MPI_Status got{kNobody, kAny, MPI_SUCCESS, 0};
  *flag = 1;
  if (from != MPI_PROC_NULL) {
    *flag = channel()
                .ask({.op = Op::probe, .call = Call::iprobe, .communicator = known(comm), .peer = from, .tag = tag})
                .value;
    if (*flag != 0) {
      Completion found;
      channel().read(&found, sizeof found);
      got = {found.source, found.tag, MPI_SUCCESS, found.bytes};
    }
  }
  if (*flag != 0 && status != MPI_STATUS_IGNORE) {
    *status = got;
  }
  return MPI_SUCCESS;
}

int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count) {
  const unsigned long long size = size_of(type);
  *count = status->hpml_bytes % size == 0 ? static_cast<int>(status->hpml_bytes / size) : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype type, int* size) {
  *size = static_cast<int>(size_of(type));
  return MPI_SUCCESS;
}
}
