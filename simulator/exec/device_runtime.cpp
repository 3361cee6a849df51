// Functions of the device runtime: printf, assert, malloc, free (simulator_frontend section 15).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "simulator/exec/detail/grid_impl.hpp"

namespace hpml::sim::exec {

uint64_t WarpDeviceRuntime::read_arg(const ir::CallSite& site, size_t index, int lane) const {
  uint64_t out = 0;
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  const ir::CallSite::Piece& piece = site.args[index];
  std::memcpy(&out, local_memory(lane) + frame->local_base + piece.caller_offset, std::min<uint32_t>(piece.bytes, 8));
  return out;
}

std::string WarpDeviceRuntime::read_string(uint64_t address, int lane, size_t limit) {
  std::string out;
  for (; out.size() < limit; ++address) {
    const std::byte* c = data_at(address, lane, 1);
    if (c == nullptr || *c == std::byte{0}) {
      break;
    }
    out.push_back(static_cast<char>(*c));
  }
  return out;
}

namespace {

constexpr size_t kMaxString = 4096;

// One conversion of a printf format: "%-8.3lf" -> flags and width kept, length modifiers dropped.
struct Conversion {
  std::string flags;
  char kind = 0;
  bool is_long = false;
  bool star_width = false, star_precision = false;
};

size_t parse_conversion(const std::string& format, size_t i, Conversion& out) {
  out.flags = "%";
  bool precision = false;
  for (; i < format.size(); ++i) {
    const char c = format[i];
    if (std::strchr("-+ #0123456789", c) != nullptr) {
      out.flags += c;
    } else if (c == '.') {
      precision = true;
      out.flags += c;
    } else if (c == '*') {
      (precision ? out.star_precision : out.star_width) = true;
      out.flags += '*';
    } else if (std::strchr("hljztL", c) != nullptr) {
      out.is_long |= c == 'l' || c == 'j' || c == 'z' || c == 't';
    } else {
      out.kind = c;
      return i + 1;
    }
  }
  return i;
}

// The arguments vprintf packs: natural alignment, float promoted to double.
class PackedArgs {
 public:
  explicit PackedArgs(const std::byte* data, size_t size) : data_(data), size_(size) {}
  template <class T>
  T take() {
    offset_ = (offset_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T out{};
    if (offset_ + sizeof(T) <= size_) {
      std::memcpy(&out, data_ + offset_, sizeof(T));
    }
    offset_ += sizeof(T);
    return out;
  }

 private:
  const std::byte* data_;
  size_t size_;
  size_t offset_ = 0;
};

template <class... T>
void append(std::string& out, const char* format, T... values) {
  char buffer[1024];
  const int n = std::snprintf(buffer, sizeof buffer, format, values...);
  out.append(buffer, static_cast<size_t>(std::clamp(n, 0, static_cast<int>(sizeof buffer) - 1)));
}

}  // namespace

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
void WarpDeviceRuntime::device_printf(const ir::CallSite& site, LaneMask active) {
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const std::string format = read_string(read_arg(site, 0, lane), lane, kMaxString);
    const uint64_t packed = read_arg(site, 1, lane);
    std::byte buffer[kMaxString] = {};
    size_t size = 0;
    for (; packed != 0 && size < sizeof buffer; ++size) {
      const std::byte* b = data_at(packed + size, lane, 1);
      if (b == nullptr) {
        break;
      }
      buffer[size] = *b;
    }
    PackedArgs args(buffer, size);
    std::string out;
    int count = 0;
    for (size_t i = 0; i < format.size();) {
      if (format[i] != '%') {
        out += format[i++];
        continue;
      }
      if (i + 1 < format.size() && format[i + 1] == '%') {
        out += '%';
        i += 2;
        continue;
      }
      Conversion c;
      i = parse_conversion(format, i + 1, c);
      for (const bool star : {c.star_width, c.star_precision}) {
        if (star) {
          c.flags.replace(c.flags.find('*'), 1, std::to_string(args.take<int32_t>()));
        }
      }
      ++count;
      switch (c.kind) {
        case 'd':
        case 'i':
          append(
              out, (c.flags + "lld").c_str(),
              c.is_long ? static_cast<long long>(args.take<int64_t>()) : static_cast<long long>(args.take<int32_t>()));
          break;
        case 'u':
        case 'x':
        case 'X':
        case 'o':
          append(out, (c.flags + "ll" + c.kind).c_str(),
                 c.is_long ? static_cast<unsigned long long>(args.take<uint64_t>())
                           : static_cast<unsigned long long>(args.take<uint32_t>()));
          break;
        case 'c': append(out, (c.flags + "c").c_str(), args.take<int32_t>()); break;
        case 'p': append(out, (c.flags + "p").c_str(), reinterpret_cast<void*>(args.take<uint64_t>())); break;
        case 's':
          append(out, (c.flags + "s").c_str(), read_string(args.take<uint64_t>(), lane, kMaxString).c_str());
          break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': append(out, (c.flags + c.kind).c_str(), args.take<double>()); break;
        default: out += c.flags + c.kind; break;
      }
    }
    grid_->output_ += out;
    if (!site.results.empty()) {
      std::memcpy(local_memory(lane) + frame->local_base + site.results[0].caller_offset, &count, sizeof count);
    }
  }
}
#pragma GCC diagnostic pop

// __assertfail(message, file, line, function, charSize)
void WarpDeviceRuntime::assert_fail(const ir::CallSite& site, LaneMask active) {
  std::string first;
  for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t thread = static_cast<uint32_t>(index_) * isa::kWarpSize + static_cast<uint32_t>(lane);
    const Extent& block = grid_->launch_.block;
    const std::string text = fmt::format(
        "{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
        read_string(read_arg(site, 1, lane), lane, kMaxString), static_cast<uint32_t>(read_arg(site, 2, lane)),
        read_string(read_arg(site, 3, lane), lane, kMaxString), block_->ctaid_[0], block_->ctaid_[1], block_->ctaid_[2],
        thread % block.x, thread / block.x % block.y, thread / block.x / block.y,
        read_string(read_arg(site, 0, lane), lane, kMaxString));
    grid_->assertions_ += text;
    if (first.empty()) {
      first = text.substr(0, text.size() - 1);
    }
  }
  fail(TrapKind::assertion, first, std::countr_zero(active));
}

