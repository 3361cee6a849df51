#pragma once
// ncclGroupStart ... ncclGroupEnd: what a thread asks for between them begins at the end, all of it together, so that
// one thread can call for several ranks. A call outside is a group of its own.
#include "simulator/nccl/communicators.hpp"

namespace hpml::sim::nccl {

class Group {
 public:
  static Group& of_this_thread();

  void start() { ++depth_; }
  // False: there was no start.
  bool end(Runtime& runtime);
  bool open() const { return depth_ > 0; }

  void add(Communicator& communicator, StreamRef at, const Call& call);
  void add(Communicator& communicator, StreamRef at, const Message& message);
  // What the end waits for: another thread may have to call first. Asked again until it is true.
  void add(std::function<bool()> condition) { conditions_.push_back(std::move(condition)); }
  // Begins what was added, unless a group is open.
  void call_ends(Runtime& runtime);

 private:
  struct Collective {
    std::shared_ptr<Clique> clique;
    int rank = 0;
    uint64_t number = 0;
    StreamRef at;
    Call call;
  };
  struct Messages {
    std::shared_ptr<Clique> clique;
    StreamRef at;
    std::shared_ptr<Exchange> exchange;
  };
  void begin(Runtime& runtime);

  int depth_ = 0;
  std::vector<std::function<bool()>> conditions_;
  std::vector<Collective> collectives_;
  std::vector<Messages> messages_;
};

}  // namespace hpml::sim::nccl
