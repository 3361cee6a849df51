// Calls the cost model of E6. Arguments, one line of output for each, numbers with 17 digits:
//   fit:BYTES=SECONDS,BYTES=SECONDS,...          alpha beta gamma
//   predict:ALGO:P:BYTES:ALPHA:BETA:GAMMA        seconds
//   choose:P:BYTES:ALPHA:BETA:GAMMA              ALGO, by its number
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "../cost_model.h"
#include "fail.h"

namespace {

std::vector<double> numbers(const std::string& text, char separator) {
  std::vector<double> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) {
    found.push_back(std::strtod(word.c_str(), nullptr));
  }
  return found;
}

void fit(const std::string& text) {
  std::vector<hpml::Sample> samples;
  std::istringstream pairs(text);
  for (std::string pair; std::getline(pairs, pair, ',');) {
    const std::vector<double> values = numbers(pair, '=');
    samples.push_back({static_cast<std::size_t>(values.at(0)), values.at(1)});
  }
  const hpml::AlphaBeta line = hpml::fit(samples);
  std::printf("%.17g %.17g %.17g\n", line.alpha, line.beta, line.gamma);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t colon = word.find(':');
    const std::string verb = word.substr(0, colon);
    const std::string rest = colon == std::string::npos ? "" : word.substr(colon + 1);
    const std::vector<double> v = numbers(rest, ':');
    if (verb == "fit") {
      fit(rest);
    } else if (verb == "predict" && v.size() == 6) {
      const auto algorithm = static_cast<hpml::Algo>(static_cast<int>(v[0]));
      std::printf("%.17g\n",
                  hpml::predict(algorithm, static_cast<int>(v[1]), static_cast<std::size_t>(v[2]), {v[3], v[4], v[5]}));
    } else if (verb == "choose" && v.size() == 5) {
      const hpml::Algo best = hpml::choose(static_cast<int>(v[0]), static_cast<std::size_t>(v[1]), {v[2], v[3], v[4]});
      std::printf("%d\n", static_cast<int>(best));
    } else {
      hpml::harness::fail("'" + word + "' is no question");
    }
  }
  return 0;
}
