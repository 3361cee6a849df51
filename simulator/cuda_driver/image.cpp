#include "simulator/cuda_driver/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "simulator/fatbin/cubin.hpp"
#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::cuda_driver {
namespace {

constexpr std::string_view kLinkedMark = "// gpusim: parts to be linked\n";
constexpr std::string_view kElfMagic =
    "\x7f"
    "ELF";
constexpr std::string_view kPartMark = "// part of ";

uint32_t magic_of(std::string_view bytes) {
  uint32_t magic = 0;
  std::memcpy(&magic, bytes.data(), std::min(bytes.size(), sizeof(magic)));
  return magic;
}

// Every pointer is the program's; these four bytes exist in whatever it may mean.
std::string_view first_bytes(const void* data) { return {static_cast<const char*>(data), sizeof(uint32_t)}; }

std::string container_bytes(const char* data) {
  uint16_t header = 0;
  uint64_t size = 0;
  std::memcpy(&header, data + 6, sizeof(header));
  std::memcpy(&size, data + 8, sizeof(size));
  return {data, header + size};
}

// "// part of 123 bytes: name\n" and then 123 bytes, again and again.
Result<Image> read_linked(const char* text, const std::string& name) {
  Image image;
  const char* at = text + kLinkedMark.size();
  while (std::strncmp(at, kPartMark.data(), kPartMark.size()) == 0) {
    at += kPartMark.size();
    size_t size = 0;
    const auto [end, error] = std::from_chars(at, at + 20, size);
    const char* const colon = std::strchr(end, ':');
    const char* const line_end = std::strchr(end, '\n');
    if (error != std::errc() || colon == nullptr || line_end == nullptr || colon > line_end) {
      return error_in(name, "is damaged: the length of a part to be linked is missing");
    }
    image.push_back({std::string(colon + 2, line_end), std::string(line_end + 1, size)});
    at = line_end + 1 + size;
  }
  return image;
}

Result<Image> one_part(std::string name, std::string bytes) {
  HPML_TRY(ImagePart part, loadable({std::move(name), std::move(bytes)}));
  return Image{std::move(part)};
}

Result<Image> read_wrapper(const void* data, const std::string& name) {
  fatbin::FatbinWrapper head{};
  std::memcpy(&head, data, sizeof(head));
  if (head.version == 1) {
    return read_image(head.data, name);
  }
  Image image;
  for (const void* const* part = head.prelinked; part != nullptr && *part != nullptr; ++part) {
    HPML_TRY(Image more, read_image(*part, fmt::format("{} part {}", name, image.size() + 1)));
    image.insert(image.end(), more.begin(), more.end());
  }
  return image;
}

}  // namespace

Result<ImagePart> loadable(ImagePart part) {
  if (auto ptx = fatbin::ptx_of_cubin(std::as_bytes(std::span(part.bytes)))) {
    part.bytes = std::move(*ptx);
  }
  if (part.bytes.starts_with(kElfMagic)) {
    return error_in(part.name,
                    "is machine code (a cubin), which the simulated GPU cannot run: load PTX, or a fat binary with PTX "
                    "(nvcc -ptx, or -gencode arch=compute_70,code=compute_70)");
  }
  if (magic_of(part.bytes) != fatbin::kContainerMagic && !fatbin::looks_like_ptx(part.bytes.substr(0, 64))) {
    return error_in(part.name, "is neither PTX text (which begins with a comment or .version) nor a fat binary");
  }
  return part;
}

Result<Image> read_image(const void* data, const std::string& name) {
  const uint32_t magic = magic_of(first_bytes(data));
  if (magic == fatbin::kWrapperMagic) {
    return read_wrapper(data, name);
  }
  const char* const text = static_cast<const char*>(data);
  if (magic == fatbin::kContainerMagic) {
    return one_part(name, container_bytes(text));
  }
  if (first_bytes(data) == kElfMagic) {
    return one_part(name, std::string(text, std::max(fatbin::cubin_size(data), kElfMagic.size())));
  }
  if (std::strncmp(text, kLinkedMark.data(), kLinkedMark.size()) == 0) {
    return read_linked(text, name);
  }
  return one_part(name, text);
}

Result<Image> read_image_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return error_in(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (bytes.starts_with(kLinkedMark)) {
    return read_linked(bytes.c_str(), path);
  }
  return one_part(path, bytes);
}

std::string linked_image(const Image& parts) {
  std::string image(kLinkedMark);
  for (const ImagePart& part : parts) {
    image += fmt::format("{}{} bytes: {}\n", kPartMark, part.bytes.size(), part.name);
    image += part.bytes;
  }
  return image;
}

}  // namespace hpml::sim::cuda_driver
