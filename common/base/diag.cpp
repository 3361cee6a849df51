#include "common/base/diag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace hpml {

std::string Diag::to_string() const {
  std::string where = file;
  if (pos.line > 0) {
    where += fmt::format(":{}", pos.line);
    if (pos.column > 0) {
      where += fmt::format(":{}", pos.column);
    }
  }
  std::string out = fmt::format("{}: error: {}", where, message);
  if (!source_line.empty()) {
    out += fmt::format("\n    {}", source_line);
    if (pos.column > 0) {
      std::string pad;
      for (int i = 0; i + 1 < pos.column; ++i) {
        const bool tab = static_cast<size_t>(i) < source_line.size() && source_line[static_cast<size_t>(i)] == '\t';
        pad += tab ? '\t' : ' ';
      }
      out += fmt::format("\n    {}^", pad);
    }
  }
  return out;
}

Diag error_at(std::string file, SourcePos pos, std::string message, std::string source_line) {
  return Diag{std::move(file), pos, std::move(message), std::move(source_line)};
}

Diag error_in(std::string file, std::string message) { return Diag{std::move(file), {}, std::move(message), {}}; }

std::string_view line_of(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return {};
    }
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view word, const std::vector<std::string>& candidates) {
  std::vector<std::pair<size_t, std::string>> scored;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance <= 2 || (word.size() >= 3 && candidate.starts_with(word))) {
      scored.emplace_back(distance, candidate);
    }
  }
  std::sort(scored.begin(), scored.end());
  std::vector<std::string> out;
  for (size_t i = 0; i < scored.size() && i < 3; ++i) {
    out.push_back(scored[i].second);
  }
  return out;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string> near = near_names(word, candidates);
  if (near.empty()) {
    return {};
  }
  std::string out = "; did you mean '" + near[0] + "'";
  for (size_t i = 1; i < near.size(); ++i) {
    out += " or '" + near[i] + "'";
  }
  return out + "?";
}

}  // namespace hpml
