#pragma once
// Sentences as a person reads and types them.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab6.hpp"

namespace lab6 {

// Words with blanks between them; a mark follows its word at once.
inline std::string sentence(std::span<const int32_t> tokens, const std::vector<std::string>& words) {
  std::string text;
  for (const int32_t token : tokens) {
    const std::string& word = words[static_cast<size_t>(token)];
    text += (text.empty() || word == "." || word == "!" || word == "?" ? "" : " ") + word;
  }
  return text;
}

inline std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// What ends a conversation at a terminal, besides the end of the input. `line` is normalised.
inline bool is_farewell(std::string_view line) { return line == "q" || line == "quit" || line == "exit"; }

}  // namespace lab6