void WarpDeviceRuntime::call_builtin(const ir::CallSite& site, LaneMask active) {
  tally_->touched.complete = false;
  const Frame* frame = groups_[static_cast<size_t>(current_)].frame;
  switch (site.builtin) {
    case ir::Builtin::vprintf: return device_printf(site, active);
    case ir::Builtin::assertfail: return assert_fail(site, active);
    case ir::Builtin::malloc:
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const uint64_t address =
            grid_->services_.device_malloc ? grid_->services_.device_malloc(read_arg(site, 0, lane)) : 0;
        std::memcpy(local_memory(lane) + frame->local_base + site.results[0].caller_offset, &address, sizeof address);
      }
      return;
    case ir::Builtin::free:
      for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const uint64_t address = read_arg(site, 0, std::countr_zero(rest));
        if (address != 0 && grid_->services_.device_free && !grid_->services_.device_free(address)) {
          return fail(TrapKind::illegal_address, "free() of an address that malloc() did not return",
                      std::countr_zero(rest), address);
        }
      }
      return;
    case ir::Builtin::get_parameter_buffer:
    case ir::Builtin::launch_device:
    case ir::Builtin::memcpy_async:
    case ir::Builtin::memcpy_2d_async:
    case ir::Builtin::memset_async:
    case ir::Builtin::memset_2d_async:
    case ir::Builtin::get_last_error:
    case ir::Builtin::peek_last_error:
    case ir::Builtin::get_device:
    case ir::Builtin::get_device_count:
    case ir::Builtin::get_attribute:
    case ir::Builtin::get_limit:
    case ir::Builtin::no_preference:
    case ir::Builtin::runtime_version:
    case ir::Builtin::create_handle:
    case ir::Builtin::order_streams:
    case ir::Builtin::device_malloc:
    case ir::Builtin::device_free:
    case ir::Builtin::function_attributes:
    case ir::Builtin::resident_blocks:
    case ir::Builtin::set_conditional: return device_calls(site, active);
    case ir::Builtin::none:
    case ir::Builtin::unsupported: return;
  }
}

}  // namespace hpml::sim::exec
