// Generators: made, ended, and what is set before they are asked for numbers.
#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "simulator/curand/directions.hpp"
#include "simulator/curand/generator.hpp"

using namespace hpml::sim::curand;  // NOLINT(google-build-using-namespace): entry points have no namespace
using hpml::sim::libraries::host_call;
using hpml::sim::libraries::say_not_supported;

namespace {

constexpr int kVersion = 10400;  // of CUDA 13.0
enum Ordering : int { kBest = 100, kDefault = 101, kSeeded = 102, kLegacy = 103, kDynamic = 104, kQuasiOrder = 201 };

const char* type_name(int type) {
  switch (type) {
    case kScrambledSobol32: return "SCRAMBLED_SOBOL32";
    case kScrambledSobol64: return "SCRAMBLED_SOBOL64";
    default: return nullptr;
  }
}

std::unique_ptr<Sequence> sequence_of(int type) {
  switch (type) {
    case kPseudoDefault:
    case kXorwow: return xorwow();
    case kMrg32k3a: return mrg32k3a();
    case kPhilox: return philox4_32_10();
    case kMtgp32:
    case kMt19937: return mersenne_twister();
    case kQuasiDefault:
    case kSobol32: return sobol32();
    case kSobol64: return sobol64();
    default: return nullptr;
  }
}

int create(Generator** out, int type, bool on_host) {
  if (out == nullptr) {
    return kNotInitialized;
  }
  auto sequence = sequence_of(type);
  if (sequence == nullptr) {
    if (const char* name = type_name(type)) {
      say_not_supported(std::string("the generator ") + name +
                        "; there are XORWOW, MRG32K3A, MT19937, MTGP32, PHILOX4_32_10, SOBOL32 and SOBOL64");
    }
    return kTypeError;
  }
  if (type == kMtgp32 || type == kMt19937) {
    hpml::sim::cudart::say(fmt::format("cuRAND's {} gives good numbers here, but others than NVIDIA's library",
                                       type == kMtgp32 ? "MTGP32" : "MT19937"));
  }
  *out = new Generator{.type = type, .on_host = on_host, .sequence = std::move(sequence)};
  return kSuccess;
}

template <class Body>
int on(const char* name, Generator* generator, Body body) {
  return host_call(name, status_name,
                   [&]() -> int { return generator == nullptr ? kNotInitialized : body(*generator); });
}

void say_own(unsigned dimensions) {
  if (dimensions > kPublishedDimensions) {
    hpml::sim::cudart::say(
        fmt::format("Sobol's sequences from dimension {} on fill the interval as evenly, but with other"
                    " numbers than NVIDIA's library",
                    kPublishedDimensions + 1));
  }
}

// The direction numbers as the device's generators take them, of all dimensions; kept until the process ends.
template <class T, size_t kBits>
int tables(T (**out)[kBits], int set, int known) {
  if (set == known + 1) {
    say_not_supported("scrambled direction vectors; those of Joe and Kuo as they are");
  }
  if (out == nullptr || set != known) {
    return kOutOfRange;
  }
  static const auto* const all = [] {
    auto* const table = new std::vector<std::array<T, kBits>>;
    for (const auto& dimension : direction_numbers(kMostDimensions)) {
      auto& to = table->emplace_back();
      for (size_t i = 0; i < kBits; ++i) {
        to[i] = static_cast<T>(dimension[i] >> (64 - kBits));
      }
    }
    return table;
  }();
  *out = reinterpret_cast<T(*)[kBits]>(const_cast<std::array<T, kBits>*>(all->data()));
  return kSuccess;
}

int order(const Generator& generator, int ordering) {
  if (generator.quasi()) {
    return ordering == kQuasiOrder ? kSuccess : kOutOfRange;
  }
  if (ordering == kBest || ordering == kDefault || ordering == kDynamic) {
    return kSuccess;
  }
  if ((ordering == kSeeded && generator.type <= kXorwow) || (ordering == kLegacy && generator.type == kMrg32k3a)) {
    say_not_supported("this ordering; CURAND_ORDERING_PSEUDO_DEFAULT is");
    return kOutOfRange;
  }
  return ordering == kLegacy ? kSuccess : kOutOfRange;
}

}  // namespace

