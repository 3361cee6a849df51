#include "simulator/nccl/collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "simulator/libraries/element.hpp"

namespace hpml::sim::nccl {

namespace {

// An element type of 16 bits, which is computed with as float.
template <float (*From)(uint16_t), uint16_t (*To)(float)>
struct Short {
  uint16_t bits = 0;
  Short() = default;
  explicit Short(float value) : bits(To(value)) {}
  explicit operator float() const { return From(bits); }
};
using Half = Short<libraries::from_half, libraries::to_half>;
using Bfloat = Short<libraries::from_bfloat, libraries::to_bfloat>;

// The type in which elements are computed with: integers wrap around.
template <class T>
struct Computed {
  using type = float;
};
template <>
struct Computed<double> {
  using type = double;
};
template <class T>
requires std::is_integral_v<T>
struct Computed<T> {
  using type = T;
};

template <class T>
T combined(Op op, T left, T right) {
  using C = typename Computed<T>::type;
  const C a = static_cast<C>(left), b = static_cast<C>(right);
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
      case Op::maximum: return std::max(a, b);
      case Op::minimum: return std::min(a, b);
      case Op::product: return static_cast<T>(static_cast<U>(uint64_t{static_cast<U>(a)} * static_cast<U>(b)));
      case Op::sum:
      case Op::average:
      case Op::scaled_sum: break;
    }
    return static_cast<T>(static_cast<U>(uint64_t{static_cast<U>(a)} + static_cast<U>(b)));
  } else {
    switch (op) {
      case Op::maximum: return static_cast<T>(std::max(a, b));
      case Op::minimum: return static_cast<T>(std::min(a, b));
      case Op::product: return static_cast<T>(a * b);
      case Op::sum:
      case Op::average:
      case Op::scaled_sum: break;
    }
    return static_cast<T>(a + b);
  }
}

// A mean of integers is their sum divided; every other factor stands before the sum.
template <class T>
T scaled(Op op, T value, double factor, int ranks) {
  using C = typename Computed<T>::type;
  if (op == Op::average && !std::is_integral_v<T>) {
    return static_cast<T>(static_cast<C>(value) * static_cast<C>(1.0 / ranks));
  }
  return op == Op::scaled_sum ? static_cast<T>(static_cast<C>(value) * static_cast<C>(factor)) : value;
}

template <class T>
T read(const Contribution& rank, uint64_t index) {
  T value;
  std::memcpy(&value, rank.data + index * sizeof(T), sizeof(T));
  return value;
}

template <class T>
std::vector<std::byte> reduced(Op op, uint64_t count, const std::vector<Contribution>& ranks) {
  std::vector<std::byte> out(count * sizeof(T));
  const int n = static_cast<int>(ranks.size());
  for (uint64_t i = 0; i < count; ++i) {
    T sum = scaled(op, read<T>(ranks[0], i), ranks[0].factor, n);
    for (size_t rank = 1; rank < ranks.size(); ++rank) {
      sum = combined(op, sum, scaled(op, read<T>(ranks[rank], i), ranks[rank].factor, n));
    }
    if constexpr (std::is_integral_v<T>) {
      sum = op == Op::average ? static_cast<T>(sum / static_cast<T>(n)) : sum;
    }
    std::memcpy(out.data() + i * sizeof(T), &sum, sizeof(T));
  }
  return out;
}

std::vector<std::byte> reduced(Type type, Op op, uint64_t count, const std::vector<Contribution>& ranks) {
  switch (type) {
    case Type::i8: return reduced<int8_t>(op, count, ranks);
    case Type::u8: return reduced<uint8_t>(op, count, ranks);
    case Type::i32: return reduced<int32_t>(op, count, ranks);
    case Type::u32: return reduced<uint32_t>(op, count, ranks);
    case Type::i64: return reduced<int64_t>(op, count, ranks);
    case Type::u64: return reduced<uint64_t>(op, count, ranks);
    case Type::f16: return reduced<Half>(op, count, ranks);
    case Type::f32: return reduced<float>(op, count, ranks);
    case Type::f64: return reduced<double>(op, count, ranks);
    case Type::bf16: break;
  }
  return reduced<Bfloat>(op, count, ranks);
}

// Bytes `begin`, `begin` + size, ... of every rank, one behind the other.
std::vector<std::byte> gathered(const std::vector<Contribution>& ranks, uint64_t begin, uint64_t size) {
  std::vector<std::byte> out;
  for (const Contribution& rank : ranks) {
    out.insert(out.end(), rank.data + begin, rank.data + begin + size);
  }
  return out;
}

constexpr double kNsPerUs = 1000;

// Columns of NCCL's tables for rings over PCI.
struct Protocol {
  double base_us, step_us;
  double part;         // of the link's bandwidth ...
  double part_of_sum;  // ... and where the kind reduces to all or to one
};
constexpr std::array<Protocol, 2> kProtocols{{
    {.base_us = 3.6, .step_us = 1.0, .part = 1.0 / 3, .part_of_sum = 1.0 / 4},  // LL
    {.base_us = 8.4, .step_us = 5.7, .part = 1, .part_of_sum = 1},              // Simple
}};

