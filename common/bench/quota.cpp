#include "common/bench/quota.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace hpml::bench {
namespace {

namespace fs = std::filesystem;

bool names_cpu(const std::string& controllers) {
  std::istringstream words(controllers);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "cpu") {
      return true;
    }
  }
  return false;
}

// Folders of the groups of this process and of those around them: a quota of any of them holds it back. Lines are
// "number:controllers:path" (cgroups(7)); version 2 has number 0 and no controllers.
std::set<fs::path> groups(const fs::path& root) {
  const fs::path version1 = root / "sys/fs/cgroup/cpu", version2 = root / "sys/fs/cgroup";
  std::set<fs::path> found = {version1, version2};
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !names_cpu(controllers)) {
      continue;
    }
    const fs::path& top = controllers.empty() ? version2 : version1;
    for (fs::path path = fs::path(line.substr(second + 1)).relative_path(); !path.empty(); path = path.parent_path()) {
      found.insert(top / path);
    }
  }
  return found;
}

// "name number" lines.
int64_t number_of(const fs::path& path, const std::string& name) {
  std::ifstream file(path);
  std::string word;
  for (int64_t number = 0; file >> word >> number;) {
    if (word == name) {
      return number;
    }
  }
  return 0;
}

// Processors of one group: "200000 100000" or "max 100000" in version 2; two files, -1 for no limit, in version 1.
double processors_of(const fs::path& group) {
  double allowed = 0, period = 0;
  std::ifstream both(group / "cpu.max"), quota(group / "cpu.cfs_quota_us"), length(group / "cpu.cfs_period_us");
  const bool known = (both >> allowed >> period) || (quota >> allowed && length >> period);
  return known && allowed > 0 && period > 0 ? allowed / period : Quota().processors;
}

}  // namespace

Quota processor_quota(const fs::path& root) {
  Quota quota;
  for (const fs::path& group : groups(root)) {
    quota.processors = std::min(quota.processors, processors_of(group));
    quota.held_back += number_of(group / "cpu.stat", "nr_throttled");
  }
  return quota;
}

}  // namespace hpml::bench
