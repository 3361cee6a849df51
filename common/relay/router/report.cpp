#include "common/relay/router/report.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/relay/router/decoder.hpp"

namespace hpml::relay {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json peer(std::int32_t rank) { return rank == kAny ? Json("any") : Json(rank); }

Json describe(const Pending& request) {
  return {{"rank", request.rank},
          {"kind", request.is_send ? "send" : "receive"},
          {"call", name_of(request.call)},
          {"peer", peer(request.peer)},
          {"tag", peer(request.tag)},
          {"communicator", request.communicator},
          {"bytes", request.bytes},
          {"since_s", request.posted_s},
          {"met", request.met}};
}

Json describe(const std::vector<Pending>& requests) {
  Json list = Json::array();
  for (const Pending& request : requests) {
    list.push_back(describe(request));
  }
  return list;
}

Json describe(const Platform& platform) {
  Json result = {{"latency_s", platform.hosts().latency_s}, {"bytes_per_s", platform.hosts().bytes_per_s}};
  if (const auto& groups = platform.groups()) {
    result["group"] = {
        {"hosts", groups->hosts}, {"latency_s", groups->way.latency_s}, {"bytes_per_s", groups->way.bytes_per_s}};
  }
  result["placement"] = platform.placement();
  return result;
}

// One region of all ranks; null where a rank has none.
Json describe(const std::vector<const Region*>& ranks) {
  Json begin = Json::array(), end = Json::array(), compute = Json::array(), wait = Json::array();
  Json transfer = Json::array(), sent = Json::array(), collectives = Json::array();
  const Region none;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Region& region = ranks[rank] == nullptr ? none : *ranks[rank];
    begin.push_back(number(region.begin_s));
    end.push_back(number(region.end_s));
    compute.push_back(region.times.compute_s);
    wait.push_back(region.times.wait_s);
    transfer.push_back(region.times.transfer_s);
    for (const auto& [to, count] : region.sent) {
      sent.push_back({rank, to, count.messages, count.empty, count.bytes, count.largest});
    }
    for (const auto& [call, count] : region.collectives) {
      collectives.push_back({rank, name_of(call), count});
    }
  }
  return {{"begin_s", begin},       {"end_s", end}, {"compute_s", compute},      {"wait_s", wait},
          {"transfer_s", transfer}, {"sent", sent}, {"collectives", collectives}};
}

Json describe_regions(const Run& run) {
  std::size_t most = 0;
  for (const RankRecord& rank : run.ranks) {
    most = std::max(most, rank.regions.size());
  }
  Json list = Json::array();
  for (std::size_t index = 0; index < most; ++index) {
    std::vector<const Region*> ranks;
    for (const RankRecord& rank : run.ranks) {
      ranks.push_back(index < rank.regions.size() ? &rank.regions[index] : nullptr);
    }
    Json region = describe(ranks);
    const auto left = run.left_in_region.find(static_cast<std::uint32_t>(index));
    region["left"] = left == run.left_in_region.end() ? Json::array() : describe(left->second);
    list.push_back(std::move(region));
  }
  return list;
}

Json describe_outside(const Run& run) {
  std::vector<const Region*> ranks;
  for (const RankRecord& rank : run.ranks) {
    ranks.push_back(&rank.outside);
  }
  Json outside = describe(ranks);
  outside.erase("begin_s");
  outside.erase("end_s");
  outside["left"] = describe(run.left);
  return outside;
}

Json describe(const RankRecord& rank, const Output& output) {
  Json result = {{"clock_s", rank.clock_s}, {"finalized", rank.finalized}, {"polls", rank.polls}};
  result["exit"] = rank.ending.known && !rank.ending.by_signal ? Json(rank.ending.code) : Json(nullptr);
  result["signal"] = rank.ending.known && rank.ending.by_signal ? Json(rank.ending.code) : Json(nullptr);
  result["stdout"] = output.standard;
  result["stderr"] = output.error;
  return result;
}

Json describe_timeline(const Run& run) {
  Json messages = Json::array(), calls = Json::array();
  for (const MessageEvent& event : run.messages) {
    messages.push_back({event.from, event.to, event.tag, event.region, event.bytes, event.sent_s, event.received_s,
                        event.begin_s, event.end_s});
  }
  for (const RankEvent& event : run.calls) {
    calls.push_back({event.rank, name_of(event.call), event.begin_s, event.end_s});
  }
  return {{"message_fields", {"from", "to", "tag", "region", "bytes", "sent_s", "received_s", "begin_s", "end_s"}},
          {"messages", messages},
          {"call_fields", {"rank", "call", "begin_s", "end_s"}},
          {"calls", calls},
          {"cut", run.timeline_cut}};
}

}  // namespace

Json report(const Run& run, const Platform& platform, const std::vector<Output>& outputs, bool timeline) {
  Json result = {{"schema", "hpml.relay/v1"}, {"ranks", run.ranks.size()}, {"platform", describe(platform)}};
  result["verdict"] = {{"state", run.verdict.state},
                       {"rank", run.verdict.rank < 0 ? Json(nullptr) : Json(run.verdict.rank)},
                       {"message", run.verdict.message}};
  result["messages"] = run.message_count;
  result["sent_fields"] = {"from", "to", "messages", "empty", "bytes", "largest"};
  result["regions"] = describe_regions(run);
  result["outside"] = describe_outside(run);
  Json blocked = Json::array();
  for (const Blocked& each : run.blocked) {
    blocked.push_back({{"rank", each.rank},
                       {"call", name_of(each.call)},
                       {"since_s", each.since_s},
                       {"waits_for", describe(each.requests)}});
  }
  result["blocked"] = std::move(blocked);
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    ranks.push_back(describe(run.ranks[rank], outputs[rank]));
  }
  result["per_rank"] = std::move(ranks);
  if (timeline) {
    result["timeline"] = describe_timeline(run);
  }
  return result;
}

}  // namespace hpml::relay
