// A program of the student's own, with its threads, from outside: its output, its times, and how long its threads have
// waited for time to pass, by the kernel's word. A simulated storage is a sleep, and what a program says of its sleeps is
// its own word.
#include <fmt/format.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "commands.hpp"
#include "common/worker/asleep.hpp"
#include "common/worker/program.hpp"

namespace hpml::lab2 {
namespace {

constexpr int kTogether = 3;  // threads asleep at once that are surely workers: one loads, one may wait for it

double seconds(int64_t ns) { return static_cast<double>(ns) * 1e-9; }

// As a shell says it; the codes that are this program's own verdicts are not the student's to give.
int code_of(int status) {
  if (status < 0) {
    return worker::kOurFault;
  }
  if (WIFSIGNALED(status)) {
    return 128 + WTERMSIG(status);
  }
  const int code = WEXITSTATUS(status);
  return code == worker::kPolicy || code == worker::kWrong ? worker::kFailed : code;
}

}  // namespace

Answer<Ok> watch(Words words) {
  worker::Asleep asleep;
  const worker::ProgramRun run =
      worker::run_program({words.begin(), words.end()}, [&](pid_t program) { asleep.look(program); });
  if (run.status != 0) {
    return Failure{code_of(run.status), ""};
  }
  const nlohmann::json found = {{"output", run.output},
                                {"wall_s", seconds(run.times.wall_ns)},
                                {"after_s", seconds(run.after_ns)},
                                {"known", asleep.known()},
                                {"asleep_s", seconds(asleep.ns())},
                                {"together_s", seconds(asleep.ns(kTogether))}};
  fmt::print("{}\n", found.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  return Ok{};
}

}  // namespace hpml::lab2
