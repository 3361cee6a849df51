#include "simulator/cudart/runtime/registry.hpp"

namespace hpml::sim::cudart {

RegisteredFatbin* Registry::add_fatbin(const void* wrapper) {
  auto fatbin = std::make_unique<RegisteredFatbin>();
  fatbin->index = ++count_;
  fatbin->wrapper = wrapper;
  fatbins_.push_back(std::move(fatbin));
  return fatbins_.back().get();
}

RegisteredFatbin* Registry::add_image(std::vector<ImagePart> image) {
  RegisteredFatbin* module = add_fatbin(nullptr);
  module->image = std::move(image);
  return module;
}

const FunctionHandle* Registry::handle(RegisteredFatbin& module, const std::string& name) {
  FunctionHandle& handle = module.handles[name];
  handle.module = &module;
  add_function(&module, &handle, name.c_str());
  return &handle;
}

RegisteredFatbin* Registry::module(const void* address) const {
  for (const auto& fatbin : fatbins_) {
    if (fatbin.get() == address) {
      return fatbin.get();
    }
  }
  return nullptr;
}

void Registry::remove_fatbin(RegisteredFatbin* fatbin) {
  std::erase_if(functions_, [&](const auto& entry) { return entry.second.fatbin == fatbin; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.fatbin == fatbin; });
  std::erase_if(fatbins_, [&](const auto& owned) { return owned.get() == fatbin; });
}

void Registry::add_function(RegisteredFatbin* fatbin, const void* stub, const char* name) {
  functions_[stub] = {fatbin, name};
}

void Registry::add_variable(const void* host, RegisteredVariable variable) {
  if (variable.managed_pointer != nullptr) {
    variable.fatbin->managed.push_back(variable);
  } else if (!variable.constant) {
    variable.fatbin->shadows[variable.name] = const_cast<void*>(host);
  }
  variables_[host] = std::move(variable);
}

const RegisteredFunction* Registry::function(const void* stub) const {
  const auto it = functions_.find(stub);
  return it == functions_.end() ? nullptr : &it->second;
}

const RegisteredVariable* Registry::variable(const void* host) const {
  const auto it = variables_.find(host);
  return it == variables_.end() ? nullptr : &it->second;
}

}  // namespace hpml::sim::cudart
