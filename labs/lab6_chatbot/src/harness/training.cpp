#include "harness/training.hpp"

#include "harness/compute.hpp"
#include "harness/model.hpp"
#include "harness/synthetic.hpp"

namespace lab6 {

TrainingData split_data(std::span<const Pair> pairs) {
  Corpus corpus = prepare(pairs);
  TrainingData data;
  for (TokenPair& pair : corpus.pairs) {
    std::string question;
    for (const int32_t token : pair.question) {
      question += (question.empty() ? "" : " ") + corpus.vocabulary.words[static_cast<size_t>(token)];
    }
    (held_out(question) ? data.held_out : data.training).push_back(std::move(pair));
  }
  data.vocabulary = std::move(corpus.vocabulary);
  return data;
}

TrainingData load_data(const std::string& folder) { return split_data(read_corpus(folder + "/utterances.jsonl")); }

Checkpoint run_training(const Config& config, const TrainingData& data, int threads, const OnEpoch& on_epoch,
                        const Checkpoint* resume) {
  if (data.training.size() < static_cast<size_t>(config.batch)) {
    throw BadInput("the corpus has " + std::to_string(data.training.size()) + " training pairs, fewer than a batch (" +
                   std::to_string(config.batch) + ")");
  }
  PoolCompute compute(threads);
  Chatbot model({.vocabulary = static_cast<int>(data.vocabulary.words.size()),
                 .hidden = config.hidden,
                 .batch = config.batch,
                 .dropout = config.dropout},
                config.seed, compute);
  return train(config, data, resume, model,
               {.exact_match = [&](const std::vector<TokenPair>& pairs) { return exact_match(model, pairs); },
                .on_epoch = on_epoch},
               compute);
}

}  // namespace lab6
