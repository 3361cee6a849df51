// chatbot talk: a conversation at a terminal. Ctrl-D (end of input) ends it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "harness/checkpoint.hpp"
#include "harness/commands.hpp"
#include "harness/compute.hpp"
#include "harness/model.hpp"
#include "harness/options.hpp"
#include "harness/training.hpp"

namespace lab6 {

namespace {

constexpr const char *kBold = "\033[1m", *kGrey = "\033[90m", *kPlain = "\033[0m";

// A terminal gets colours and prompts, a pipe the answers alone.
struct Look {
  bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  const char* on(const char* code) const { return terminal ? code : ""; }
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

class Conversation {
 public:
  Conversation(const Checkpoint& checkpoint, const std::string& path)
      : words_(checkpoint.words),
        compute_(1),
        model_({.vocabulary = static_cast<int>(words_.size()), .hidden = checkpoint.config.hidden, .batch = 1}, 1, compute_) {
    model_.load(checkpoint.weights, path);
    for (size_t id = kEnd + 1; id < words_.size(); ++id) {
      ids_.emplace(words_[id], static_cast<int32_t>(id));
    }
  }

  // What to say; `answered` tells an answer from a remark of the program.
  std::string reply(const std::string& line, bool& answered) {
    std::vector<int32_t> question;
    std::string unknown;
    for (const std::string& word : split(normalise(line))) {
      const auto found = ids_.find(word);
      if (found == ids_.end() && word.size() == 1 && word.find_first_of(".!?") == 0) {
        continue;  // a mark that the corpus does not use says nothing
      }
      if (found == ids_.end()) {
        unknown += (unknown.empty() ? "" : ", ") + ("\"" + word + "\"");
      } else {
        question.push_back(found->second);
      }
    }
    answered = false;
    if (!unknown.empty()) {
      return "I have never read " + unknown + ". Ask with words of the corpus.";
    }
    if (question.size() >= kMaxTokens) {
      return "That is " + std::to_string(question.size()) + " words; I have learnt from questions of at most " +
             std::to_string(kMaxTokens - 1) + ".";
    }
    answered = true;
    std::string text;
    const std::vector<std::vector<int32_t>> answers = model_.answer(std::vector<std::vector<int32_t>>{question});
    for (const int32_t token : answers.front()) {
      const std::string& word = words_[static_cast<size_t>(token)];
      const bool stop = word == "." || word == "!" || word == "?";
      text += (text.empty() || stop ? "" : " ") + word;
    }
    return text.empty() ? "..." : text;
  }

 private:
  std::vector<std::string> words_;
  std::map<std::string, int32_t, std::less<>> ids_;
  PoolCompute compute_;
  Chatbot model_;
};

// Three questions that the chatbot was not trained on.
std::vector<std::string> examples(const std::string& folder) {
  std::vector<std::string> found;
  if (folder.empty()) {
    return found;
  }
  const TrainingData data = load_data(folder);
  const size_t step = std::max<size_t>(1, data.held_out.size() / 4);
  for (size_t i = step / 2; i < data.held_out.size() && found.size() < 4; i += step) {
    std::string text;
    for (const int32_t token : data.held_out[i].question) {
      text += (text.empty() ? "" : " ") + data.vocabulary.words[static_cast<size_t>(token)];
    }
    found.push_back(text);
  }
  return found;
}

}  // namespace

int talk_command(int argc, char** argv) {
  CLI::App app{"Talks to a trained chatbot. Ctrl-D ends it.", "chatbot talk"};
  std::string path, folder;
  app.add_option("--checkpoint", path)->required();
  app.add_option("--data", folder, "corpus to take example questions from");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const Checkpoint checkpoint = read_checkpoint(path);
  Conversation conversation(checkpoint, path);
  const Look look;
  if (look.terminal) {
    std::printf("This chatbot knows %zu words. Ctrl-D ends the conversation.\n", checkpoint.words.size() - 3);
    const auto questions = examples(folder);
    std::printf("%s", questions.empty() ? "" : "Questions it has not seen in training:\n");
    for (const std::string& question : questions) {
      std::printf("  %s%s%s\n", look.on(kGrey), question.c_str(), look.on(kPlain));
    }
  }
  for (std::string line;;) {
    if (look.terminal) {
      std::printf("\n%syou>%s ", look.on(kBold), look.on(kPlain));
      std::fflush(stdout);
    }
    if (!std::getline(std::cin, line)) {
      break;
    }
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    bool answered = false;
    const std::string text = conversation.reply(line, answered);
    if (look.terminal) {
      std::printf("%sbot>%s %s%s%s\n", look.on(kBold), look.on(kPlain), answered ? "" : look.on(kGrey), text.c_str(), look.on(kPlain));
    } else {
      std::printf("%s\n", text.c_str());
    }
    std::fflush(stdout);
  }
  if (look.terminal) {
    std::printf("\nGood bye.\n");
  }
  return 0;
}

}  // namespace lab6
