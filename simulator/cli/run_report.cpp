#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/cli/program.hpp"
#include "simulator/cli/reporter.hpp"
#include "simulator/cli/supervised.hpp"

namespace hpml::sim::cli {
namespace {

namespace fs = std::filesystem;

// A metrics file of the program's run that nobody asked for: gone with this object.
class TemporaryFile {
 public:
  TemporaryFile() : path_((fs::temp_directory_path() / "gpusim_metrics_XXXXXX").string()) {
    const int file = mkstemp(path_.data());
    if (file >= 0) {
      close(file);
    }
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A file of an earlier run must not be taken for this one's.
void clear(const std::string& path) {
  std::error_code none;
  fs::remove(path, none);
}

int report(const std::string& metrics, const std::vector<std::string>& report_words) {
  std::error_code none;
  if (!fs::exists(metrics, none)) {
    fmt::print(stderr, "gpusim: there is nothing to report: the program did not use a GPU through CUDA\n");
    return kDone;
  }
  std::vector<std::string> words = {"profile", metrics};
  words.insert(words.end(), report_words.begin(), report_words.end());
  return run_reporter(words);
}

}  // namespace

int run_then_report(const RunOptions& options, const std::vector<std::string>& report_words) {
  const auto prepared = prepare_program(options);
  if (!prepared.ok()) {
    return usage_error(prepared.error().to_string());
  }
  int status = 0, reported = kDone;
  {
    const TemporaryFile temporary;
    RunOptions with_metrics = options;
    if (with_metrics.metrics.empty()) {
      with_metrics.metrics = temporary.path();
    }
    clear(with_metrics.metrics);
    status = run_supervised([&] { return become_program(with_metrics, *prepared); });
    reported = report(with_metrics.metrics, report_words);
  }
  return status != 0 ? end_alike(status) : reported;
}

}  // namespace hpml::sim::cli