HPML_LIBRARY_API int curandCreateGenerator(Generator** generator, int type) {
  using namespace hpml::sim::libraries;  // NOLINT(google-build-using-namespace)
  return library_call("curandCreateGenerator", status_name, kInitializationFailed,
                      [&](Runtime&, Context&, ApiRecord&) -> int { return create(generator, type, false); });
}
HPML_LIBRARY_API int curandCreateGeneratorHost(Generator** generator, int type) {
  return host_call("curandCreateGeneratorHost", status_name, [&] { return create(generator, type, true); });
}
HPML_LIBRARY_API int curandDestroyGenerator(Generator* generator) {
  return on("curandDestroyGenerator", generator, [&](Generator&) {
    delete generator;
    return kSuccess;
  });
}
HPML_LIBRARY_API int curandGetVersion(int* version) {
  if (version == nullptr) {
    return kOutOfRange;
  }
  *version = kVersion;
  return kSuccess;
}
HPML_LIBRARY_API int curandGetProperty(int type, int* value) {
  constexpr int kParts[] = {kVersion / 1000, kVersion / 100 % 10, kVersion % 100};
  if (value == nullptr || type < 0 || type > 2) {
    return kOutOfRange;
  }
  *value = kParts[type];
  return kSuccess;
}
HPML_LIBRARY_API int curandSetStream(Generator* generator, void* stream) {
  return on("curandSetStream", generator, [&](Generator& to) {
    to.stream = stream;
    return kSuccess;
  });
}
// A new seed does not reset the offset: the next number is the one that would have followed, of the new seed's
// sequence. NVIDIA's CPU generators do the same.
HPML_LIBRARY_API int curandSetPseudoRandomGeneratorSeed(Generator* generator, unsigned long long seed) {
  return on("curandSetPseudoRandomGeneratorSeed", generator, [&](Generator& to) {
    if (to.quasi()) {
      return kTypeError;
    }
    to.seed = seed;
    to.begun = false;
    return kSuccess;
  });
}
HPML_LIBRARY_API int curandSetGeneratorOffset(Generator* generator, unsigned long long offset) {
  return on("curandSetGeneratorOffset", generator, [&](Generator& to) {
    to.offset = offset;
    to.begun = false;
    return kSuccess;
  });
}
HPML_LIBRARY_API int curandSetGeneratorOrdering(Generator* generator, int ordering) {
  return on("curandSetGeneratorOrdering", generator, [&](Generator& to) { return order(to, ordering); });
}
HPML_LIBRARY_API int curandSetQuasiRandomGeneratorDimensions(Generator* generator, unsigned dimensions) {
  return on("curandSetQuasiRandomGeneratorDimensions", generator, [&](Generator& to) -> int {
    if (!to.quasi()) {
      return kTypeError;
    }
    if (dimensions == 0 || dimensions > kMostDimensions) {
      return kOutOfRange;
    }
    say_own(dimensions);
    to.dimensions = dimensions;
    to.sequence->set_dimensions(dimensions);
    to.begun = false;
    return kSuccess;
  });
}
HPML_LIBRARY_API int curandGenerateSeeds(Generator* generator) {
  return on("curandGenerateSeeds", generator, [&](Generator&) { return kSuccess; });
}
// Joe and Kuo's set; the scrambled ones are not there.
HPML_LIBRARY_API int curandGetDirectionVectors32(uint32_t (**vectors)[32], int set) {
  return host_call("curandGetDirectionVectors32", status_name, [&] { return tables(vectors, set, 101); });
}
HPML_LIBRARY_API int curandGetDirectionVectors64(uint64_t (**vectors)[64], int set) {
  return host_call("curandGetDirectionVectors64", status_name, [&] { return tables(vectors, set, 103); });
}
