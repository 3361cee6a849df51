// observers minmax SEED BATCHES N | percentile KIND SEED N P... | mse KIND SEED N QMIN QMAX SYMMETRIC
// observers kl SIGMA OUTLIERS | entropy SEED IMAGES CLASSES BITS | calibration SEED TRAIN TEST COUNT
#include "harness/check.hpp"
#include "lab5.hpp"

namespace {

void print(const lab5::Range& range) { std::printf("%.9g %.9g\n", double{range.lo}, double{range.hi}); }

void min_max(const check::Words& words) {
  lab5::EmaObserver ema;
  for (int64_t batch = 0; batch < words.integer(2); ++batch) {
    const std::vector<float> x = check::values(words.seed(1), static_cast<uint64_t>(batch), words.integer(3));
    lab5::ema_update(ema, x);
    print(lab5::min_max_range(x));
    print({ema.lo, ema.hi});
  }
}

void percentile(const check::Words& words) {
  const std::vector<float> x = check::sample(words.text(1), words.seed(2), 0, words.integer(3));
  for (size_t i = 4; i < words.size(); ++i) {
    std::printf("%.9g\n", double{lab5::percentile_clip(x, words.real(i))});
  }
}

void mse(const check::Words& words) {
  const std::vector<float> x = check::sample(words.text(1), words.seed(2), 0, words.integer(3));
  print(lab5::mse_range(x, {words.number(4), words.number(5), words.number(6) != 0}));
}

void kl(const check::Words& words) {
  std::vector<int64_t> counts;
  for (int k = 0; k < lab5::kBins; ++k) {
    const double t = k / words.real(1);
    counts.push_back(static_cast<int64_t>(std::floor(1e6 * std::exp(-t * t / 2))));
  }
  counts.back() += words.integer(2);
  const lab5::KlClip clip = lab5::kl_clip(counts);
  std::printf("%d %.12g\n", clip.bins, clip.divergence);
}

void entropy(const check::Words& words) {
  const int64_t images = words.integer(2), classes = words.integer(3);
  std::vector<float> logits = check::sample("normal", words.seed(1), 0, images * classes);
  for (int64_t i = 0; i < images; ++i) {
    logits[static_cast<size_t>(i * classes + i % classes)] += 6;
  }
  logits.back() = 40;
  print(lab5::cross_entropy_range(logits, static_cast<int>(classes), lab5::unsigned_type(words.number(4))));
}

void calibration(const check::Words& words) {
  const auto hashes = [&](uint64_t which, int64_t n) {
    std::vector<uint64_t> result;
    for (uint64_t i = 0; i < static_cast<uint64_t>(n); ++i) {
      result.push_back(check::bits(words.seed(1), which, i) % 2000);
    }
    return result;
  };
  const auto chosen =
      lab5::calibration_images(hashes(0, words.integer(2)), hashes(1, words.integer(3)), words.number(4));
  for (const int image : chosen) {
    std::printf("%d\n", image);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const check::Words words(argc, argv);
  const struct {
    std::string_view name;
    void (*run)(const check::Words&);
  } commands[] = {{"minmax", min_max}, {"percentile", percentile}, {"mse", mse},
                  {"kl", kl},          {"entropy", entropy},       {"calibration", calibration}};
  for (const auto& command : commands) {
    if (command.name == words.command()) {
      command.run(words);
      return 0;
    }
  }
  check::fail("usage: observers minmax|percentile|mse|kl|entropy|calibration NUMBER...");
}
