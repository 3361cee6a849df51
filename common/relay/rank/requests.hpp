#pragma once
// Requests of a rank: which slots are in use, and where the bytes of a receive go.
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/relay/wire.hpp"

namespace hpml::relay {

inline constexpr MPI_Status kEmptyStatus{kAny, kAny, MPI_SUCCESS, 0};

class Requests {
 public:
  MPI_Request send(Call call, const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
  MPI_Request receive(Call call, void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm);

  // Each sets finished requests to MPI_REQUEST_NULL and fills their statuses; `statuses` may be null.
  void wait_all(Call call, std::span<MPI_Request> requests, MPI_Status* statuses);
  int wait_any(Call call, std::span<MPI_Request> requests, MPI_Status* status);  // MPI_UNDEFINED: none active
  bool test_all(Call call, std::span<MPI_Request> requests, MPI_Status* statuses);

 private:
  struct Slot {
    bool active = false;
    bool nobody = false;  // to or from MPI_PROC_NULL: complete, and unknown to the router
    void* buffer = nullptr;
  };
  MPI_Request open(const char* name, int count, int peer, int tag, void* buffer);
  std::vector<MPI_Request> known_to_router(std::span<const MPI_Request> requests) const;
  Answer ask(Op op, Call call, std::span<const MPI_Request> requests);
  MPI_Status finish();  // reads one completion
  // Reads the completions of an answer to a wait or test of all `requests`.
  void settle(const Answer& answer, std::span<MPI_Request> requests, MPI_Status* statuses);
  MPI_Status finish_nobody(MPI_Request request);
  void close(MPI_Request request);
  const Slot& at(MPI_Request request) const;

  std::vector<Slot> slots_;
  std::vector<MPI_Request> free_;
  std::vector<MPI_Status> done_;  // by slot, of the answer that is being read
};

Requests& requests();
std::uint64_t size_of(MPI_Datatype type);
// The communicator as the router knows it; ends the rank when there is none.
std::uint32_t known(MPI_Comm comm);

}  // namespace hpml::relay
