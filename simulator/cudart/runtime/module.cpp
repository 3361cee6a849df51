// From a registered fat binary to a module of the device: read, choose the PTX, collect the cubin's facts, load.
#include <fmt/format.h>

#include "simulator/cudart/runtime/context.hpp"
#include "simulator/fatbin/cubin.hpp"
#include "simulator/fatbin/select.hpp"
#include "simulator/fatbin/wrapper.hpp"

namespace hpml::sim::cudart {
namespace {

LoadedModule failed(Error error, const Diag& why) { return {error, -1, why.to_string()}; }

Result<fatbin::Fatbin> read_image(const RegisteredFatbin& registered, const std::string& name) {
  if (registered.wrapper != nullptr) {
    return fatbin::read_wrapper(registered.wrapper, name);
  }
  fatbin::Fatbin image;
  for (const ImagePart& part : registered.image) {
    HPML_TRY(fatbin::FatbinPart read, fatbin::read_part(std::as_bytes(std::span(part.bytes)), part.name));
    image.parts.push_back(std::move(read));
  }
  return image;
}

Result<std::vector<device::CubinKernel>> cubin_facts(const std::vector<fatbin::Entry>& entries, uint32_t sm,
                                                     const std::string& name) {
  std::vector<device::CubinKernel> facts;
  const fatbin::Entry* cubin = fatbin::choose_cubin(entries, sm);
  if (cubin == nullptr) {
    return facts;
  }
  HPML_TRY(const std::string elf, fatbin::unpack(*cubin, name));
  HPML_TRY(const auto kernels, fatbin::read_cubin(std::as_bytes(std::span(elf.data(), elf.size())), cubin->sm, name));
  for (const auto& [kernel, resources] : kernels) {
    facts.push_back({.name = kernel,
                     .sm = static_cast<int>(cubin->sm),
                     .registers = static_cast<int>(resources.registers),
                     .static_shared = resources.shared_bytes});
  }
  return facts;
}

void append(std::vector<device::CubinKernel>& all, std::vector<device::CubinKernel> more) {
  all.insert(all.end(), more.begin(), more.end());
}

// What only the PTX of libcudadevrt.a calls. It is there for the newest architecture alone; we do not run it.
constexpr std::string_view kDeviceRuntimeMark = "__cuda_syscall_";

}  // namespace

// The PTX and the cubins' facts of one unit, behind those of the units before.
LoadedModule Context::read_unit(const RegisteredFatbin& registered, std::vector<device::ModulePart>& parts,
                                std::vector<device::CubinKernel>& cubins) {
  const std::string name = fmt::format("<fat binary {} of {}>", registered.index, config_.program);
  const auto& properties = device_->properties();
  const auto sm = static_cast<uint32_t>(properties.cc_major * 10 + properties.cc_minor);
  const auto fatbin = read_image(registered, name);
  if (!fatbin.ok()) {
    return failed(Error::invalid_kernel_image, fatbin.error());
  }
  auto linked = cubin_facts(fatbin->linked, sm, name);
  if (!linked.ok()) {
    return failed(Error::invalid_kernel_image, linked.error());
  }
  append(cubins, *linked);
  for (const fatbin::FatbinPart& part : fatbin->parts) {
    if (part.entries.empty()) {
      parts.push_back({part.ptx_text, part.name, registered.shadows});
      continue;
    }
    const auto choice = fatbin::choose_ptx(part.entries, sm, config_.strict_arch, part.name);
    if (!choice.ok()) {
      return failed(Error::no_kernel_image_for_device, choice.error());
    }
    auto ptx = fatbin::unpack(*choice->entry, part.name);
    auto facts = cubin_facts(part.entries, sm, part.name);
    if (!ptx.ok() || !facts.ok()) {
      return failed(Error::invalid_kernel_image, ptx.ok() ? facts.error() : ptx.error());
    }
    const bool of_program = ptx->find(kDeviceRuntimeMark) == std::string::npos;
    if (choice->above_device && of_program && !above_device_said_) {
      above_device_said_ = true;
      say(fmt::format("{}: its PTX is for sm_{}, the simulated device is sm_{}; running it all the same", part.name,
                      choice->entry->sm, sm));
    }
    parts.push_back({*ptx, part.name});
    if (fatbin->linked.empty()) {  // else the cubins of the parts are relocatable: final counts are in the linked one
      append(cubins, *facts);
    }
  }
  return {};
}

LoadedModule Context::load(const std::vector<RegisteredFatbin*>& units) {
  std::vector<device::ModulePart> parts;
  std::vector<device::CubinKernel> cubins;
  for (const RegisteredFatbin* unit : units) {
    if (LoadedModule read = read_unit(*unit, parts, cubins); read.error != Error::success) {
      return read;
    }
  }
  const auto module = device_->load_module(parts, cubins);
  if (!module.ok()) {
    return failed(Error::invalid_ptx, module.error());
  }
  if (units.front()->wrapper == nullptr) {
    if (const auto verified = device_->verify_module(*module); !verified.ok()) {
      device_->unload_module(*module);
      return failed(Error::invalid_ptx, verified.error());
    }
  }
  return {Error::success, *module, {}};
}

}  // namespace hpml::sim::cudart
