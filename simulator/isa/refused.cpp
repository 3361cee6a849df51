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
    {"clusterlaunchcontrol", "clusters that take over the work of others (compute capability 10.0)"},
    {"mma.sp", "sparse matrices"},
    {"mma.sp::ordered_metadata", "sparse matrices"},
    {"mma.kind::f8f6f4", "matrices of mixed narrow floats"},
    {"mma.kind::mxf8f6f4", "block-scaled matrices"},
    {"mma.kind::mxf4", "block-scaled matrices"},
    {"mma.kind::mxf4nvf4", "block-scaled matrices"},
    {"ldmatrix.m16n16", "matrices of bytes"},
    {"ldmatrix.m8n16", "matrices of bytes"},
    {"stmatrix.m16n8", "matrices of bytes"},
    {"cp.tensor", "tensor copies"},
    {"prefetch.tensormap", "tensor copies"},
    {"st.bulk", "bulk stores"},
    {"cvt.e4m3x4", "four narrow floats rounded by random bits"},
    {"cvt.e5m2x4", "four narrow floats rounded by random bits"},
    {"cvt.e2m3x4", "four narrow floats rounded by random bits"},
    {"cvt.e3m2x4", "four narrow floats rounded by random bits"},
    {"cvt.e2m1x4", "four narrow floats rounded by random bits"},
});

}  // namespace

std::span<const Refused> refused_instructions() { return kRefused; }

}  // namespace hpml::sim::isa
