// vocab normalise: HPML_TEXT is a JSON list of texts; prints the list of normalised ones.
// vocab prepare FIRST...: HPML_TEXT is a JSON list of pairs; prints vocabulary, pairs, and the batch of the pairs named.
// vocab synthetic SEED: the same of the synthetic corpus.
#include <nlohmann/json.hpp>

#include "harness/check.hpp"
#include "harness/synthetic.hpp"

using nlohmann::json;

namespace {

json given() {
  const char* text = std::getenv("HPML_TEXT");
  if (text == nullptr) {
    check::fail("HPML_TEXT is missing");
  }
  return json::parse(text);
}

json to_json(const lab6::Batch& batch) {
  return {{"size", batch.size},         {"question_steps", batch.question_steps}, {"answer_steps", batch.answer_steps},
          {"question", batch.question}, {"lengths", batch.lengths},               {"answer", batch.answer},
          {"mask", batch.mask}};
}

void print(const lab6::Corpus& corpus, const std::vector<int>& chosen) {
  json pairs = json::array();
  for (const lab6::TokenPair& pair : corpus.pairs) {
    pairs.push_back({pair.question, pair.answer});
  }
  std::vector<const lab6::TokenPair*> pointers;
  for (const int i : chosen) {
    if (i < static_cast<int>(corpus.pairs.size())) {
      pointers.push_back(&corpus.pairs[static_cast<size_t>(i)]);
    }
  }
  std::printf("%s\n", json{{"words", corpus.vocabulary.words},
                           {"ids", corpus.vocabulary.ids},
                           {"pairs", pairs},
                           {"batch", to_json(lab6::make_batch(pointers))}}
                          .dump()
                          .c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  std::vector<int> chosen;
  for (int i = 2; i < argc; ++i) {
    chosen.push_back(std::atoi(argv[i]));
  }
  if (what == "normalise") {
    json list = json::array();
    for (const json& text : given()) {
      list.push_back(lab6::normalise(text.get<std::string>()));
    }
    std::printf("%s\n", list.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
  } else if (what == "prepare") {
    std::vector<lab6::Pair> pairs;
    for (const json& pair : given()) {
      pairs.push_back({pair[0].get<std::string>(), pair[1].get<std::string>()});
    }
    print(lab6::prepare(pairs), chosen);
  } else if (what == "synthetic" && argc == 3) {
    print(lab6::prepare(lab6::synthetic_pairs(std::strtoull(argv[2], nullptr, 10))), {0, 1, 100});
  } else {
    check::fail("usage: vocab normalise|prepare|synthetic ...");
  }
  return 0;
}
