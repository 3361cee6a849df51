#include "watched_blas.hpp"

#include <unistd.h>

#include <functional>
#include <optional>

#include "commands.hpp"
#include "common/worker/library.hpp"

namespace hpml::lab1 {
namespace {

using Sdot = float(int n, const float* x, int step_x, const float* y, int step_y);

struct Watched {
  std::optional<worker::Library> library;
  Sdot* forward = nullptr;
  const float *a = nullptr, *b = nullptr;
  int64_t n = 0, given = 0;

  // The same part of both vectors, either of them first.
  bool is_part(const float* x, const float* y, int64_t count) const {
    const auto lies = [&](const float* first, const float* second) {
      return std::less_equal<>()(a, first) && first + count <= a + n && second - b == first - a;
    };
    return lies(x, y) || lies(y, x);
  }
};

Watched& watched() {
  static Watched one;
  return one;
}

}  // namespace

void watch_sdot_of(const std::string& library) {
  // dlsym of a library looks in those that it is linked with, too, and never in this program.
  if (auto loaded = worker::Library::load(library, "cblas_sdot", "{}"); loaded.ok()) {
    watched().library.emplace(std::move(*loaded));
    watched().forward = watched().library->function<Sdot>();
  }
}

void expect_sdot(int64_t n, const float* a, const float* b) {
  Watched& it = watched();
  it.a = a;
  it.b = b;
  it.n = n;
  it.given = 0;
}

int64_t given_to_sdot() { return watched().given; }

}  // namespace hpml::lab1

extern "C" __attribute__((visibility("default"))) float cblas_sdot(int n, const float* x, int step_x, const float* y,
                                                                   int step_y) {
  auto& it = hpml::lab1::watched();
  if (it.forward == nullptr) {
    _exit(hpml::lab1::complain(hpml::worker::kFailed, "cblas_sdot: it is not linked with a BLAS library"));
  }
  if (n > 0) {
    it.given = it.given >= 0 && it.is_part(x, y, n) && step_x == 1 && step_y == 1 ? it.given + n : -1;
  }
  return it.forward(n, x, step_x, y, step_y);
}
