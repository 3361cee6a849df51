// codebook KIND SEED N BITS: centroids, codes, the number of rounds and their inertia, gradient, bits per weight.
// KIND also: "holes": clusters without members.
#include "harness/check.hpp"
#include "lab5.hpp"

HPML_GIVEN int main(int argc, char** argv) {
  const check::Words words(argc, argv);
  const std::string& kind = words.text(0);
  const int bits = words.number(3);
  std::vector<float> w = check::sample(kind == "holes" ? "uniform" : kind, words.seed(1), 0, words.integer(2));
  for (size_t i = 0; i < w.size() && kind == "holes"; ++i) {
    w[i] = 0.01F * w[i] + (i % 2 == 0 ? -1.0F : 1.0F);
  }
  const lab5::Codebook book = lab5::make_codebook(w, bits);
  const std::vector<float> dw = check::values(words.seed(1), 1, words.integer(2));
  check::Results results;
  std::vector<float> centroids(book.centroids);
  centroids.resize(size_t{1} << bits, NAN);
  std::vector<uint8_t> codes(book.codes);
  codes.resize(w.size());
  for (const uint8_t code : codes) {
    if (code >= centroids.size()) {
      check::fail("a code is larger than the codebook");
    }
  }
  results.write(centroids);
  results.write(codes);
  std::vector<float> gradient;
  if (book.codes.size() == w.size() && book.centroids.size() == centroids.size()) {
    gradient = lab5::codebook_gradient(book, dw);
  }
  gradient.resize(centroids.size(), NAN);
  results.write(gradient);
  results.write_one(lab5::bits_per_weight(bits, words.integer(2)));
  results.write_one(static_cast<int64_t>(book.inertia.size()));
  results.write(book.inertia);
  return 0;
}
