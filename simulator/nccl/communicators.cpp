#include "simulator/nccl/communicators.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

namespace hpml::sim::nccl {

namespace {

constexpr uint64_t kMark = 0x4c43434e4c4d5048;  // "HPMLNCCL"

struct IdContent {
  uint64_t mark = 0, process = 0, number = 0;
};

}  // namespace

Communicators& Communicators::get() {
  static auto* const all = new Communicators;
  return *all;
}

UniqueId Communicators::new_id() {
  const IdContent content{kMark, static_cast<uint64_t>(getpid()), next_id_++};
  UniqueId id;
  std::memcpy(id.bytes.data(), &content, sizeof content);
  return id;
}

std::shared_ptr<Clique> Communicators::clique(const UniqueId& id, int ranks) {
  IdContent content;
  std::memcpy(&content, id.bytes.data(), sizeof content);
  if (content.mark != kMark) {
    cudart::say("ncclCommInitRank: the unique id does not come from ncclGetUniqueId");
    return nullptr;
  }
  if (content.process != static_cast<uint64_t>(getpid())) {
    cudart::say(
        fmt::format("ncclCommInitRank: the unique id comes from process {}; simulated GPUs that talk by NCCL are those "
                    "of one process: give each a thread, or use ncclCommInitAll (gpusim run --gpus N)",
                    content.process));
    return nullptr;
  }
  std::shared_ptr<Clique>& found = cliques_[content.number];
  if (found == nullptr || found->complete()) {  // an id may serve again
    found = std::make_shared<Clique>(ranks);
  }
  if (found->size() != ranks) {
    cudart::say(
        fmt::format("ncclCommInitRank: {} ranks, where another rank of this unique id said {}", ranks, found->size()));
    return nullptr;
  }
  return found;
}

Communicator* Communicators::add(std::shared_ptr<Clique> clique, int rank, Context& context) {
  auto made =
      std::make_unique<Communicator>(Communicator{.clique = std::move(clique), .rank = rank, .context = &context});
  Communicator* const out = made.get();
  all_.emplace(out, std::move(made));
  return out;
}

Communicator* Communicators::find(const void* handle) {
  const auto found = all_.find(handle);
  return found != all_.end() ? found->second.get() : nullptr;
}

void Communicators::remove(const Communicator* communicator) { all_.erase(communicator); }

}  // namespace hpml::sim::nccl
