#pragma once
// What the entry points that differ between majors share. One abi/cudart_<major>.cpp is in each library.
#include "simulator/cudart/abi/layout.hpp"
#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {

template <class Prop>
int get_properties(Prop* out, int ordinal) {
  const device::Properties* properties = nullptr;
  if (out == nullptr) {
    return api_call("cudaGetDeviceProperties", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  const int error = device_properties(ordinal, properties);
  if (error == 0) {
    fill(*out, *properties, ordinal);
  }
  return error;
}

template <class Attributes>
int get_function_attributes(Attributes* out, const void* stub) {
  if (out == nullptr) {
    return api_call("cudaFuncGetAttributes", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  FunctionAttributes found;
  const int error = function_attributes(stub, found);
  if (error == 0) {
    *out = {};
    out->sharedSizeBytes = found.shared_bytes;
    out->constSizeBytes = found.const_bytes;
    out->localSizeBytes = found.local_bytes;
    out->maxThreadsPerBlock = found.max_threads;
    out->numRegs = found.registers;
    out->ptxVersion = found.ptx_version;
    out->binaryVersion = found.binary_version;
    out->maxDynamicSharedSizeBytes = found.max_dynamic_shared;
    out->preferredShmemCarveout = found.preferred_carveout;
    if constexpr (requires { out->requiredClusterWidth; }) {
      out->requiredClusterWidth = found.required_cluster[0];
      out->requiredClusterHeight = found.required_cluster[1];
      out->requiredClusterDepth = found.required_cluster[2];
      out->clusterDimMustBeSet = found.required_cluster[0] != 0 ? 1 : 0;
      out->nonPortableClusterSizeAllowed = found.non_portable_cluster ? 1 : 0;
      out->clusterSchedulingPolicyPreference = found.cluster_policy;
    }
  }
  return error;
}

template <class Attributes>
int get_pointer_attributes(Attributes* out, const void* pointer) {
  if (out == nullptr) {
    return api_call("cudaPointerGetAttributes", [](Runtime&, ApiRecord&) { return Error::invalid_value; });
  }
  PointerAttributes found;
  const int error = pointer_attributes(pointer, found);
  if (error == 0) {
    *out = {};
    out->type = found.type;
    out->device = found.device;
    out->devicePointer = found.device_pointer;
    out->hostPointer = found.host_pointer;
  }
  return error;
}

inline int get_version(const char* name, int* out, int version) {
  return api_call(name, [&](Runtime&, ApiRecord&) {
    return out != nullptr ? (*out = version, Error::success) : Error::invalid_value;
  });
}

}  // namespace hpml::sim::cudart
