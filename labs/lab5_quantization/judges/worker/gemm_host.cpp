#include "gemm_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "common/worker/library.hpp"

namespace hpml::lab5 {

namespace {

enum Operation : uint32_t { best, pack_gemm, pack_conv, run_gemm, run_conv };
constexpr int kParameters = 8;

struct Functions {
  int32_t (*best)();
  int64_t (*packed_bytes)(int32_t level, int64_t taps, int64_t k, int64_t n);
  void (*pack)(int32_t level, int64_t taps, int64_t k, int64_t n, const int8_t* w, void* packed);
  void (*gemm)(int32_t level, int64_t m, int64_t n, int64_t k, const uint8_t* a, int64_t lda, int32_t za,
               const void* packed, int32_t zb, int32_t* c);
  void (*conv)(int32_t level, int32_t h, int32_t w, int32_t ci, int32_t co, int32_t k, int32_t stride, int32_t pad,
               const uint8_t* x, int32_t zx, const void* packed, int32_t* y);
};

template <class F>
void find(const std::string& path, const char* symbol, F*& function) {
  static std::vector<worker::Library> open;
  auto loaded = worker::Library::load(path, symbol, "{} as in lab5.hpp");
  if (!loaded.ok()) {
    std::fprintf(stderr, "lab5_worker: %s\n", loaded.error().message.c_str());
    _exit(worker::kFailed);
  }
  open.push_back(std::move(*loaded));
  function = open.back().function<F>();
}

// What the worker does for a request.
class Served {
 public:
  Served(const std::string& library, const worker::Buffers& buffers, int slots)
      : buffers_(buffers), packed_(static_cast<size_t>(slots), nullptr) {
    find(library, "qgemm_best_level", f_.best);
    find(library, "qgemm_packed_bytes", f_.packed_bytes);
    find(library, "qgemm_pack", f_.pack);
    find(library, "qgemm", f_.gemm);
    find(library, "qconv", f_.conv);
  }

  void serve(const worker::Request& request) {
    const auto level = static_cast<int32_t>(request.words[0]);
    void*& packed = packed_[static_cast<size_t>(request.words[1])];
    const int64_t* p = buffers_.input<int64_t>(0, kParameters);
    const GemmCase g{p[0], p[1], p[2], p[3], static_cast<int32_t>(p[4]), static_cast<int32_t>(p[5])};
    int32_t i[kParameters];
    std::copy_n(p, kParameters, i);
    const ConvCase c{i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]};
    switch (request.operation) {
      case best: *buffers_.output<int32_t>(0, 1) = f_.best(); break;
      case pack_gemm: packed = pack(level, 1, g.k, g.n); break;
      case pack_conv: packed = pack(level, int64_t{c.k} * c.k, c.ci, c.co); break;
      case run_gemm:
        f_.gemm(level, g.m, g.n, g.k, buffers_.input<uint8_t>(1, g.a_size()), g.lda, g.za, packed, g.zb,
                buffers_.output<int32_t>(0, g.c_size()));
        break;
      default:
        f_.conv(level, c.h, c.w, c.ci, c.co, c.k, c.stride, c.pad, buffers_.input<uint8_t>(1, c.a_size()), c.zx, packed,
                buffers_.output<int32_t>(0, c.c_size()));
    }
  }

 private:
  void* pack(int32_t level, int64_t taps, int64_t k, int64_t n) const {
    constexpr int64_t kMost = int64_t{1} << 30, kAlignment = 64;
    const int64_t bytes = f_.packed_bytes(level, taps, k, n);
    if (bytes < 0 || bytes > kMost) {
      std::fprintf(stderr, "lab5_worker: qgemm_packed_bytes() says %lld bytes\n", static_cast<long long>(bytes));
      _exit(worker::kFailed);
    }
    void* memory = std::aligned_alloc(kAlignment, static_cast<size_t>((bytes / kAlignment + 1) * kAlignment));
    f_.pack(level, taps, k, n, buffers_.input<int8_t>(2, taps * k * n), memory);
    return memory;  // it lives as long as the process: a few small cases
  }

