// Surface instructions (PTX ISA 9.0, 9.7.11). The access that is checked, counted and timed is a load or store of
// global memory.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "simulator/exec/detail/access.hpp"
#include "simulator/exec/detail/grid_impl.hpp"
#include "simulator/exec/sampling.hpp"
#include "simulator/isa/image_form.hpp"

namespace hpml::sim::exec {

namespace {

using isa::ImageShape;
using memory::Image;
using memory::TexelKind;

// Where one lane of an instruction is in the surface: byte, row, slice or layer; `inside` before it was clamped.
struct SurfacePlace {
  std::array<int64_t, 3> at = {};
  bool inside = true;
};

template <class Coordinate>
SurfacePlace surface_place(const Image& image, ImageShape shape, uint64_t texel, uint32_t bytes,
                           const Coordinate& coordinate) {
  const bool layered = shape == ImageShape::a1d || shape == ImageShape::a2d;
  const bool flat = shape == ImageShape::d1 || shape == ImageShape::a1d;
  const size_t first = layered ? 1 : 0;
  SurfacePlace out;
  out.at = {coordinate(first) * static_cast<int64_t>(texel), flat ? 0 : coordinate(first + 1),
            layered                   ? coordinate(0)
            : shape == ImageShape::d3 ? coordinate(2)
                                      : 0};
  const std::array<int64_t, 3> last = {static_cast<int64_t>(image.width * image.texel_bytes()) - int64_t{bytes},
                                       static_cast<int64_t>(image.height) - 1, static_cast<int64_t>(image.depth) - 1};
  for (size_t i = 0; i < out.at.size(); ++i) {
    out.inside &= out.at[i] >= 0 && out.at[i] <= last[i];
    out.at[i] = std::clamp<int64_t>(out.at[i], 0, std::max<int64_t>(last[i], 0));
  }
  return out;
}

// A channel of 32 bits in the surface's format: floats rounded, integers clamped.
uint64_t formatted(const Image& image, uint32_t value) {
  if (image.kind == TexelKind::floating) {
    return image.channel_bytes == 2 ? half_bits(std::bit_cast<float>(value)) : value;
  }
  const int bits = image.channel_bytes * 8;
  if (image.kind == TexelKind::unsigned_integer) {
    return std::min<uint64_t>(value, (uint64_t{1} << bits) - 1);
  }
  const int64_t most = (int64_t{1} << (bits - 1)) - 1;
  return static_cast<uint64_t>(std::clamp<int64_t>(static_cast<int32_t>(value), -most - 1, most));
}

uint64_t reduced(isa::Reduction op, bool is_signed, uint32_t bytes, uint64_t old, uint64_t operand) {
  const auto wide = [bytes](uint64_t raw) {
    return bytes == 8 ? static_cast<int64_t>(raw) : int64_t{static_cast<int32_t>(raw)};
  };
  const bool less = is_signed ? wide(operand) < wide(old) : operand < old;
  switch (op) {
    case isa::Reduction::add: return old + operand;
    case isa::Reduction::min: return less ? operand : old;
    case isa::Reduction::max: return less ? old : operand;
    case isa::Reduction::bit_and: return old & operand;
    case isa::Reduction::bit_or: return old | operand;
  }
  return old;
}

}  // namespace

// x counts bytes, or texels of .p. Outside: a trap, the nearest texel, or nothing read as 0 and nothing written.
void WarpCollectives::access_surface(const ir::Inst& inst, const Image& image, LaneMask active, Effects* effects) {
  const isa::ImageForm form = isa::image_form(*inst.variant->spec);
  const bool loads = form.op == isa::ImageOp::load;
  const bool by_format = form.op == isa::ImageOp::store_formatted;
  const uint32_t bytes = by_format ? static_cast<uint32_t>(image.texel_bytes()) : access_bytes(inst);
  LaneMask inside = 0;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const auto coordinate = [&](size_t i) { return int64_t{static_cast<int32_t>(value_u32(inst.matrix->a[i], lane))}; };
    const SurfacePlace place = surface_place(image, static_cast<ImageShape>(inst.mods.mode),
                                             form.counts_texels ? image.texel_bytes() : 1, bytes, coordinate);
    if (!place.inside && form.boundary == isa::Boundary::trap) {
      return fail(TrapKind::illegal_address,
                  fmt::format("{}-byte surface {} outside its {} bytes by {} by {}", bytes, loads ? "read" : "write",
                              image.width * image.texel_bytes(), image.height, image.depth),
                  lane);
    }
    if (place.inside || form.boundary == isa::Boundary::clamp) {
      inside |= 1u << lane;
    }
    address_.set(static_cast<size_t>(lane), image.address + static_cast<uint64_t>(place.at[2]) * image.slice +
                                                static_cast<uint64_t>(place.at[1]) * image.pitch +
                                                static_cast<uint64_t>(place.at[0]));
  }
  ir::Inst access = by_format ? plain_access(inst, isa::Mem::st, static_cast<uint32_t>(image.channel_bytes),
                                             static_cast<uint8_t>(image.channels))
                              : plain_access(inst, loads ? isa::Mem::ld : isa::Mem::st, inst.elem_bytes, inst.mods.vec);
  access.mods.space = isa::Space::global;
  Places found;
  if (inside != 0 && !global_places(access, inside, effects, found)) {
    return;
  }
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const bool there = ((inside >> lane) & 1u) != 0;
    const std::byte* place = found[static_cast<size_t>(lane)];
    if (loads) {
      read_surface(inst, lane, there ? place : nullptr);
    } else if (there) {
      write_surface(inst, image, lane, const_cast<std::byte*>(place));
    }
  }
}

// `place`: null outside.
void WarpCollectives::read_surface(const ir::Inst& inst, int lane, const std::byte* place) {
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    uint64_t v = 0;
    if (place != nullptr) {
      std::memcpy(&v, place + i * inst.elem_bytes, inst.elem_bytes);
    }
    set_value(inst.matrix->d[i], lane, inst.dst_bytes, v);
  }
}

void WarpCollectives::write_surface(const ir::Inst& inst, const Image& image, int lane, std::byte* place) {
  const isa::ImageForm form = isa::image_form(*inst.variant->spec);
  if (form.op == isa::ImageOp::store_formatted) {
    const auto bytes = static_cast<size_t>(image.channel_bytes);
    for (size_t i = 0; i < std::min<size_t>(inst.mods.vec, static_cast<size_t>(image.channels)); ++i) {
      const uint64_t v = formatted(image, value_u32(inst.matrix->b[i], lane));
      std::memcpy(place + i * bytes, &v, bytes);
    }
    return;
  }
  for (size_t i = 0; i < inst.mods.vec; ++i) {
    uint64_t v = value(inst.matrix->b[i], lane, inst.src_bytes);
    if (form.op == isa::ImageOp::reduce) {
      const bool is_signed =
          form.counts_texels ? image.kind == TexelKind::signed_integer : isa::is_signed(inst.variant->types[0]);
      uint64_t old = 0;
      std::memcpy(&old, place, inst.elem_bytes);
      v = reduced(form.reduction, is_signed, inst.elem_bytes, old, v);
    }
    std::memcpy(place + i * inst.elem_bytes, &v, inst.elem_bytes);
  }
}

}  // namespace hpml::sim::exec
