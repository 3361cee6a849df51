#include "common/nn/bench/onednn.hpp"

#if defined(HPML_HAVE_ONEDNN)
#include <benchmark/benchmark.h>

#include <omp.h>
#include <array>
#include <dnnl.hpp>

namespace hpml::nn {
namespace {

using namespace dnnl;  // its names are those of the field; this file is about nothing else
using Dims = memory::dims;

struct Problem {
  engine cpu;
  memory::desc x, w, y;
  Dims strides, padding;

  Problem(const engine& the_engine, const ConvShape& s)
      : cpu(the_engine),
        x(any({s.n, s.ci, s.h, s.w})),
        w(any({s.co, s.ci, s.k, s.k})),
        y(any({s.n, s.co, s.out_h(), s.out_w()})),
        strides{s.stride, s.stride},
        padding{s.pad, s.pad} {}

  static memory::desc any(const Dims& dims) { return {dims, memory::data_type::f32, memory::format_tag::any}; }
  convolution_forward::primitive_desc forward() const {
    const convolution_forward::desc description(prop_kind::forward_training, algorithm::convolution_direct, x, w, y,
                                                strides, padding, padding);
    return {description, cpu};
  }
  convolution_backward_data::primitive_desc by_input() const {
    const convolution_backward_data::desc description(algorithm::convolution_direct, x, w, y, strides, padding,
                                                      padding);
    return {description, cpu, forward()};
  }
  convolution_backward_weights::primitive_desc by_weights() const {
    const convolution_backward_weights::desc description(algorithm::convolution_direct, x, w, y, strides, padding,
                                                         padding);
    return {description, cpu, forward()};
  }
};

memory filled(const memory::desc& description, const engine& cpu, float value) {
  memory result(description, cpu);
  auto* data = static_cast<float*>(result.get_data_handle());
  std::fill_n(data, description.get_size() / sizeof(float), value);
  return result;
}

struct Job {
  primitive work;
  std::unordered_map<int, memory> arguments;
};

Job forward_job(Problem& p) {
  const auto pd = p.forward();
  return {convolution_forward(pd),
          {{DNNL_ARG_SRC, filled(pd.src_desc(), p.cpu, 0.5F)},
           {DNNL_ARG_WEIGHTS, filled(pd.weights_desc(), p.cpu, 0.01F)},
           {DNNL_ARG_DST, filled(pd.dst_desc(), p.cpu, 0)}}};
}
Job by_input_job(Problem& p) {
  const auto pd = p.by_input();
  return {convolution_backward_data(pd),
          {{DNNL_ARG_DIFF_SRC, filled(pd.diff_src_desc(), p.cpu, 0)},
           {DNNL_ARG_WEIGHTS, filled(pd.weights_desc(), p.cpu, 0.01F)},
           {DNNL_ARG_DIFF_DST, filled(pd.diff_dst_desc(), p.cpu, 0.25F)}}};
}
Job by_weights_job(Problem& p) {
  const auto pd = p.by_weights();
  return {convolution_backward_weights(pd),
          {{DNNL_ARG_SRC, filled(pd.src_desc(), p.cpu, 0.5F)},
           {DNNL_ARG_DIFF_WEIGHTS, filled(pd.diff_weights_desc(), p.cpu, 0)},
           {DNNL_ARG_DIFF_DST, filled(pd.diff_dst_desc(), p.cpu, 0.25F)}}};
}

using Layers = std::vector<std::pair<ConvShape, int>>;
using MakeJobs = std::vector<Job> (*)(Problem& problem);

void measure(benchmark::State& state, const Layers& layers, MakeJobs make_jobs) {
  omp_set_num_threads(1);
  const engine cpu(engine::kind::cpu, 0);
  std::vector<Job> jobs;
  double flop = 0;
  for (const auto& [shape, times] : layers) {
    Problem problem(cpu, shape);
    const std::vector<Job> own = make_jobs(problem);
    for (int i = 0; i < times; ++i) {
      jobs.insert(jobs.end(), own.begin(), own.end());
    }
    flop += 2.0 * static_cast<double>(shape.macs()) * times;
  }
  stream queue(cpu);
  for (auto _ : state) {
    for (Job& job : jobs) {
      job.work.execute(queue, job.arguments);
    }
    queue.wait();
  }
  state.counters["GFLOP/s"] = benchmark::Counter(1e-9 * flop, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace

void add_onednn_benchmarks(const std::string& name, const Layers& layers) {
  const auto add = [&](const std::string& pass, MakeJobs make_jobs) {
    benchmark::RegisterBenchmark((name + "/onednn/" + pass).c_str(),
                                 [layers, make_jobs](benchmark::State& state) { measure(state, layers, make_jobs); });
  };
  add("forward", [](Problem& p) { return std::vector<Job>{forward_job(p)}; });
  add("by_weights", [](Problem& p) { return std::vector<Job>{by_weights_job(p)}; });
  add("by_both", [](Problem& p) { return std::vector<Job>{by_weights_job(p), by_input_job(p)}; });
}

}  // namespace hpml::nn

#else

namespace hpml::nn {
void add_onednn_benchmarks(const std::string&, const std::vector<std::pair<ConvShape, int>>&) {}
}  // namespace hpml::nn

#endif
