#include "common/bench/machine.hpp"

#include <sched.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "common/bench/quota.hpp"

namespace hpml::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const char* const kUnknown = "unknown";

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string line_of(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? trimmed(line) : kUnknown;
}

// "key : value" of the first block of proc/cpuinfo.
std::string cpuinfo(const fs::path& root, const std::string& key) {
  std::ifstream file(root / "proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon != std::string::npos && trimmed(line.substr(0, colon)) == key) {
      return trimmed(line.substr(colon + 1));
    }
  }
  return kUnknown;
}

// "36608K" -> bytes; 0 when it is no such text.
int64_t size_of(const std::string& text) {
  std::istringstream stream(text);
  int64_t number = 0;
  char unit = 'B';
  stream >> number >> unit;
  return number * (unit == 'K' ? 1024 : unit == 'M' ? 1024 * 1024 : 1);
}

json caches(const fs::path& root) {
  json list = json::array();
  for (int index = 0; index < 8; ++index) {
    const fs::path folder = root / "sys/devices/system/cpu/cpu0/cache" / ("index" + std::to_string(index));
    if (fs::exists(folder / "size")) {
      list.push_back({{"level", line_of(folder / "level")},
                      {"type", line_of(folder / "type")},
                      {"bytes", size_of(line_of(folder / "size"))},
                      {"line_bytes", line_of(folder / "coherency_line_size")},
                      {"shared_by", line_of(folder / "shared_cpu_list")}});
    }
  }
  return list;
}

int numa_nodes(const fs::path& root) {
  int count = 0;
  while (fs::exists(root / "sys/devices/system/node" / ("node" + std::to_string(count)))) {
    ++count;
  }
  return count;
}

// The instruction sets that decide which kernels run.
json interesting_flags(const std::set<std::string>& flags) {
  json list = json::array();
  for (const char* name :
       {"sse2", "avx", "avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "asimd", "sve", "sve2"}) {
    if (flags.count(name) > 0) {
      list.push_back(name);
    }
  }
  return list;
}

// Share of the time since start-up that the hypervisor gave to others, in percent.
double steal_percent(const fs::path& root) {
  const ProcessorTicks ticks = processor_ticks(root);
  return ticks.all > 0 ? 100 * static_cast<double>(ticks.stolen) / static_cast<double>(ticks.all) : 0;
}

}  // namespace

ProcessorTicks processor_ticks(const fs::path& root) {
  std::istringstream words(line_of(root / "proc/stat"));
  std::string name;
  words >> name;
  ProcessorTicks ticks;
  int64_t value = 0;
  for (int column = 0; column < 8 && words >> value; ++column) {
    ticks.all += value;
    ticks.stolen = column == 7 ? value : ticks.stolen;
  }
  return ticks;
}

std::set<std::string> processor_flags(const fs::path& root) {
  std::string text = cpuinfo(root, "flags");
  if (text == kUnknown) {
    text = cpuinfo(root, "Features");
  }
  std::istringstream words(text);
  std::set<std::string> flags;
  for (std::string word; words >> word;) {
    flags.insert(word);
  }
  return flags;
}

int64_t last_level_cache_bytes(const fs::path& root) {
  int64_t largest = 0;
  for (const json& cache : caches(root)) {
    largest = std::max(largest, cache["bytes"].get<int64_t>());
  }
  return largest;
}

double usable_processors(const fs::path& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  double count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  count = std::min(count, processor_quota(root).processors);
  return count;
}

json describe_machine(const fs::path& root) {
  const std::set<std::string> flags = processor_flags(root);
  const std::string governor = line_of(root / "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  const bool guest = flags.count("hypervisor") > 0;
  return {{"processor", cpuinfo(root, "model name")},
          {"family", cpuinfo(root, "cpu family")},
          {"model", cpuinfo(root, "model")},
          {"stepping", cpuinfo(root, "stepping")},
          {"virtual_machine", guest},
          {"processors_usable", usable_processors(root)},
          {"numa_nodes", numa_nodes(root)},
          {"caches", caches(root)},
          {"instruction_sets", interesting_flags(flags)},
          {"frequency_policy", governor == kUnknown && guest ? "unknown (virtual machine)" : governor},
          {"transparent_huge_pages", line_of(root / "sys/kernel/mm/transparent_hugepage/enabled")},
          {"load_average", line_of(root / "proc/loadavg")},
          {"steal_percent", steal_percent(root)},
          {"kernel", line_of(root / "proc/sys/kernel/osrelease")},
          {"cycle_counters", fs::exists(root / "sys/bus/event_source/devices/cpu")},
          {"compiler", __VERSION__}};
}

}  // namespace hpml::bench