// The faster of the two.
double fastest_ns(int steps, double bytes_over_link, bool sums, const Link& link) {
  double best = 0;
  for (const Protocol& p : kProtocols) {
    const double ns = (p.base_us + steps * p.step_us) * kNsPerUs +
                      bytes_over_link * link.ns_per_byte / (sums ? p.part_of_sum : p.part);
    best = best == 0 ? ns : std::min(best, ns);
  }
  return best;
}

}  // namespace

bool reduces(Kind kind) { return kind == Kind::all_reduce || kind == Kind::reduce || kind == Kind::reduce_scatter; }

bool has_root(Kind kind) {
  return kind == Kind::reduce || kind == Kind::broadcast || kind == Kind::gather || kind == Kind::scatter;
}

uint64_t bytes_in(const Operation& o, int ranks, int rank) {
  const uint64_t one = o.count * size_of(o.type), all = one * static_cast<uint64_t>(ranks);
  switch (o.kind) {
    case Kind::all_reduce:
    case Kind::reduce:
    case Kind::all_gather:
    case Kind::gather: return one;
    case Kind::reduce_scatter:
    case Kind::all_to_all: return all;
    case Kind::broadcast: return rank == o.root ? one : 0;
    case Kind::scatter: break;
  }
  return rank == o.root ? all : 0;
}

uint64_t bytes_out(const Operation& o, int ranks, int rank) {
  const uint64_t one = o.count * size_of(o.type), all = one * static_cast<uint64_t>(ranks);
  switch (o.kind) {
    case Kind::all_reduce:
    case Kind::broadcast:
    case Kind::reduce_scatter:
    case Kind::scatter: return one;
    case Kind::all_gather:
    case Kind::all_to_all: return all;
    case Kind::reduce: return rank == o.root ? one : 0;
    case Kind::gather: break;
  }
  return rank == o.root ? all : 0;
}

std::vector<std::vector<std::byte>> results(const Operation& o, const std::vector<Contribution>& ranks) {
  const size_t n = ranks.size();
  const uint64_t one = o.count * size_of(o.type);
  const auto root = static_cast<size_t>(o.root);
  std::vector<std::vector<std::byte>> out(n);
  const auto slice = [&](const std::byte* data, size_t rank) {
    return std::vector<std::byte>(data + rank * one, data + (rank + 1) * one);
  };
  switch (o.kind) {
    case Kind::all_reduce: std::fill(out.begin(), out.end(), reduced(o.type, o.op, o.count, ranks)); break;
    case Kind::reduce: out[root] = reduced(o.type, o.op, o.count, ranks); break;
    case Kind::broadcast: std::fill(out.begin(), out.end(), slice(ranks[root].data, 0)); break;
    case Kind::all_gather: std::fill(out.begin(), out.end(), gathered(ranks, 0, one)); break;
    case Kind::gather: out[root] = gathered(ranks, 0, one); break;
    case Kind::reduce_scatter: {
      const std::vector<std::byte> all = reduced(o.type, o.op, o.count * n, ranks);
      for (size_t rank = 0; rank < n; ++rank) {
        out[rank] = slice(all.data(), rank);
      }
      break;
    }
    case Kind::all_to_all:
      for (size_t rank = 0; rank < n; ++rank) {
        out[rank] = gathered(ranks, rank * one, one);
      }
      break;
    case Kind::scatter:
      for (size_t rank = 0; rank < n; ++rank) {
        out[rank] = slice(ranks[root].data, rank);
      }
      break;
  }
  return out;
}

std::string kernel_name(const Operation& o) {
  static constexpr std::array kTypeNames{"i8", "u8", "i32", "u32", "i64", "u64", "f16", "f32", "f64", "bf16"};
  static constexpr std::array kOpNames{"Sum", "Prod", "MinMax", "MinMax", "PreMulSum", "PreMulSum"};
  const auto named = [&](const char* function) {
    return fmt::format("ncclDevKernel_{}_{}_{}_RING_LL", function, kOpNames[static_cast<size_t>(o.op)],
                       kTypeNames[static_cast<size_t>(o.type)]);
  };
  switch (o.kind) {
    case Kind::all_reduce: return named("AllReduce");
    case Kind::reduce: return named("Reduce");
    case Kind::reduce_scatter: return named("ReduceScatter");
    case Kind::broadcast: return "ncclDevKernel_Broadcast_RING_LL";
    case Kind::all_gather: return "ncclDevKernel_AllGather_RING_LL";
    case Kind::all_to_all:
    case Kind::gather:
    case Kind::scatter: break;
  }
  return "ncclDevKernel_SendRecv";
}

double duration_ns(const Operation& o, int ranks, const Link& link) {
  const double one = static_cast<double>(o.count * size_of(o.type));
  const int hops = ranks - 1;
  switch (o.kind) {
    case Kind::all_reduce: return fastest_ns(2 * hops, 2 * one * hops / ranks, true, link);
    case Kind::reduce: return fastest_ns(1, one, true, link);
    case Kind::broadcast: return fastest_ns(1, one, false, link);
    case Kind::all_gather:
    case Kind::reduce_scatter: return fastest_ns(hops, one * hops, false, link);
    case Kind::all_to_all:
    case Kind::gather:
    case Kind::scatter: break;
  }
  return fastest_ns(1, one * hops, false, link);
}

double exchange_ns(uint64_t bytes, const Link& link) { return fastest_ns(1, static_cast<double>(bytes), false, link); }

}  // namespace hpml::sim::nccl
