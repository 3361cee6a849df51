#include "simulator/replay/calls.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>

namespace hpml::sim::replay {
namespace {

class Digest {
 public:
  template <class... Ts>
  void operator()(const Ts&... values) {
    (add(values), ...);
  }
  uint64_t value() const { return value_; }

 private:
  template <class T>
  void add(const T& value) {
    static_assert(std::is_arithmetic_v<T>);
    value_ = digest_of(reinterpret_cast<const std::byte*>(&value), sizeof(value), value_);
  }
  void add(const std::string& text) {
    value_ = digest_of(reinterpret_cast<const std::byte*>(text.data()), text.size(), value_);
  }
  void add(const Side& side) { (*this)(side.address, side.pitch, side.slice); }
  void add(const Shape& shape) { (*this)(shape.width, shape.height, shape.depth); }

  uint64_t value_ = 0;
};

// Writes down what of an event is a decision of the program: no times, no addresses of the program's variables, and of
// data that comes from the host only which part of the inputs it is. Data that is none of them counts byte by byte.
class Decisions {
 public:
  explicit Decisions(Inputs& inputs) : inputs_(inputs) {}

  uint64_t digest(Event& event) {
    digest_ = Digest();
    digest_(event.index());
    std::visit([this](auto& record) { add(record); }, event);
    return digest_.value();
  }

 private:
  template <class E>
  void add(E& event) {
    event.fields(digest_);
  }
  void add(Allocated& event) {
    allocations_[event.address] = event.bytes;
    event.fields(digest_);
  }
  void add(ModuleLoaded& event) {
    digest_(event.device);
    for (const std::string& text : event.ptx) {
      digest_(text);
    }
    for (const Resources& r : event.resources) {
      digest_(r.name, r.sm, r.registers, r.shared);
    }
  }
  void add(Launched& event) {
    event.start = 0;
    event.fields(digest_);
  }
  void add(LibraryCalled& event) { digest_(event.device, event.name, event.arguments); }
  void add(Uploaded& event) {
    digest_(event.device, event.kind, event.dst, event.shape);
    add_data(event.payload, offset(event.dst.address));
  }
  void add(Downloaded& event) { digest_(event.device, event.kind, event.src, event.shape); }
  void add(HostWrote& event) {
    digest_(event.address, event.zeros);
    const uint64_t inside = inputs_.bytes_before_end(event.payload, offset(event.address));
    add_data(event.payload.substr(0, inside), offset(event.address));
    add_data(event.payload.substr(inside), offset(event.address + inside));
  }
  void add(Called& event) { digest_(event.name, event.result, event.bytes); }

  void add_data(const std::string& payload, uint64_t offset) {
    const auto part = payload.empty() ? std::nullopt : inputs_.place(payload, offset);
    digest_(payload.size(), part.has_value());
    if (part) {
      digest_(part->input, part->begin);
    } else {
      digest_(payload);
    }
  }
  // In its allocation.
  uint64_t offset(uint64_t address) const {
    const auto after = allocations_.upper_bound(address);
    return after == allocations_.begin() ? address : address - std::prev(after)->first;
  }

  Inputs& inputs_;
  std::map<uint64_t, uint64_t> allocations_;
  Digest digest_;
};

}  // namespace

Result<Calls> calls_of(Reader reader, Inputs inputs) {
  HPML_TRY_VOID(reader.check_header());
  Calls calls;
  Decisions decisions(inputs);
  while (true) {
    HPML_TRY(std::optional<Event> event, reader.next());
    if (!event) {
      return calls;
    }
    if (const auto* launch = std::get_if<Launched>(&*event)) {
      calls.launches.push_back(launch->kernel);
    } else if (const auto* call = std::get_if<LibraryCalled>(&*event)) {
      calls.launches.push_back(call->name);
    }
    calls.digests.push_back(decisions.digest(*event));
  }
}

bool same_but_for_a_count(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  if (a.size() > b.size()) {
    return same_but_for_a_count(b, a);
  }
  const size_t more = b.size() - a.size();
  const auto begin = static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  if (more == 0 || !std::equal(a.begin() + static_cast<std::ptrdiff_t>(begin), a.end(),
                               b.begin() + static_cast<std::ptrdiff_t>(begin + more))) {
    return more == 0 && begin == a.size();
  }
  // What b has more begins at `begin`; the block that it repeats lies before that.
  const auto repeats = [&](size_t block) {
    const auto first = b.begin() + static_cast<std::ptrdiff_t>(begin - block);
    return std::equal(first, first + static_cast<std::ptrdiff_t>(more), first + static_cast<std::ptrdiff_t>(block));
  };
  for (size_t block = 1; block <= std::min(more, begin); ++block) {
    if (more % block == 0 && repeats(block)) {
      return true;
    }
  }
  return false;
}

Passes passes_of(const std::vector<std::string>& launches) {
  const auto end = launches.end();
  for (size_t count = launches.size() / 2; count > 0; --count) {
    const auto length = static_cast<std::ptrdiff_t>(count);
    if (std::equal(end - length, end, end - 2 * length)) {
      return {.warm_up = launches.size() - 2 * count, .timed = launches.size() - count};
    }
  }
  return {.warm_up = launches.size(), .timed = launches.size()};
}

}  // namespace hpml::sim::replay
