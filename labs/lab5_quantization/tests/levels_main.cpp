// qgemm.cpp on every level of the processor it is built for, without the grader's processes: for processors that are
// emulated. Matrices end at a forbidden page. Exit code 1 and a line for the first wrong element.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "judges/worker/cases.hpp"
#include "judges/worker/levels.hpp"
#include "src/lab5.hpp"

namespace {

using namespace hpml::lab5;

// Memory whose last element lies before a page that may not be touched.
template <class T>
class Guarded {
 public:
  explicit Guarded(int64_t most) {
    page_ = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    bytes_ = (static_cast<size_t>(most) * sizeof(T) / page_ + 1) * page_;
    begin_ = static_cast<char*>(
        mmap(nullptr, bytes_ + page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (begin_ == MAP_FAILED || mprotect(begin_ + bytes_, page_, PROT_NONE) != 0) {
      std::perror("levels: mmap");
      std::exit(3);
    }
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { munmap(begin_, bytes_ + page_); }

  std::span<T> last(int64_t count) {
    return {reinterpret_cast<T*>(begin_ + bytes_) - count, static_cast<size_t>(count)};
  }

 private:
  size_t page_ = 0, bytes_ = 0;
  char* begin_ = nullptr;
};

void run(Level level, const GemmCase& g, const uint8_t* a, const int8_t* b, void* packed, int32_t* c) {
  qgemm_pack(level, 1, g.k, g.n, b, packed);
  qgemm(level, g.m, g.n, g.k, a, g.lda, g.za, packed, g.zb, c);
}
int64_t packed_bytes(Level level, const GemmCase& g) { return qgemm_packed_bytes(level, 1, g.k, g.n); }

void run(Level level, const ConvCase& s, const uint8_t* x, const int8_t* w, void* packed, int32_t* y) {
  qgemm_pack(level, int64_t{s.k} * s.k, s.ci, s.co, w, packed);
  qconv(level, s.h, s.w, s.ci, s.co, s.k, s.stride, s.pad, x, s.zx, packed, y);
}
int64_t packed_bytes(Level level, const ConvCase& s) {
  return qgemm_packed_bytes(level, int64_t{s.k} * s.k, s.ci, s.co);
}

template <class Case>
void check(Level level, const std::vector<Case>& cases, const char* what, Random& random) {
  constexpr int64_t kMost = int64_t{1} << 18;
  constexpr size_t kAlignment = 64;
  Guarded<uint8_t> all_a(kMost);
  Guarded<int8_t> all_b(kMost);
  Guarded<int32_t> all_c(kMost);
  for (size_t i = 0; i < 2 * cases.size(); ++i) {
    const Case& one = cases[i / 2];
    const auto a = all_a.last(one.a_size());
    const auto b = all_b.last(one.b_size());
    const auto c = all_c.last(one.c_size());
    fill(random, i % 2 == 0 ? Values::any : Values::extreme, a, b);
    const size_t bytes = static_cast<size_t>(packed_bytes(level, one)) / kAlignment * kAlignment + kAlignment;
    void* packed = std::aligned_alloc(kAlignment, bytes);
    run(level, one, a.data(), b.data(), packed, c.data());
    std::free(packed);
    const std::vector<int64_t> expected = oracle(one, a, b);
    for (size_t place = 0; place < expected.size(); ++place) {
      if (c[place] != expected[place]) {
        std::printf("%s, %s %zu, %s values: element %zu: expected %lld, got %d\n", kLevelNames[level].data(), what,
                    i / 2, i % 2 == 0 ? "any" : "extreme", place, static_cast<long long>(expected[place]), c[place]);
        std::exit(1);
      }
    }
  }
}

}  // namespace

int main() {
  for (const Level level : levels_here()) {
    Random random(1);
    check(level, gemm_cases(random), "product", random);
    check(level, conv_cases(random), "convolution", random);
    std::printf("%s\n", kLevelNames[level].data());
  }
  std::printf("best %s\n", kLevelNames[static_cast<size_t>(qgemm_best_level())].data());
}
