#include "common/nn/baseline/slots.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/check.hpp"
#include "common/nn/baseline/batch_norm.hpp"
#include "common/nn/baseline/conv2d.hpp"
#include "common/nn/baseline/dataset.hpp"
#include "common/nn/baseline/kernels/naive.hpp"
#include "common/nn/baseline/loader.hpp"
#include "common/nn/baseline/optimizers.hpp"
#include "common/nn/baseline/tracer.hpp"
#include "common/nn/gemm/isa.hpp"
#include "common/nn/gemm/matmul.hpp"

namespace hpml::nn {

std::vector<std::string_view> instruction_sets() {
  std::vector<std::string_view> names;
  for (const gemm::Isa* isa : gemm::isas_here()) {
    names.push_back(isa->name);
  }
  return names;
}

Slots baseline_slots(Kernel kernel, std::string_view instruction_set) {
  const auto& isas = gemm::isas_here();
  const auto found =
      instruction_set.empty()
          ? isas.begin()
          : std::find_if(isas.begin(), isas.end(), [&](const gemm::Isa* isa) { return isa->name == instruction_set; });
  HPML_CHECK(found != isas.end(), fmt::format("instruction set '{}' is not available here", instruction_set));
  const gemm::Isa& isa = **found;
  Slots slots;
  slots.conv2d = [kernel, &isa](const ConvShape& shape, ThreadPool& pool) {
    return baseline::make_conv2d(kernel, isa, shape, pool);
  };
  slots.matmul = [kernel, &isa](const MatMul& shape, const float* a, const float* b, float* c, ThreadPool& pool) {
    if (kernel == Kernel::naive) {
      baseline::naive_matmul(shape, a, b, c);
    } else {
      gemm::matmul(isa, shape, a, b, c, pool);
    }
  };
  slots.batch_norm = baseline::make_batch_norm;
  slots.optimizer = baseline::make_optimizer<float>;
  slots.read_dataset = baseline::read_dataset;
  slots.loader = baseline::make_loader;
  slots.cost = cost_of;
  slots.tracer = baseline::make_tracer;
  return slots;
}

}  // namespace hpml::nn
