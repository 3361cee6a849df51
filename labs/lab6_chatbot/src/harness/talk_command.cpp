// chatbot talk: a conversation at a terminal. "q" or the end of the input (Ctrl-D) ends it.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>

#include "harness/checkpoint.hpp"
#include "harness/commands.hpp"
#include "harness/compute.hpp"
#include "harness/model.hpp"
#include "harness/options.hpp"
#include "harness/sentence.hpp"
#include "harness/synthetic.hpp"
#include "harness/training.hpp"

namespace lab6 {

namespace {

constexpr const char *kBold = "\033[1m", *kGrey = "\033[90m", *kPlain = "\033[0m";

// A terminal gets colours and prompts, a pipe the answers alone.
struct Look {
  bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  const char* on(const char* code) const { return terminal ? code : ""; }
};

// Letters to insert, delete or replace so that a becomes b (Levenshtein).
size_t edits(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
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

  // What to say to a normalised line; `answered` tells an answer from a remark of the program.
  std::string reply(const std::string& line, bool& answered) {
    std::vector<int32_t> question;
    std::string unknown, meant;
    for (const std::string& word : split_words(line)) {
      const auto found = ids_.find(word);
      if (found == ids_.end() && word.size() == 1 && word.find_first_of(".!?") == 0) {
        continue;  // a mark that the corpus does not use says nothing
      }
      if (found == ids_.end()) {
        unknown += (unknown.empty() ? "" : ", ") + ("\"" + word + "\"");
        if (const std::string near = nearest(word); !near.empty()) {
          meant += (meant.empty() ? "" : ", ") + ("\"" + near + "\"");
        }
      } else {
        question.push_back(found->second);
      }
    }
    answered = false;
    if (!unknown.empty()) {
      return "I have never read " + unknown + ". " +
             (meant.empty() ? "Type help to see what I can be asked." : "Did you mean " + meant + "?");
    }
    if (question.size() >= kMaxTokens) {
      return "That is " + std::to_string(question.size()) + " words; I have learnt from questions of at most " +
             std::to_string(kMaxTokens - 1) + ".";
    }
    answered = true;
    const std::string text = sentence(model_.answer(std::vector<std::vector<int32_t>>{question}).front(), words_);
    return text.empty() ? "..." : text;
  }

 private:
  // The known word that differs in one letter of three, if there is one: "fagego" means "fagigo", "book" not "good".
  std::string nearest(const std::string& word) const {
    std::string found;
    size_t least = word.size() / 3 + 1;
    for (size_t id = kEnd + 1; id < words_.size(); ++id) {
      if (const size_t distance = edits(word, words_[id]); distance < least) {
        least = distance;
        found = words_[id];
      }
    }
    return found;
  }

  std::vector<std::string> words_;
  std::map<std::string, int32_t, std::less<>> ids_;
  PoolCompute compute_;
  Chatbot model_;
};

constexpr size_t kGreeting = 5;   // questions that the first lines show
constexpr size_t kMostKinds = 24;  // and those that `help` shows

// Questions that the chatbot was not trained on, one of each kind.
std::vector<std::string> examples(const std::string& folder) {
  std::map<std::string, std::string> found;
  if (!folder.empty()) {
    const TrainingData data = load_data(folder);
    for (const TokenPair& pair : data.held_out) {
      found.emplace(kind_of(pair.question, data.vocabulary.words), sentence(pair.question, data.vocabulary.words));
    }
  }
  std::vector<std::string> questions;
  for (auto& [kind, question] : found) {
    questions.push_back(std::move(question));
  }
  questions.resize(std::min(questions.size(), kMostKinds));
  return questions;
}

// `count` of the questions, spread over all of them.
void show(const std::vector<std::string>& questions, size_t count, const Look& look) {
  std::printf("%s", questions.empty() ? "There are no examples without --data.\n" : "Questions it has not seen in training:\n");
  for (size_t i = 0; i < std::min(count, questions.size()); ++i) {
    std::printf("  %s%s%s\n", look.on(kGrey), questions[i * questions.size() / std::min(count, questions.size())].c_str(),
                look.on(kPlain));
  }
}

}  // namespace

int talk_command(int argc, char** argv) {
  CLI::App app{"Talks to a trained chatbot. q or Ctrl-D ends it.", "chatbot talk"};
  std::string path, folder;
  app.add_option("--checkpoint", path)->required();
  app.add_option("--data", folder, "corpus to take example questions from");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const Checkpoint checkpoint = read_checkpoint(path);
  Conversation conversation(checkpoint, path);
  const Look look;
  std::vector<std::string> questions;
  if (look.terminal) {
    std::printf("This chatbot knows %zu words. Type help for more questions, q to end the conversation.\n",
                checkpoint.words.size() - 3);
    questions = examples(folder);
    show(questions, kGreeting, look);
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
    const std::string text = normalise(line);
    if (is_farewell(text)) {
      break;
    }
    if (look.terminal && (text == "help" || text == "?")) {
      show(questions, kMostKinds, look);
      continue;
    }
    bool answered = false;
    const std::string reply = conversation.reply(text, answered);
    if (look.terminal) {
      std::printf("%sbot>%s %s%s%s\n", look.on(kBold), look.on(kPlain), answered ? "" : look.on(kGrey), reply.c_str(), look.on(kPlain));
    } else {
      std::printf("%s\n", reply.c_str());
    }
    std::fflush(stdout);
  }
  if (look.terminal) {
    std::printf("%sGood bye.\n", std::cin.eof() ? "\n" : "");
  }
  return 0;
}

}  // namespace lab6
