#include "common/relay/router/network.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace hpml::relay {

Network::Network(Platform platform) : platform_(std::move(platform)), links_(platform_.links()) {}

std::uint32_t Network::start(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, double at) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  ++under_way_;
  Flow& flow = flows_[number];
  const std::uint32_t version = flow.version;
  flow = {.route = platform_.route(from, to), .left = static_cast<double>(bytes), .version = version};
  schedule(number, at + flow.route.latency_s);
  return number;
}

void Network::schedule(std::uint32_t flow, double time) {
  happenings_.push({time, order_++, flow, ++flows_[flow].version});
}

bool Network::outdated(const Happening& happening) const { return flows_[happening.flow].version != happening.version; }

double Network::next() {
  while (!happenings_.empty() && outdated(happenings_.top())) {
    happenings_.pop();
  }
  return happenings_.empty() ? std::numeric_limits<double>::infinity() : happenings_.top().time;
}

void Network::advance(std::vector<std::uint32_t>& arrived) {
  const Happening happening = happenings_.top();
  happenings_.pop();
  Flow& flow = flows_[happening.flow];
  if (!flow.flowing && flow.left > 0 && flow.route.count > 0) {
    join(happening.flow, happening.time);
    return;
  }
  ++flow.version;
  if (flow.flowing) {
    leave(happening.flow, happening.time);
  }
  arrived.push_back(happening.flow);
  free_.push_back(happening.flow);
  --under_way_;
}

void Network::join(std::uint32_t number, double now) {
  Flow& flow = flows_[number];
  flow.flowing = true;
  flow.since = now;
  for (const std::uint32_t link : flow.route.used()) {
    links_[link].flows.push_back(number);
  }
  share_again(flow.route, now);
}

void Network::leave(std::uint32_t number, double now) {
  Flow& flow = flows_[number];
  flow.flowing = false;
  for (const std::uint32_t link : flow.route.used()) {
    std::erase(links_[link].flows, number);
  }
  share_again(flow.route, now);
}

// A change on one route reaches the flows that share a link with it, those that share a link with these, and so on.
void Network::share_again(const Route& changed, double now) {
  collect(changed);
  fill();
  for (const std::uint32_t number : near_flows_) {
    set_rate(number, flows_[number].share, now);
    flows_[number].seen = false;
  }
  for (const std::uint32_t link : near_links_) {
    links_[link].seen = false;
  }
}

void Network::collect(const Route& from) {
  near_flows_.clear();
  near_links_.clear();
  const auto add = [&](const Route& route) {
    for (const std::uint32_t link : route.used()) {
      if (!links_[link].seen) {
        links_[link].seen = true;
        near_links_.push_back(link);
      }
    }
  };
  add(from);
  for (std::size_t each = 0; each < near_links_.size(); ++each) {
    for (const std::uint32_t number : links_[near_links_[each]].flows) {
      if (!flows_[number].seen) {
        flows_[number].seen = true;
        near_flows_.push_back(number);
        add(flows_[number].route);
      }
    }
  }
}

// Progressive filling: the tightest link fixes the rates of its flows, then the next one of those that are left.
void Network::fill() {
  for (const std::uint32_t link : near_links_) {
    links_[link].left = platform_.bytes_per_s(link);
  }
  for (const std::uint32_t number : near_flows_) {
    flows_[number].fixed = false;
  }
  for (std::size_t left = near_flows_.size(); left > 0;) {
    std::uint32_t tightest = near_links_.front();
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t link : near_links_) {
      if (const double here = left_per_weight(links_[link]); here < least) {
        least = here;
        tightest = link;
      }
    }
    for (const std::uint32_t number : links_[tightest].flows) {
      Flow& flow = flows_[number];
      if (!flow.fixed) {
        flow.fixed = true;
        flow.share = least / flow.route.latency_s;
        --left;
        for (const std::uint32_t link : flow.route.used()) {
          links_[link].left = std::max(0.0, links_[link].left - flow.share);
        }
      }
    }
  }
}

double Network::left_per_weight(const Usage& usage) const {
  double weight = 0;  // of flows without a rate yet
  for (const std::uint32_t number : usage.flows) {
    weight += flows_[number].fixed ? 0 : 1 / flows_[number].route.latency_s;
  }
  return weight > 0 ? usage.left / weight : std::numeric_limits<double>::infinity();
}

void Network::set_rate(std::uint32_t number, double rate, double now) {
  Flow& flow = flows_[number];
  if (rate == flow.rate) {
    return;
  }
  flow.left = std::max(0.0, flow.left - flow.rate * (now - flow.since));
  flow.since = now;
  flow.rate = rate;
  schedule(number, now + flow.left / rate);
}

}  // namespace hpml::relay