  const worker::Buffers& buffers_;
  std::vector<void*> packed_;
  Functions f_{};
};

std::vector<int64_t> words(const GemmCase& g) { return {g.m, g.n, g.k, g.lda, g.za, g.zb}; }
std::vector<int64_t> words(const ConvCase& c) { return {c.h, c.w, c.ci, c.co, c.k, c.stride, c.pad, c.zx}; }

}  // namespace

namespace {

worker::Layout layout_of(const GemmHost::Sizes& sizes) {
  return {{kParameters * sizeof(int64_t), static_cast<size_t>(sizes.a), static_cast<size_t>(sizes.b)},
          {static_cast<size_t>(sizes.c) * sizeof(int32_t)}};
}

worker::Load load(const std::string& library, int slots) {
  return [&library, slots](const worker::Buffers& buffers) -> worker::Function {
    auto served = std::make_shared<Served>(library, buffers, slots);
    return [served](const worker::Request& request) { served->serve(request); };
  };
}

}  // namespace

Answer<std::unique_ptr<GemmHost>> GemmHost::start(const std::string& library, const Sizes& sizes, int slots) {
  HPML_TRY(auto process, worker::Host::start(layout_of(sizes), load(library, slots)));
  return std::unique_ptr<GemmHost>(new GemmHost(std::move(process)));
}

Answer<std::unique_ptr<GemmHost>> GemmHost::start_counted(const std::string& library, const Sizes& sizes) {
  HPML_TRY(auto process, worker::Host::start_counted(layout_of(sizes), load(library, 1)));
  return std::unique_ptr<GemmHost>(new GemmHost(std::move(process)));
}

Answer<Ok> GemmHost::ask(uint32_t operation, Level level, std::span<const int64_t> parameters, std::span<int32_t> c,
                         int slot) {
  std::copy(parameters.begin(), parameters.end(), buffers().input<int64_t>(0, kParameters));
  const worker::Output output{0, std::as_writable_bytes(c)};
  return process_->ask({.operation = operation, .words = {level, slot}}, {&output, c.empty() ? size_t{0} : 1});
}

Answer<int32_t> GemmHost::best_level() {
  int32_t level = -1;
  HPML_TRY_VOID(ask(best, naive, {}, {&level, 1}, 0));
  return level;
}

Answer<Ok> GemmHost::pack(Level level, const GemmCase& one, int slot) {
  return ask(pack_gemm, level, words(one), {}, slot);
}
Answer<Ok> GemmHost::pack(Level level, const ConvCase& one, int slot) {
  return ask(pack_conv, level, words(one), {}, slot);
}
Answer<Ok> GemmHost::run(Level level, const GemmCase& one, std::span<int32_t> c, int slot) {
  return ask(run_gemm, level, words(one), c, slot);
}
Answer<Ok> GemmHost::run(Level level, const ConvCase& one, std::span<int32_t> c, int slot) {
  return ask(run_conv, level, words(one), c, slot);
}

Answer<int64_t> GemmHost::count_instructions(Level level, const GemmCase& one, std::span<int32_t> c, int64_t most) {
  const std::vector<int64_t> parameters = words(one);
  std::copy(parameters.begin(), parameters.end(), buffers().input<int64_t>(0, kParameters));
  const worker::Output output{0, std::as_writable_bytes(c)};
  return process_->count_instructions({.operation = run_gemm, .words = {level, 0}}, {&output, 1}, most);
}

Answer<std::unique_ptr<worker::Host>> start_registers() {
  return worker::Host::start({{1}, {1}}, [](const worker::Buffers&) -> worker::Function {
    return [](const worker::Request& request) {
      multiply_in_registers(static_cast<Level>(request.words[0]), request.words[1]);
    };
  });
}

Answer<Ok> multiply(worker::Host& host, Level level, int64_t macs) { return host.ask({.words = {level, macs}}, {}); }

}  // namespace hpml::lab5
