#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "simulator/ptx/ast.hpp"

namespace hpml::sim::ptx {

// A way that numbers take through a kernel, and a key that decides what becomes of those that take it.
struct Perturbation {
  enum class Path : uint8_t { shared, shuffles, dp4a, mma } path = Path::shared;
  uint64_t key = 0;
};

// "shared:KEY", "shuffles:KEY", "dp4a:KEY" or "mma:KEY".
std::optional<Perturbation> parse_perturbation(std::string_view text);

// Changes the single-precision numbers that take the path, so that a result shows which of its numbers have taken it.
//
// shared: about half of the numbers v with 2^-20 <= |v| < 8, chosen by the key and the bits of v, become v + 16 as they
// are loaded from shared memory (also by a generic address). They then lie outside of the range, so a number that goes
// through shared memory again stays as it is. Smaller words stay because indices are such words.
// Chosen: h = bits * (low half of the key | 1); h ^= h >> 15; h *= (high half | 1); the top bit of h.
//
// shuffles: every word that shfl delivers grows by shuffle_step(key).
//
// dp4a: about half of all pairs of four bytes, chosen by the key, count twice. Whether a pair does cannot be asked
// without this very product. Chosen: h = sum over the four places of (x + y) * K xor x * y * L, with the bytes as
// unsigned numbers, K and L as above; h ^= h >> 15; h *= K; the top bit of h. The order of places and of factors makes
// no difference.
//
// mma: the same for the products of matrix instructions on bytes. Code stays as it is: a warp's executor, which has all
// factors at hand, counts the chosen ones twice (device::Options::chosen_products).
//
// Loads of 8 and 16 bits, of doubles, and matrix loads stay as they are.
void perturb(Module& module, const Perturbation& how);

// A whole number from 500 to 999.
uint32_t shuffle_step(uint64_t key);

}  // namespace hpml::sim::ptx
