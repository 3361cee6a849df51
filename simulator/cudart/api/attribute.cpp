// cudaDeviceGetAttribute. Numbers: cudaDeviceAttr, the same in CUDA 11, 12 and 13.
#include <cmath>
#include <map>
#include <optional>

#include "simulator/cudart/api/common.hpp"

namespace hpml::sim::cudart {
namespace {

// Limits that every device of compute capability 3.5 and later has (CUDA programming guide, "Compute Capabilities").
const std::map<int, int>& common_attributes() {
  static const auto* table = new std::map<int, int>{
      {2, 1024},        {3, 1024},    {4, 64},     {5, 2147483647}, {6, 65535},  {7, 65535},  {9, 65536},
      {11, 2147483647}, {14, 512},    {17, 0},     {18, 0},         {19, 1},     {20, 0},     {21, 131072},
      {22, 131072},     {23, 65536},  {24, 16384}, {25, 16384},     {26, 16384}, {27, 32768}, {28, 32768},
      {29, 2048},       {30, 512},    {31, 1},     {32, 0},         {33, 1},     {34, 0},     {35, 0},
      {41, 1},          {42, 32768},  {43, 2048},  {44, 1},         {45, 32768}, {46, 32768}, {47, 8192},
      {48, 8192},       {49, 32768},  {50, 0},     {51, 32},        {52, 32768}, {53, 32768}, {54, 2046},
      {55, 32768},      {56, 131072}, {57, 65536}, {58, 16384},     {59, 16384}, {60, 16384}, {61, 32768},
      {62, 2048},       {63, 32768},  {64, 32768}, {65, 2048},      {66, 32768}, {67, 32768}, {68, 2046},
      {69, 268435456},  {70, 131072}, {71, 65000}, {72, 2097120},   {73, 32768}, {74, 32768}, {77, 32768},
      {78, 1},          {79, 1},      {80, 1},     {83, 1},         {84, 0},     {85, 0},     {86, 0},
      {90, 1},          {91, 1},      {92, 1},     {93, 1},         {94, 1},     {98, 0},     {99, 1},
      {100, 0},         {101, 0},     {107, 0},    {110, 0},        {112, 0},    {113, 0},    {114, 0},
      {115, 1},         {116, 0},     {117, 0},    {118, 0},        {119, 0},    {120, 0},    {121, 0},
      {122, 1},         {123, 1},     {124, 1},    {125, 0},        {129, 0},    {130, 0},    {131, -1},
      {133, 0},         {134, -1},    {135, 0},    {136, 0},        {137, 0},    {138, 0},    {139, 0},
      {140, 0},         {141, 0},     {142, 0},    {143, 0},        {144, 0},    {145, 0},    {146, 0},
      {147, 0}};
  return *table;
}

// Calls that are refused by name: a program that asks first is told, and takes its other way.
bool asks_for_what_is_refused(int attribute) {
  switch (attribute) {
    case 96:   // cooperative launch on several devices
    case 103:  // handles for other processes: file descriptor
    case 104:  // Windows
    case 105:  // Windows, KMT
    case 128:  // handles of a fabric
    case 132:  // multicast objects
      return true;
    default: return false;
  }
}

}  // namespace

std::optional<int> device_attribute(const device::Properties& p, int attribute) {
  switch (attribute) {
    case 1: return p.max_threads_per_block;
    case 8: return static_cast<int>(p.shared_per_block);
    case 10: return p.warp_size;
    case 12: return p.registers_per_block;
    case 13: return p.core_clock_khz;
    case 15: return p.copy_engines > 0 ? 1 : 0;
    case 16: return p.multiprocessors;
    case 36: return p.memory_clock_khz;
    case 37: return p.memory_bus_bits;
    case 38: return static_cast<int>(p.l2_bytes);
    case 39: return p.max_threads_per_multiprocessor;
    case 40: return p.copy_engines;
    case 75: return p.cc_major;
    case 76: return p.cc_minor;
    case 81: return static_cast<int>(p.shared_per_multiprocessor);
    case 82: return p.registers_per_multiprocessor;
    case 87: return static_cast<int>(std::lround(p.rates.fp32_gflops / p.rates.fp64_gflops));  // every chip has FP64
    case 88: return p.pageable_memory_access ? 1 : 0;
    case 89: return p.concurrent_managed_access ? 1 : 0;
    case 95: return p.cc_major >= 6 ? 1 : 0;  // cooperative launch
    case 97: return static_cast<int>(p.shared_per_block_optin);
    case 102: return p.cc_major >= 6 ? 1 : 0;  // virtual memory management
    case 106: return p.max_blocks_per_multiprocessor;
    // Of persisting accesses: the set-aside part of L2 (three quarters of an A100's), and the largest window.
    case 108: return p.cc_major >= 8 ? static_cast<int>(p.l2_bytes / 4 * 3) : 0;
    case 109: return p.cc_major >= 8 ? 128 << 20 : 0;
    case 111: return static_cast<int>(p.reserved_shared_per_block);
    case 120: return p.max_cluster_blocks > 0 ? 1 : 0;  // cluster launch
    case 127: return p.cc_major >= 9 ? 1 : 0;           // tensor maps
    case 126: return p.cc_major >= 9 ? 4 : 1;           // memory synchronization domains (CUDA C++ Programming Guide)
    default: break;
  }
  if (asks_for_what_is_refused(attribute)) {
    return 0;
  }
  const auto it = common_attributes().find(attribute);
  return it != common_attributes().end() ? std::optional(it->second) : std::nullopt;
}

}  // namespace hpml::sim::cudart

using namespace hpml::sim::cudart;  // NOLINT(google-build-using-namespace): entry points have no namespace

HPML_CUDA_API int cudaDeviceGetAttribute(int* value, int attribute, int ordinal) {
  return api_call("cudaDeviceGetAttribute", [&](Runtime& runtime, ApiRecord&) {
    if (ordinal < 0 || ordinal >= runtime.device_count()) {
      return Error::invalid_device;
    }
    Context* context = runtime.device(ordinal);
    if (value == nullptr || context == nullptr) {
      return value == nullptr ? Error::invalid_value : Error::initialization_error;
    }
    const auto found = device_attribute(context->device().properties(), attribute);
    return found ? (*value = *found, Error::success) : Error::invalid_value;
  });
}
