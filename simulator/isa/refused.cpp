#include "simulator/isa/refused.hpp"

#include <array>

namespace hpml::sim::isa {

namespace {

constexpr auto kRefused = std::to_array<Refused>({
    {"txq", "textures"},
    {"istypep", "textures and surfaces"},
    {"sured", "surfaces"},
    {"suq", "surfaces"},
    {"wgmma", "warpgroup matrix instructions"},
    {"tcgen05", "tensor memory"},
    {"tensormap", "tensor copies"},
    {"multimem", "multicast memory"},
    {"clusterlaunchcontrol", "thread block clusters"},
});

}  // namespace

std::span<const Refused> refused_instructions() { return kRefused; }

}  // namespace hpml::sim::isa
