// Decompression of one entry: nvcc 13 writes zstd frames, nvcc 11 and -compress-mode=speed LZ4 blocks without a frame.
#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "simulator/fatbin/container.hpp"

namespace hpml::sim::fatbin {
namespace {

// Far above any real module; keeps a damaged size field from asking for all memory.
constexpr uint64_t kMaxUnpacked = uint64_t{256} << 20;
constexpr uint64_t kMaxLz4Ratio = 255;  // LZ4 block format: a length byte stands for at most 255 bytes of output

Diag broken(const Entry& entry, const std::string& name, const std::string& what) {
  return error_in(name, fmt::format("fat binary is damaged: {}: {}; rebuild the program", entry.describe(), what));
}

Result<std::string> unpack_lz4(const Entry& entry, const std::string& name) {
  if (entry.uncompressed_size / kMaxLz4Ratio > entry.payload.size()) {
    return broken(entry, name, "impossible size for an LZ4 block");
  }
  std::string out(entry.uncompressed_size, '\0');
  const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(entry.payload.data()), out.data(),
                                          static_cast<int>(entry.payload.size()), static_cast<int>(out.size()));
  if (written < 0 || static_cast<uint64_t>(written) != out.size()) {
    return broken(entry, name, "its LZ4 block does not decompress to the stated size");
  }
  return out;
}

Result<std::string> unpack_zstd(const Entry& entry, const std::string& name) {
  const unsigned long long declared = ZSTD_getFrameContentSize(entry.payload.data(), entry.payload.size());
  if (declared == ZSTD_CONTENTSIZE_ERROR) {
    return broken(entry, name, "its payload is no zstd frame");
  }
  if (declared != ZSTD_CONTENTSIZE_UNKNOWN && declared != entry.uncompressed_size) {
    return broken(entry, name, "its zstd frame has another size than its header");
  }
  std::string out(entry.uncompressed_size, '\0');
  const size_t written = ZSTD_decompress(out.data(), out.size(), entry.payload.data(), entry.payload.size());
  if (ZSTD_isError(written) != 0 || written != out.size()) {
    return broken(entry, name, "its zstd frame does not decompress to the stated size");
  }
  return out;
}

Result<std::string> unpack_bytes(const Entry& entry, const std::string& name) {
  if (entry.compression == Compression::none) {
    return std::string(reinterpret_cast<const char*>(entry.payload.data()), entry.payload.size());
  }
  if (entry.uncompressed_size == 0 || entry.uncompressed_size > kMaxUnpacked) {
    return broken(entry, name, fmt::format("impossible uncompressed size {}", entry.uncompressed_size));
  }
  return entry.compression == Compression::zstd ? unpack_zstd(entry, name) : unpack_lz4(entry, name);
}

}  // namespace

Result<std::string> unpack(const Entry& entry, const std::string& name) {
  HPML_TRY(std::string bytes, unpack_bytes(entry, name));
  if (entry.is_ptx()) {
    return std::string(trim_ptx(bytes));
  }
  return bytes;
}

}  // namespace hpml::sim::fatbin
