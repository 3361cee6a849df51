#include "simulator/isa/refused.hpp"

#include <array>

namespace hpml::sim::isa {

namespace {

constexpr auto kRefused = std::to_array<Refused>({
    {"tcgen05", "tensor memory"},
    {"tensormap", "changes of a tensor map by the GPU"},
    {"ldmatrix.m16n16", "matrices of bytes"},
    {"ldmatrix.m8n16", "matrices of bytes"},
    {"stmatrix.m16n8", "matrices of bytes"},
    {"cp.im2col", "tensor copies of .im2col"},
    {"cp.im2col_no_offs", "tensor copies of .im2col"},
    {"cp.tile::gather4", "tensor copies of gathered rows"},
    {"cp.tile::scatter4", "tensor copies of scattered rows"},
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
