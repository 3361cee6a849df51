// Times of qgemm.cpp's products beside oneDNN's, in turns in one run: CPU time of one thread, medians and least of 15.
// Prints JSON: [{"what", "ms", "peer_ms", "ratio"}], and "peer" with its version. Exit code 1: results differ.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "lab5.hpp"

namespace {

using Work = std::function<void()>;
using Type = dnnl::memory::data_type;
using Format = dnnl::memory::format_tag;
using dnnl::memory;

constexpr int kRuns = 15;

double cpu_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

template <class T>
std::vector<T> numbers(int64_t count) {
  static std::mt19937 random(1);
  std::vector<T> values(static_cast<size_t>(count));
  std::ranges::generate(values, [] { return static_cast<T>(random()); });
  return values;
}

struct Pair {
  std::string what;
  Work ours, theirs;
};

void report(const Pair& pair, bool first) {
  std::vector<double> ours, theirs;
  for (int i = 0; i < kRuns; ++i) {
    const double begin = cpu_ms();
    pair.ours();
    const double middle = cpu_ms();
    pair.theirs();
    ours.push_back(middle - begin);
    theirs.push_back(cpu_ms() - middle);
  }
  std::ranges::sort(ours);
  std::ranges::sort(theirs);
  std::printf("%s{\"what\": \"%s\", \"ms\": %.4f, \"peer_ms\": %.4f, \"ratio\": %.3f}", first ? "" : ",\n ",
              pair.what.c_str(), ours[kRuns / 2], theirs[kRuns / 2], ours.front() / theirs.front());
}

// Runs both once; they must agree before they are timed.
Pair checked(Pair pair, const std::vector<int32_t>& ours, const std::vector<int32_t>& theirs) {
  pair.ours();
  pair.theirs();
  if (ours != theirs) {
    std::fprintf(stderr, "peers: %s: the results differ\n", pair.what.c_str());
    std::exit(1);
  }
  return pair;
}

// A primitive of oneDNN with its operands.
Work peer(dnnl::primitive primitive, const memory& in, const memory& weights, const memory& out, dnnl::stream& stream) {
  return [=]() mutable {
    primitive.execute(stream, {{DNNL_ARG_SRC, in}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, out}});
    stream.wait();
  };
}

// Packed weights of ours, at an address that vectors may be loaded from.
void* packed(int32_t level, int64_t taps, int64_t k, int64_t n, const int8_t* w) {
  constexpr size_t kLine = 64;
  const auto bytes = static_cast<size_t>(qgemm_packed_bytes(level, taps, k, n));
  void* place = std::aligned_alloc(kLine, (bytes / kLine + 1) * kLine);
  qgemm_pack(level, taps, k, n, w, place);
  return place;
}

memory in_its_order(const memory::desc& wanted, memory& plain, const dnnl::engine& engine, dnnl::stream& stream) {
  memory result(wanted, engine);
  dnnl::reorder(plain, result).execute(stream, plain, result);
  stream.wait();
  return result;
}

// n x n x n; the data live as long as the process.
Pair product(int64_t n, const dnnl::engine& engine, dnnl::stream& stream) {
  auto& a = *new auto(numbers<uint8_t>(n * n));
  auto& b = *new auto(numbers<int8_t>(n * n));
  auto& ours = *new std::vector<int32_t>(static_cast<size_t>(n * n));
  auto& theirs = *new std::vector<int32_t>(static_cast<size_t>(n * n));
  const memory::desc a_form({n, n}, Type::u8, Format::ab), any({n, n}, Type::s8, Format::any),
      c_form({n, n}, Type::s32, Format::ab);
  const dnnl::matmul::primitive_desc form(dnnl::matmul::desc(a_form, any, c_form), engine);
  memory plain({{n, n}, Type::s8, Format::ab}, engine, b.data());
  const memory weights = in_its_order(form.weights_desc(), plain, engine, stream);
  const memory in(a_form, engine, a.data()), out(c_form, engine, theirs.data());
  const int32_t level = qgemm_best_level();
  const void* mine = packed(level, 1, n, n, b.data());
  Pair pair{"product " + std::to_string(n),
            [=, &a, &ours] { qgemm(level, n, n, n, a.data(), n, 0, mine, 0, ours.data()); },
            peer(dnnl::matmul(form), in, weights, out, stream)};
  return checked(std::move(pair), ours, theirs);
}

// 3 x 3, padding 1, c channels to as many.
Pair convolution(int32_t side, int32_t c, const dnnl::engine& engine, dnnl::stream& stream) {
  auto& x = *new auto(numbers<uint8_t>(int64_t{side} * side * c));
  auto& w = *new auto(numbers<int8_t>(int64_t{9} * c * c));
  auto& ours = *new std::vector<int32_t>(x.size());
  auto& theirs = *new std::vector<int32_t>(x.size());
  const memory::desc x_form({1, c, side, side}, Type::u8, Format::nhwc), any({c, c, 3, 3}, Type::s8, Format::any),
      y_form({1, c, side, side}, Type::s32, Format::nhwc);
  using dnnl::convolution_forward;
  const convolution_forward::primitive_desc form(
      convolution_forward::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, x_form, any,
                                y_form, {1, 1}, {1, 1}, {1, 1}),
      engine);
  memory plain({{c, c, 3, 3}, Type::s8, Format::hwio}, engine, w.data());
  const memory weights = in_its_order(form.weights_desc(), plain, engine, stream);
  const memory in(x_form, engine, x.data()), out(y_form, engine, theirs.data());
  const int32_t level = qgemm_best_level();
  const void* mine = packed(level, 9, c, c, w.data());
  Pair pair{"convolution " + std::to_string(side) + " x " + std::to_string(side) + " x " + std::to_string(c),
            [=, &x, &ours] { qconv(level, side, side, c, c, 3, 1, 1, x.data(), 0, mine, ours.data()); },
            peer(convolution_forward(form), in, weights, out, stream)};
  return checked(std::move(pair), ours, theirs);
}

}  // namespace

int main() {
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl_version_t* version = dnnl_version();
  std::printf("{\"peer\": \"oneDNN %d.%d.%d\", \"rows\": [\n ", version->major, version->minor, version->patch);
  report(product(1024, engine, stream), true);
  std::vector<Pair> stack;
  for (const auto& [side, channels] : {std::pair{32, 64}, {16, 128}, {8, 256}, {4, 512}}) {
    stack.push_back(convolution(side, channels, engine, stream));
    report(stack.back(), false);
  }
  const auto all = [&stack](Work Pair::*which) {
    return [&stack, which] { std::ranges::for_each(stack, [which](Pair& one) { (one.*which)(); }); };
  };
  report({"the four convolutions", all(&Pair::ours), all(&Pair::theirs)}, false);
  std::printf("]}\n");
}
