#pragma once
// What a program holds: communicators by their handles, and the unique ids by which ranks find each other.
#include <array>
#include <string>

#include "simulator/nccl/exchange.hpp"

namespace hpml::sim::nccl {

struct UniqueId {  // ncclUniqueId
  std::array<char, 128> bytes{};
};

// A rank's handle.
struct Communicator {
  std::shared_ptr<Clique> clique;
  int rank = 0;
  Context* context = nullptr;
  uint64_t collectives = 0, splits = 0;  // called so far
  std::map<int, double> factors = {};    // of operations that ncclRedOpCreatePreMulSum made, by their values
};

// All calls are made under the runtime's lock.
class Communicators {
 public:
  static Communicators& get();

  UniqueId new_id();
  // The clique of the id; null and one line on stderr: of another process, or of another number of ranks.
  std::shared_ptr<Clique> clique(const UniqueId& id, int ranks);

  Communicator* add(std::shared_ptr<Clique> clique, int rank, Context& context);
  Communicator* find(const void* handle);  // null: no communicator
  void remove(const Communicator* communicator);

 private:
  std::map<uint64_t, std::shared_ptr<Clique>> cliques_;  // by the ids' numbers
  std::map<const void*, std::unique_ptr<Communicator>> all_;
  uint64_t next_id_ = 1;
};

}  // namespace hpml::sim::nccl
