// Cost of one warp instruction in the lane loops: per vector ISA level, with all lanes, half of them, and one.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "simulator/isa/decode.hpp"

namespace hpml::sim::isa {
namespace {

struct Subject {
  const char* root;
  std::vector<std::string> suffixes;
  size_t operands;
};

const std::array kSubjects = {
    Subject{"add", {"s32"}, 3},
    Subject{"add", {"s64"}, 3},
    Subject{"mul", {"lo", "s32"}, 3},
    Subject{"mul", {"wide", "s32"}, 3},
    Subject{"mad", {"lo", "s32"}, 4},
    Subject{"add", {"f32"}, 3},
    Subject{"add", {"rn", "ftz", "f32"}, 3},
    Subject{"mul", {"f32"}, 3},
    Subject{"fma", {"rn", "f32"}, 4},
    Subject{"fma", {"rn", "f64"}, 4},
    Subject{"setp", {"lt", "s32"}, 3},
    Subject{"setp", {"gt", "f32"}, 3},
    Subject{"selp", {"b32"}, 4},
    Subject{"cvt", {"s64", "s32"}, 2},
    Subject{"cvt", {"rn", "f32", "s32"}, 2},
    Subject{"shl", {"b32"}, 3},
    Subject{"and", {"b32"}, 3},
    Subject{"or", {"pred"}, 3},
    Subject{"mov", {"u32"}, 2},
    Subject{"min", {"f32"}, 3},
    Subject{"div", {"rn", "f32"}, 3},
    Subject{"ex2", {"approx", "ftz", "f32"}, 2},
    Subject{"sin", {"approx", "f32"}, 2},
    Subject{"div", {"s32"}, 3},
};

const Variant* at_level(const Variant* chosen, std::string_view level) {
  for (const Variant& v : variants_of_level(level)) {
    if (v.spec->syntax == chosen->spec->syntax && v.types == chosen->types) {
      return &v;
    }
  }
  return nullptr;
}

void run_op(benchmark::State& state, const Variant* variant, Mods mods, LaneMask active) {
  alignas(64) static std::array<std::byte, 16 * 256> registers;
  for (size_t i = 0; i < registers.size(); i += 4) {  // small floats and small integers alike
    const uint32_t bits = 0x3f800000u + static_cast<uint32_t>(i) * 64;
    std::memcpy(registers.data() + i, &bits, sizeof bits);
  }
  LaneInst inst;
  inst.mods = mods;
  for (Slot i = 0; i < 4; ++i) {
    inst.dst[i] = i * 256;
    inst.src[i] = (4 + i) * 256;
  }
  inst.carry = 8 * 256;
  for (auto _ : state) {
    variant->run(registers.data(), registers.data(), active, inst);
    benchmark::ClobberMemory();
  }
}

void register_all() {
  constexpr std::pair<const char*, LaneMask> kMasks[] = {{"full", kFullMask}, {"half", 0x0000ffffu}, {"one", 0x8u}};
  for (const std::string_view level : {"baseline", "x86-64-v3", "x86-64-v4"}) {
    for (const Subject& subject : kSubjects) {
      const auto decoded = decode(subject.root, subject.suffixes, subject.operands);
      const Variant* variant = at_level(decoded.value().variant, level);
      if (variant == nullptr) {
        continue;
      }
      std::string name = std::string(level) + "/" + subject.root;
      for (const std::string& word : subject.suffixes) {
        name += "." + word;
      }
      for (const auto& [mask_name, mask] : kMasks) {
        benchmark::RegisterBenchmark((name + "/" + mask_name).c_str(), run_op, variant, decoded.value().mods, mask);
      }
    }
  }
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace hpml::sim::isa
