// References for the programs that students time themselves: a kernel of theirs in a worker, or our own loops here.
#include "common/worker/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "array_hosts.hpp"
#include "commands.hpp"
#include "common/bench/keep.hpp"
#include "common/bench/kernels/table.hpp"
#include "fresh.hpp"

namespace hpml::lab1 {
namespace {

using worker::Answer;
using worker::Failure;
using worker::Reference;
using worker::timed;
using worker::Times;

const std::string kYours = "your ";  // before the name of a reference: the student's kernel of that name

Answer<std::vector<Reference>> dot_reference(const BesideOptions& options) {
  HPML_TRY(auto started, KernelHost::start({options.library, options.symbol, KernelHost::Kind::dot, options.size}));
  const std::shared_ptr<KernelHost> host = std::move(started);
  const auto data = std::make_shared<FreshVectors>(*host, options.size);
  const auto work = [host, data]() -> Answer<Times> {
    const int64_t busy = host->process().busy_ns();
    HPML_TRY_VOID(data->timed_dot());
    return Times{host->process().wall_ns(), host->process().busy_ns() - busy};
  };
  return std::vector<Reference>{{"kernel", 1, {work}}};
}

// Aligned to what the processor fetches at once: wider vectors would otherwise reach over two lines each.
std::shared_ptr<double> filled(int64_t n, double value) {
  constexpr size_t kLine = 64;
  const size_t bytes = (static_cast<size_t>(n) * sizeof(double) + kLine - 1) / kLine * kLine;
  std::shared_ptr<double> array(static_cast<double*>(std::aligned_alloc(kLine, bytes)), std::free);
  std::fill_n(array.get(), array != nullptr ? n : 0, value);
  return array;
}

// Every vector length of this processor, and the library's copy, which a compiler puts in the place of such a loop.
Answer<std::vector<Reference>> stream_reference(int64_t bytes) {
  const int64_t n = bytes / 8;
  const auto a = filled(n, 1.0), b = filled(n, 2.0), c = filled(n, 0.0);
  if (a == nullptr || b == nullptr || c == nullptr) {
    return Failure{worker::kOurFault, fmt::format("no memory for three arrays of {} bytes", bytes)};
  }
  const auto units = [n](int per_element) { return static_cast<double>(per_element * n); };
  Reference copy{"Copy", units(16)}, scale{"Scale", units(16)}, add{"Add", units(24)}, triad{"Triad", units(24)};
  copy.ways.push_back(timed([=] { std::memcpy(c.get(), a.get(), static_cast<size_t>(n) * sizeof(double)); }));
  for (const bench::KernelTable* table : bench::kernels_here()) {
    copy.ways.push_back(timed([=] { table->copy(n, c.get(), a.get()); }));
    scale.ways.push_back(timed([=] { table->scale(n, 3.0, b.get(), c.get()); }));
    add.ways.push_back(timed([=] { table->add(n, c.get(), a.get(), b.get()); }));
    triad.ways.push_back(timed([=] { table->triad(n, 3.0, a.get(), b.get(), c.get()); }));
  }
  return std::vector<Reference>{copy, scale, add, triad};
}

// The student's kernels, on arrays of ours.
Answer<std::vector<Reference>> students_stream(const std::string& library, int64_t n) {
  constexpr int64_t kCalls = 8;  // the first of them finds arrays that this process has just written
  HPML_TRY(auto started, StreamHost::start(library, n));
  const std::shared_ptr<StreamHost> host = std::move(started);
  std::vector<Reference> references;
  for (size_t kernel = 0; kernel < kStreamKernels.size(); ++kernel) {
    const StreamKernel& of = kStreamKernels[kernel];
    references.push_back({kYours + of.name, static_cast<double>(of.bytes * n * kCalls), {[=] {
                            return host->call(kernel, n, kCalls);
                          }}});
  }
  return references;
}

Answer<std::vector<Reference>> students_peak(const std::string& library) {
  constexpr int64_t kRounds = 100'000;  // long beside a request
  HPML_TRY(auto started, PeakHost::start(library));
  const std::shared_ptr<PeakHost> host = std::move(started);
  const auto flop = static_cast<double>(2 * kRounds * PeakHost::kValues);
  return std::vector<Reference>{{kYours + "peak", flop, {[=] { return host->call(kRounds); }}}};
}

Answer<std::vector<Reference>> peak_reference() {
  constexpr int64_t kRounds = 20000;
  const bench::KernelTable& table = *bench::kernels_here().front();
  const auto work = timed([&table] {
    float r = table.peak(kRounds);
    bench::keep(r);
  });
  return std::vector<Reference>{{"peak", static_cast<double>(kRounds * table.peak_flop_per_round), {work}}};
}

Answer<std::vector<Reference>> references_of(const BesideOptions& options) {
  if (options.reference == "dot") {
    return dot_reference(options);
  }
  const bool stream = options.reference == "stream";
  HPML_TRY(std::vector<Reference> references, stream ? stream_reference(options.size) : peak_reference());
  HPML_TRY(const std::vector<Reference> yours,
           stream ? students_stream(options.library, options.size / 8) : students_peak(options.library));
  references.insert(references.end(), yours.begin(), yours.end());
  return references;
}

}  // namespace

int run_beside(const BesideOptions& options) {
  const Answer<std::vector<Reference>> references = references_of(options);
  if (!references.ok()) {
    return complain(references.error());
  }
  const Answer<nlohmann::json> result = worker::beside(*references, options.command, options.rounds);
  if (!result.ok()) {
    return complain(result.error());
  }
  fmt::print("{}\n", result->dump());
  return 0;
}

}  // namespace hpml::lab1
