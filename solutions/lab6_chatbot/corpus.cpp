// D1: the corpus file.
//
// One pass over the file; of an utterance only its text, its conversation and its target are kept.
#include <nlohmann/json.hpp>

#include <fstream>
#include <unordered_map>

#include "lab6.hpp"

namespace lab6 {

namespace {

struct Utterance {
  std::string text, conversation, target_id;
  bool is_reply = false;
  int target = -1;  // index of the utterance replied to
};

[[noreturn]] void fail(const std::string& path, size_t line, const std::string& what) {
  throw BadInput(path + ":" + std::to_string(line) + ": " + what);
}

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  std::vector<Pair> read() {
    std::ifstream file(path_);
    if (!file) {
      throw BadInput(path_ + ": cannot be read; expected an utterances.jsonl");
    }
    std::string line;
    while (std::getline(file, line)) {
      ++line_;
      if (line.find_first_not_of(" \t\r") != std::string::npos) {
        add(line);
      }
    }
    resolve();
    refuse_cycles();
    return pairs();
  }

 private:
  void add(const std::string& line) {
    const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);
    if (entry.is_discarded() || !entry.is_object()) {
      fail(path_, line_, "this line is no JSON object");
    }
    Utterance utterance;
    const std::string id = word(entry, "id");
    utterance.text = word(entry, "text");
    if (entry.contains("conversation_id")) {
      utterance.conversation = word(entry, "conversation_id");
    }
    const char* reply = entry.contains("reply-to") ? "reply-to" : "reply_to";
    if (entry.contains(reply) && !entry[reply].is_null()) {
      utterance.target_id = word(entry, reply);
      utterance.is_reply = true;
    }
    if (!index_.emplace(id, static_cast<int>(utterances_.size())).second) {
      fail(path_, line_, "the id \"" + id + "\" occurs twice");
    }
    utterances_.push_back(std::move(utterance));
    lines_.push_back(line_);
  }

  std::string word(const nlohmann::json& entry, const char* key) const {
    const auto found = entry.find(key);
    if (found == entry.end()) {
      fail(path_, line_, std::string("\"") + key + "\" is missing");
    }
    if (!found->is_string()) {
      fail(path_, line_, std::string("\"") + key + "\" is no string");
    }
    return found->get<std::string>();
  }

  void resolve() {
    for (size_t i = 0; i < utterances_.size(); ++i) {
      Utterance& utterance = utterances_[i];
      if (utterance.is_reply) {
        const auto found = index_.find(utterance.target_id);
        if (found == index_.end()) {
          fail(path_, lines_[i], "\"reply-to\" names \"" + utterance.target_id + "\", which is no id of this file");
        }
        utterance.target = found->second;
        utterance.target_id = {};
      }
    }
  }

  // Every utterance replies to at most one other, so a walk along the targets ends, or meets its own steps.
  void refuse_cycles() const {
    std::vector<int> walk_of(utterances_.size(), -1);
    for (int start = 0; start < static_cast<int>(utterances_.size()); ++start) {
      int at = start;
      while (at >= 0 && walk_of[static_cast<size_t>(at)] < 0) {
        walk_of[static_cast<size_t>(at)] = start;
        at = utterances_[static_cast<size_t>(at)].target;
      }
      if (at >= 0 && walk_of[static_cast<size_t>(at)] == start) {
        int first = at;
        for (int i = utterances_[static_cast<size_t>(at)].target; i != at;
             i = utterances_[static_cast<size_t>(i)].target) {
          first = std::min(first, i);
        }
        fail(path_, lines_[static_cast<size_t>(first)], "this utterance replies to itself, through a cycle of \"reply-to\"");
      }
    }
  }

  std::vector<Pair> pairs() const {
    std::vector<Pair> found;
    for (const Utterance& reply : utterances_) {
      if (reply.target < 0) {
        continue;
      }
      const Utterance& question = utterances_[static_cast<size_t>(reply.target)];
      if (question.conversation == reply.conversation && !blank(question.text) && !blank(reply.text)) {
        found.push_back({question.text, reply.text});
      }
    }
    return found;
  }

  static bool blank(const std::string& text) { return text.find_first_not_of(" \t\r\n") == std::string::npos; }

  std::string path_;
  size_t line_ = 0;
  std::vector<Utterance> utterances_;
  std::vector<size_t> lines_;  // of each utterance
  std::unordered_map<std::string, int> index_;
};

}  // namespace

std::vector<Pair> read_corpus(const std::string& path) { return Reader(path).read(); }

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
