#include "simulator/replay/program_code.hpp"

#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

#include "simulator/fatbin/container.hpp"
#include "simulator/fatbin/cubin.hpp"

namespace hpml::sim::replay {
namespace {

// Containers are aligned to this in their section.
constexpr size_t kContainerAlignment = 8;

std::vector<fatbin::Entry> containers_at(std::span<const std::byte> bytes, const std::string& name) {
  uint64_t size = 0;
  std::memcpy(&size, bytes.data() + sizeof(uint64_t), sizeof(size));
  if (size > bytes.size() - fatbin::kContainerHeaderSize) {
    return {};
  }
  auto entries = fatbin::read_containers(bytes.first(fatbin::kContainerHeaderSize + size), name);
  return entries.ok() ? std::move(*entries) : std::vector<fatbin::Entry>();
}

}  // namespace

Result<ProgramCode> ProgramCode::read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  ProgramCode code;
  code.file_.assign(std::istreambuf_iterator<char>(in), {});
  if (!in.is_open() || code.file_.empty()) {
    return error_in(path, "cannot be read");
  }
  const auto bytes = std::as_bytes(std::span(code.file_));
  for (size_t at = 0; at + fatbin::kContainerHeaderSize <= bytes.size(); at += kContainerAlignment) {
    uint32_t magic = 0;
    std::memcpy(&magic, bytes.data() + at, sizeof(magic));
    if (magic != fatbin::kContainerMagic) {
      continue;
    }
    for (const fatbin::Entry& entry : containers_at(bytes.subspan(at), path)) {
      const auto content = fatbin::unpack(entry, path);
      if (content.ok() && entry.is_ptx()) {
        code.ptx_.insert(*content);
      } else if (content.ok() && entry.is_elf()) {
        const auto kernels = fatbin::read_cubin(std::as_bytes(std::span(*content)), entry.sm, path);
        for (const auto& [name, kernel] : kernels.ok() ? *kernels : std::map<std::string, fatbin::KernelResources>()) {
          code.resources_.emplace(name, entry.sm, kernel.registers, kernel.shared_bytes);
        }
      }
    }
  }
  return code;
}

bool ProgramCode::has_ptx(const std::string& text) const {
  return ptx_.contains(text) || (!text.empty() && file_.find(text) != std::string::npos);
}

bool ProgramCode::has(const Resources& resources) const {
  return resources_.contains({resources.name, resources.sm, resources.registers, resources.shared});
}

}  // namespace hpml::sim::replay
