#include "simulator/cli/embedded_code.hpp"

#include <fmt/format.h>

#include "simulator/cli/mapped_file.hpp"
#include "simulator/cli/paths.hpp"
#include "simulator/device/api.hpp"
#include "simulator/fatbin/program_file.hpp"
#include "simulator/fatbin/select.hpp"
#include "simulator/ptx/parser.hpp"

namespace hpml::sim::cli {
namespace {

constexpr uint32_t kUsualSm = 75;  // where the GPU's file cannot be read, which the program's start will say

// Of the first GPU in the list.
uint32_t sm_of(const std::string& gpu) {
  device::Options options;
  options.gpu = gpu.substr(0, gpu.find(','));
  options.gpu_dir = gpu_directory().string();
  const auto device = device::Device::create(options);
  return device.ok() ? static_cast<uint32_t>((*device)->properties().cc_major * 10 + (*device)->properties().cc_minor)
                     : kUsualSm;
}

// As the runtime will choose it. Nothing: there is no PTX, which the runtime will say.
std::optional<std::string> ptx_of(const fatbin::FatbinPart& part, uint32_t sm) {
  if (part.entries.empty()) {
    return part.ptx_text;
  }
  const auto choice = fatbin::choose_ptx(part.entries, sm, false, part.name);
  auto text = choice.ok() ? fatbin::unpack(*choice->entry, part.name) : Result<std::string>(choice.error());
  return text.ok() ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace

void EmbeddedCode::read() {
  std::error_code unreadable;
  const auto now = std::pair(std::filesystem::last_write_time(program_, unreadable),
                             std::filesystem::file_size(program_, unreadable));
  if (read_at_ && *read_at_ == now) {
    return;
  }
  read_at_ = now;
  const MappedFile file(program_);
  const std::vector<fatbin::FatbinPart> parts = fatbin::read_program(file.bytes(), program_.filename().string());
  std::vector<ptx::Module> modules;
  const uint32_t sm = parts.empty() ? 0 : sm_of(gpu_);
  for (const fatbin::FatbinPart& part : parts) {
    auto text = ptx_of(part, sm);
    auto parsed = text ? ptx::parse(std::move(*text), part.name) : Result<ptx::Module>(error_in(part.name, "no PTX"));
    if (parsed.ok()) {
      modules.push_back(std::move(*parsed));
    }
  }
  std::vector<const ptx::Module*> all;
  for (const ptx::Module& module : modules) {
    all.push_back(&module);
  }
  index_.add(this, all);
  has_code_ = !all.empty();
}

debug::Json EmbeddedCode::status(const debug::Breakpoint& asked) const {
  debug::Json out = {{"id", asked.id}};
  if (asked.watch || asked.ptx_line) {
    out["function"] = "";
  } else if (has_code_) {
    out.update(index_.status(asked));
  } else {
    out.update({{"later", true}, {"error", fmt::format("{} holds no device code", program_.filename().string())}});
  }
  return out;
}

debug::Json EmbeddedCode::look_up(const std::vector<debug::Breakpoint>& breakpoints) {
  if (breakpoints.empty()) {
    return debug::Json::array();
  }
  read();
  debug::Json out = debug::Json::array();
  for (const debug::Breakpoint& one : breakpoints) {
    out.push_back(status(one));
  }
  return out;
}

}  // namespace hpml::sim::cli
