#include "simulator/nccl/clique.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "simulator/cudart/runtime/held_work.hpp"
#include "simulator/nccl/exchange.hpp"

namespace hpml::sim::nccl {

namespace {

// Between GPUs on PCI Express NCCL uses two channels, each one block (its log with NCCL_DEBUG=INFO; an assumption).
constexpr uint32_t kChannels = 2, kThreads = 512;
constexpr double kPicosecondsPerNs = 1000;

}  // namespace

Link link_of(Context& context) {
  constexpr uint64_t kBytes = uint64_t{1} << 26;
  const auto time = [&](uint64_t bytes) {
    return context.device().copy_time(device::CopyKind::device_to_host, true, bytes);
  };
  const double ns = static_cast<double>(time(2 * kBytes) - time(kBytes)) / kPicosecondsPerNs;
  return {.ns_per_byte = ns / static_cast<double>(kBytes)};
}

Picoseconds run_kernel(Runtime& runtime, StreamRef at, Picoseconds start, const std::string& name, double ns,
                       uint64_t read, std::vector<cudart::Written> written, std::function<void()> body) {
  Context& context = *at.context;
  uint64_t bytes = 0;
  for (const cudart::Written& one : written) {
    bytes += one.bytes;
  }
  libraries::LibraryWork work{
      .kernel = {.name = name,
                 .grid = {kChannels, 1, 1},
                 .block = {kThreads, 1, 1},
                 .dram_read = read,
                 .dram_write = bytes,
                 .l2 = read + bytes,
                 .share = static_cast<double>(kChannels) / context.device().properties().multiprocessors,
                 .at_least_ns = ns},
      .body = std::move(body),
      .more = std::move(written),
      .operation = {.name = name, .arguments = {}}};
  const cudart::Span span = execute(runtime, context, std::move(work), start, at.stream->id);
  context.timeline().wait_until(*at.stream, span.end);
  return span.end;
}

Clique::Clique(int ranks) : contexts_(static_cast<size_t>(ranks)), mail_(std::make_shared<Mail>()) {}

const char* Clique::join(int rank, Context& context) {
  if (contexts_[static_cast<size_t>(rank)] != nullptr) {
    return "another rank of this number has joined already";
  }
  if (std::ranges::find(contexts_, &context) != contexts_.end()) {
    return "another rank has this GPU already: call cudaSetDevice before, with a GPU for each rank (gpusim run --gpus "
           "N "
           "simulates N of them)";
  }
  contexts_[static_cast<size_t>(rank)] = &context;
  ++joined_;
  return nullptr;
}

void Clique::issue(const std::shared_ptr<Clique>& clique, Runtime& runtime, int rank, uint64_t number, StreamRef at,
                   const Call& call, Picoseconds earliest) {
  Round& round = clique->rounds_[number];
  round.calls.resize(static_cast<size_t>(clique->size()));
  round.calls[static_cast<size_t>(rank)] = call;
  round.called.insert(rank);
  cudart::hold(runtime, at, [=, &runtime](Picoseconds) { return clique->step(runtime, rank, number, at, earliest); });
}

// All ranks have arrived.
void Clique::compute(Round& round) {
  const Operation& first = round.calls[0].operation;
  std::vector<Contribution> given;
  for (size_t rank = 0; rank < round.calls.size(); ++rank) {
    const Call& call = round.calls[rank];
    if (call.operation != first) {
      cudart::say(fmt::format(
          "NCCL: ranks 0 and {} have called for different collectives ({} of {} elements, {} of {}): nothing is done. "
          "Every rank must make the same calls in the same order",
          rank, kernel_name(first), first.count, kernel_name(call.operation), call.operation.count));
      broken_ = true;
      round.results.resize(round.calls.size());
      return;
    }
    given.push_back({.data = call.in, .factor = call.factor});
  }
  round.results = results(first, given);
}

std::optional<Picoseconds> Clique::step(Runtime& runtime, int rank, uint64_t number, StreamRef at,
                                        Picoseconds earliest) {
  Round& round = rounds_.at(number);
  if (round.arrived.insert(rank).second) {
    round.start = std::max({round.start, earliest, at.context->timeline().ready(*at.stream)});
    if (static_cast<int>(round.arrived.size()) == size()) {
      compute(round);
    }
  }
  if (static_cast<int>(round.arrived.size()) < size()) {
    return std::nullopt;
  }
  const Call& call = round.calls[static_cast<size_t>(rank)];
  const std::vector<std::byte>& result = round.results[static_cast<size_t>(rank)];
  const uint64_t read = bytes_in(call.operation, size(), rank);
  const double ns = size() > 1 ? duration_ns(call.operation, size(), link_of(*at.context)) : 0;
  const Picoseconds end = run_kernel(runtime, at, round.start, kernel_name(call.operation), ns, read,
                                     {{call.out_address, result.size()}}, [&] { std::ranges::copy(result, call.out); });
  if (++round.ended == size()) {
    rounds_.erase(number);
  }
  return end;
}

void Clique::ask_split(int rank, uint64_t number, int color, int key) { splits_[number].asked[rank] = {color, key}; }

// Ranks of one colour, ordered by their keys, then by their old ranks (ncclCommSplit).
std::optional<Clique::Place> Clique::split(int rank, uint64_t number) {
  Split& split = splits_.at(number);
  if (static_cast<int>(split.asked.size()) < size()) {
    return std::nullopt;
  }
  const auto [color, key] = split.asked.at(rank);
  if (color < 0) {
    return Place{};
  }
  Place place;
  int ranks = 0;
  for (const auto& [other, asked] : split.asked) {
    ranks += asked.first == color ? 1 : 0;
    place.rank += asked.first == color && std::pair(asked.second, other) < std::pair(key, rank) ? 1 : 0;
  }
  place.clique = split.made.try_emplace(color, std::make_shared<Clique>(ranks)).first->second;
  (void)place.clique->join(place.rank, *contexts_[static_cast<size_t>(rank)]);
  return place;
}

}  // namespace hpml::sim::nccl
