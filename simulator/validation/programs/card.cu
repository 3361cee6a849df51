// What a card says of itself: the properties that a GPU file needs.
#include "bench.cuh"

int main() {
  cudaDeviceProp of;
  CHECK(cudaGetDeviceProperties(&of, 0));
  int core_khz = 0, memory_khz = 0, optin = 0, per_sm = 0, reserved = 0;
  CHECK(cudaDeviceGetAttribute(&core_khz, cudaDevAttrClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&memory_khz, cudaDevAttrMemoryClockRate, 0));
  CHECK(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(cudaDeviceGetAttribute(&per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  const struct {
    const char* name;
    double value;
  } properties[] = {
      {"cc_major", static_cast<double>(of.major)},
      {"cc_minor", static_cast<double>(of.minor)},
      {"sms", static_cast<double>(of.multiProcessorCount)},
      {"core_mhz", core_khz / 1e3},
      {"memory_mhz", memory_khz / 1e3},
      {"bus_bits", static_cast<double>(of.memoryBusWidth)},
      {"memory_mib", static_cast<double>(of.totalGlobalMem >> 20)},
      {"l2_kib", of.l2CacheSize / 1024.0},
      {"threads_per_sm", static_cast<double>(of.maxThreadsPerMultiProcessor)},
      {"registers_per_sm", static_cast<double>(of.regsPerMultiprocessor)},
      {"shared_per_sm", static_cast<double>(per_sm)},
      {"shared_per_block", static_cast<double>(of.sharedMemPerBlock)},
      {"shared_optin", static_cast<double>(optin)},
      {"shared_reserved", static_cast<double>(reserved)},
  };
  for (const auto& property : properties) {
    result(property.name, property.value, "count");
  }
}
