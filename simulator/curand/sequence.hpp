#pragma once
// A generator's sequence of numbers, in the order in which the host API writes them.
#include <cstdint>
#include <memory>
#include <span>

namespace hpml::sim::curand {

// Each call continues the sequence. Orders and formulas: NVIDIA cuRAND library guide, "Generator Options: Order"
// and "Bit Generation"; where the guide is silent, what NVIDIA's generators for the CPU write
// (curandCreateGeneratorHost, 13.0).
class Sequence {
 public:
  virtual ~Sequence() = default;
  // To the first number, `offset` numbers on.
  virtual void begin(uint64_t seed, uint64_t offset) = 0;
  virtual void bits(std::span<uint32_t> out) = 0;
  // Above 0, at most 1.
  virtual void uniform(std::span<float> out) = 0;
  virtual void uniform(std::span<double> out) = 0;
  // Of mean 0 and standard deviation 1. Pseudorandom: pairs, an even number of them.
  virtual void normal(std::span<float> out) = 0;
  virtual void normal(std::span<double> out) = 0;
  // Of sequences of 64 bits.
  virtual void wide_bits(std::span<unsigned long long>) {}
  // Of quasirandom sequences, which begin again then.
  virtual void set_dimensions(unsigned) {}
};

std::unique_ptr<Sequence> xorwow();
std::unique_ptr<Sequence> mrg32k3a();
std::unique_ptr<Sequence> philox4_32_10();
std::unique_ptr<Sequence> mersenne_twister();
std::unique_ptr<Sequence> sobol32();
std::unique_ptr<Sequence> sobol64();

}  // namespace hpml::sim::curand
