#include "simulator/cudnn/operation.hpp"

#include <array>
#include <bit>
#include <nlohmann/json.hpp>

#include "simulator/cudnn/algorithms.hpp"

namespace hpml::sim::cudnn {
namespace {

using Json = nlohmann::json;

constexpr int kMostElements = 4;        // libraries::Element
constexpr int64_t kMostSize = 1 << 20;  // of a dimension, and of what a convolution is given by
constexpr int64_t kMostStride = int64_t{1} << 38;
constexpr int64_t kMostCount = int64_t{1} << 36;

Json to_json(const Tensor& t) { return {static_cast<int>(t.type), t.dims, t.strides, t.rank}; }

Json to_json(const Convolution& c) {
  return {c.pad_h,      c.pad_w,      c.stride_h,          c.stride_w,
          c.dilation_h, c.dilation_w, c.cross_correlation, static_cast<int>(c.compute),
          c.groups,     c.math_type,  c.reorder_type};
}

Element element_from(const Json& json) {
  const int number = json.get<int>();
  if (number < 0 || number >= kMostElements) {
    throw std::out_of_range("element");
  }
  return static_cast<Element>(number);
}

int64_t within(int64_t value, int64_t low, int64_t high) {
  if (value < low || value > high) {
    throw std::out_of_range("size");
  }
  return value;
}

template <class T>
T tensor_from(const Json& json) {
  T t;
  t.set = true;
  t.type = element_from(json.at(0));
  t.dims = json.at(1).get<std::array<int, 4>>();
  t.strides = json.at(2).get<std::array<int64_t, 4>>();
  t.rank = json.at(3).get<int>();
  int64_t count = 1;
  for (size_t i = 0; i < t.dims.size(); ++i) {
    count *= within(t.dims[i], 1, kMostSize);
    within(count, 1, kMostCount);
    within(t.strides[i], 1, kMostStride);
  }
  return t;
}

Convolution convolution_from(const Json& json) {
  const auto number = [&json](size_t at, int64_t low) {
    return static_cast<int>(within(json.at(at).get<int64_t>(), low, kMostSize));
  };
  Convolution c;
  c.set = true;
  c.pad_h = number(0, 0);
  c.pad_w = number(1, 0);
  c.stride_h = number(2, 1);
  c.stride_w = number(3, 1);
  c.dilation_h = number(4, 1);
  c.dilation_w = number(5, 1);
  c.cross_correlation = json.at(6).get<bool>();
  c.compute = element_from(json.at(7));
  c.groups = number(8, 1);
  c.math_type = number(9, 0);
  c.reorder_type = number(10, 0);
  return c;
}

}  // namespace

std::string to_arguments(const ForwardOperation& o) {
  const Problem& p = o.problem;
  return Json({to_json(p.x), to_json(p.w), to_json(p.y), to_json(p.conv), o.algorithm, std::bit_cast<uint64_t>(o.alpha),
               std::bit_cast<uint64_t>(o.beta), o.x, o.w, o.y, o.workspace})
      .dump();
}

Result<ForwardOperation> read_arguments(const std::string& text) {
  ForwardOperation o;
  try {
    const Json json = Json::parse(text);
    const auto x = tensor_from<Tensor>(json.at(0));
    const auto w = tensor_from<Filter>(json.at(1));
    const auto y = tensor_from<Tensor>(json.at(2));
    const Convolution conv = convolution_from(json.at(3));
    o.algorithm = static_cast<int>(within(json.at(4).get<int64_t>(), 0, kAlgorithms - 1));
    o.alpha = std::bit_cast<double>(json.at(5).get<uint64_t>());
    o.beta = std::bit_cast<double>(json.at(6).get<uint64_t>());
    o.x = json.at(7).get<uint64_t>();
    o.w = json.at(8).get<uint64_t>();
    o.y = json.at(9).get<uint64_t>();
    o.workspace = json.at(10).get<uint64_t>();
    if (make_problem(&x, &w, &conv, &y, o.problem) == kSuccess) {
      return o;
    }
  } catch (const std::exception&) {  // of the JSON library, and of the bounds above
  }
  return error_in("<recording>", "a convolution that cudnnConvolutionForward refuses");
}

Result<replay::LibraryResult> forward_again(const std::string& arguments, const device::Properties& chip,
                                            const replay::BytesAt& at) {
  HPML_TRY(const ForwardOperation o, read_arguments(arguments));
  const Problem& p = o.problem;
  const auto plan = plan_of(p, static_cast<Algorithm>(o.algorithm), chip);
  if (!plan) {
    return error_in("<recording>", "a convolution by an algorithm that cannot do it");
  }
  if (plan->workspace > 0) {
    HPML_TRY_VOID(at(o.workspace, plan->workspace));
  }
  HPML_TRY(std::byte* const x, at(o.x, p.x.bytes()));
  HPML_TRY(std::byte* const w, at(o.w, p.w.bytes()));
  HPML_TRY(std::byte* const y, at(o.y, p.y.bytes()));
  convolve(p, o.alpha, x, w, o.beta, y);
  return replay::LibraryResult{.kernels = plan->kernels, .output = o.y, .output_bytes = p.y.bytes()};
}

}  // namespace hpml::sim::cudnn
