#pragma once
// The ranks of one communicator: GPUs of this process, each driven by a thread of its own or all by one. A rank's
// stream is held at an operation until the streams of all ranks have reached it; then every rank carries out its part.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "simulator/libraries/frame.hpp"
#include "simulator/nccl/collective.hpp"

namespace hpml::sim::nccl {

using cudart::Picoseconds;
using cudart::StreamRef;
using libraries::Context;
using libraries::Runtime;

// A rank's side of an operation, as its function was called.
struct Call {
  Operation operation;
  std::byte* in = nullptr;  // where this process reads and writes the buffers
  std::byte* out = nullptr;
  const void* out_address = nullptr;  // the program's
  double factor = 1;                  // Op::scaled_sum
};

struct Mail;  // of ncclSend and ncclRecv (exchange.hpp)

class Clique {
 public:
  explicit Clique(int ranks);

  int size() const { return static_cast<int>(contexts_.size()); }
  // Null, or why the rank cannot join with this GPU.
  const char* join(int rank, Context& context);
  bool complete() const { return joined_ == size(); }

  // The rank's next collective, into the stream. `earliest`: when the device may start it.
  static void issue(const std::shared_ptr<Clique>& clique, Runtime& runtime, int rank, uint64_t number, StreamRef at,
                    const Call& call, Picoseconds earliest);
  // Whether ranks have called for different things; then no result was written.
  bool broken() const { return broken_; }
  const std::shared_ptr<Mail>& mail() const { return mail_; }

  // ncclCommSplit: the `number`th one. Null until every rank has asked.
  struct Place {
    std::shared_ptr<Clique> clique;  // null for a rank without a colour
    int rank = 0;
  };
  void ask_split(int rank, uint64_t number, int color, int key);
  std::optional<Place> split(int rank, uint64_t number);

 private:
  struct Round {
    std::vector<Call> calls;
    std::set<int> called, arrived;
    Picoseconds start = 0;
    std::vector<std::vector<std::byte>> results;
    int ended = 0;
  };
  struct Split {
    std::map<int, std::pair<int, int>> asked;  // colour and key by rank
    std::map<int, std::shared_ptr<Clique>> made;
  };
  std::optional<Picoseconds> step(Runtime& runtime, int rank, uint64_t number, StreamRef at, Picoseconds earliest);
  void compute(Round& round);

  std::vector<Context*> contexts_;
  int joined_ = 0;
  std::map<uint64_t, Round> rounds_;
  std::map<uint64_t, Split> splits_;
  bool broken_ = false;
  std::shared_ptr<Mail> mail_;
};

// The link between this GPU and its neighbours.
Link link_of(Context& context);
// One kernel of NCCL on a rank's GPU, and what it does there: it writes `result` to `out`.
Picoseconds run_kernel(Runtime& runtime, StreamRef at, Picoseconds start, const std::string& name, double ns,
                       uint64_t read, std::vector<cudart::Written> written, std::function<void()> body);

}  // namespace hpml::sim::nccl
