// Philox 4x32-10: four words of a counter and a key (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// 2011).
#include <array>
#include <vector>

#include "simulator/curand/distribution.hpp"
#include "simulator/curand/sequence.hpp"

namespace hpml::sim::curand {
namespace {

constexpr size_t kPhiloxLanes = 65536;  // each writes four numbers, then the next one does
constexpr size_t kFour = 4;
using Four = std::array<uint32_t, kFour>;

Four philox(uint64_t counter, uint64_t lane, uint64_t seed) {
  Four c = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32U), static_cast<uint32_t>(lane), 0};
  auto k0 = static_cast<uint32_t>(seed);
  auto k1 = static_cast<uint32_t>(seed >> 32U);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{c[0]} * 0xD2511F53U;
    const uint64_t b = uint64_t{c[2]} * 0xCD9E8D57U;
    c = {static_cast<uint32_t>(b >> 32U) ^ c[1] ^ k0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32U) ^ c[3] ^ k1, static_cast<uint32_t>(a)};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
  }
  return c;
}

class Philox final : public Sequence {
 public:
  void begin(uint64_t seed, uint64_t offset) override {
    seed_ = seed;
    place_ = offset;
    const uint64_t turns = offset / kFour;
    counters_.assign(kPhiloxLanes, turns / kPhiloxLanes);
    for (size_t lane = 0; lane < turns % kPhiloxLanes; ++lane) {
      ++counters_[lane];
    }
  }
  void bits(std::span<uint32_t> out) override {
    write(out, 1, [&](uint64_t lane, uint64_t at) { return philox(at, lane, seed_); });
  }
  void uniform(std::span<float> out) override {
    write(out, 1, [&](uint64_t lane, uint64_t at) {
      const Four w = philox(at, lane, seed_);
      return std::array{to_float(w[0]), to_float(w[1]), to_float(w[2]), to_float(w[3])};
    });
  }
  void uniform(std::span<double> out) override {
    write(out, 2, [&](uint64_t lane, uint64_t at) { return fine(lane, at); });
  }
  void normal(std::span<float> out) override {
    write(out, 1, [&](uint64_t lane, uint64_t at) {
      const Four w = philox(at, lane, seed_);
      const auto a = box_muller(w[0], w[1]);
      const auto b = box_muller(w[2], w[3]);
      return std::array{a.first, a.second, b.first, b.second};
    });
  }
  void normal(std::span<double> out) override {
    write(out, 2, [&](uint64_t lane, uint64_t at) {
      const auto u = fine(lane, at);
      const auto a = box_muller(u[0], u[1]);
      const auto b = box_muller(u[2], u[3]);
      return std::array{a.first, a.second, b.first, b.second};
    });
  }

 private:
  std::array<double, kFour> fine(uint64_t lane, uint64_t at) const {
    const Four a = philox(at, lane, seed_);
    const Four b = philox(at + 1, lane, seed_);
    return {to_double(a[0], a[1]), to_double(a[2], a[3]), to_double(b[0], b[1]), to_double(b[2], b[3])};
  }
  // `four` makes the numbers of a lane's turn from `counters` values of its counter.
  template <class T, class MakeFour>
  void write(std::span<T> out, uint64_t counters, MakeFour four) {
    for (size_t i = 0; i < out.size();) {
      const uint64_t lane = place_ / kFour % kPhiloxLanes;
      const auto made = four(lane, counters_[lane]);
      for (size_t j = place_ % kFour; j < kFour && i < out.size(); ++j, ++i, ++place_) {
        out[i] = made[j];
      }
      if (place_ % kFour == 0) {
        counters_[lane] += counters;
      }
    }
  }

  uint64_t seed_ = 0, place_ = 0;
  std::vector<uint64_t> counters_;
};

}  // namespace

std::unique_ptr<Sequence> philox4_32_10() { return std::make_unique<Philox>(); }

}  // namespace hpml::sim::curand
