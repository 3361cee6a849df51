// The time line for Perfetto: is everything there, on its row, at the time that the log has?
#include <map>
#include <nlohmann/json.hpp>

#include "simulator/cudart/runtime/report.hpp"
#include "simulator/tests/cudart/runtime_fixture.hpp"

namespace hpml::sim::cudart {
namespace {

using Json = nlohmann::ordered_json;

class Trace : public RuntimeTest {
 protected:
  // "process/row" of each complete event, by name.
  std::multimap<std::string, std::string> rows(const Json& trace) {
    std::map<std::pair<int, uint64_t>, std::string> names;
    for (const Json& event : trace["traceEvents"]) {
      if (event["name"] == "thread_name") {
        names[{event["pid"], event["tid"]}] = event["args"]["name"];
      }
    }
    std::multimap<std::string, std::string> found;
    for (const Json& event : trace["traceEvents"]) {
      if (event["ph"] == "X") {
        found.emplace(event["name"], names.at({event["pid"], event["tid"]}));
      }
    }
    return found;
  }
};

TEST_F(Trace, EveryEventHasARowWithAName) {
  add_kernel(kWork);
  void* device = nullptr;
  void* stream = nullptr;
  EXPECT_EQ(cudaMalloc(&device, 64), 0);
  EXPECT_EQ(cudaStreamCreate(&stream), 0);
  char host[64] = {};
  EXPECT_EQ(cudaMemcpy(device, host, 64, kHostToDevice), 0);
  EXPECT_EQ(launch(kWork, stream), 0);
  EXPECT_EQ(cudaMemcpy(host, device, 64, kDeviceToHost), 0);
  EXPECT_EQ(cudaMemset(device, 0, 64), 0);
  const auto found = rows(trace_json(*runtime_));
  EXPECT_EQ(found.find("HtoD")->second, "copy engine, host to device");
  EXPECT_EQ(found.find("DtoH")->second, "copy engine, device to host");
  EXPECT_EQ(found.find("memset")->second, "stream 0 (default)");
  EXPECT_EQ(found.find("cudaMalloc")->second, "CUDA calls");
  EXPECT_EQ(found.count("cudaMemcpy"), 2u);
}

TEST_F(Trace, TimesAreThoseOfTheLogInMicroseconds) {
  add_kernel(kWork).duration = 1500 * kMicrosecond;
  EXPECT_EQ(launch(kWork), 0);
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  const Span span = log().kernels.at(0).span;
  int kernels = 0;
  const Json trace = trace_json(*runtime_);
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == 1) {
      ++kernels;
      EXPECT_DOUBLE_EQ(event["ts"].get<double>(), static_cast<double>(span.start) / 1e6);
      EXPECT_DOUBLE_EQ(event["dur"].get<double>(), 1500.0);
    }
  }
  EXPECT_EQ(kernels, 1);
}

TEST_F(Trace, TheHostsRowsHaveNoGapsAndNoOverlap) {
  start();
  runtime_->clock.advance(70 * kMicrosecond);  // the program sleeps
  EXPECT_EQ(cudaDeviceSynchronize(), 0);
  double last = 0, between = 0;
  std::map<double, double> spans;
  const Json trace = trace_json(*runtime_);
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["pid"] == 0) {
      spans[event["ts"]] = event["dur"];
      between += event["name"] == "program" ? event["dur"].get<double>() : 0;
    }
  }
  for (const auto& [begin, duration] : spans) {
    EXPECT_NEAR(begin, last, 1e-6);
    last = begin + duration;
  }
  EXPECT_NEAR(last, static_cast<double>(now()) / 1e6, 1e-6);
  EXPECT_GE(between, 70);
}

}  // namespace
}  // namespace hpml::sim::cudart
