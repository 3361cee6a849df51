#include "harness/yaml_entries.hpp"

#include <algorithm>
#include <sstream>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

constexpr int kDeepestMerge = 16;  // an anchor may be merged into the map that defines it

bool has(const std::vector<Entry>& all, const std::string& key) {
  return std::any_of(all.begin(), all.end(), [&](const Entry& entry) { return entry.key == key; });
}

void merge(const YAML::Node& from, std::vector<Entry>& into, const std::string& what, int depth);

std::vector<Entry> entries_at(const YAML::Node& map, const std::string& what, int depth) {
  if (!map.IsMap()) {
    throw SweepError(line_of(map), what + " must be a map of keys and values");
  }
  std::vector<Entry> own;
  std::vector<YAML::Node> merged;
  for (const auto& pair : map) {
    if (!pair.first.IsScalar()) {
      throw SweepError(line_of(pair.first), what + ": a key must be a scalar");
    }
    const std::string key = pair.first.Scalar();
    if (key == "<<") {
      merged.push_back(pair.second);
      continue;
    }
    if (has(own, key)) {
      throw SweepError(line_of(pair.first), what + ": key '" + key + "' occurs twice");
    }
    own.push_back({key, pair.second, line_of(pair.first)});
  }
  for (const YAML::Node& from : merged) {
    merge(from, own, what, depth + 1);
  }
  return own;
}

void merge(const YAML::Node& from, std::vector<Entry>& into, const std::string& what, int depth) {
  if (depth > kDeepestMerge) {
    throw SweepError(line_of(from), what + ": '<<' merges maps into each other without end");
  }
  if (from.IsSequence()) {
    for (const YAML::Node& one : from) {
      merge(one, into, what, depth + 1);
    }
    return;
  }
  for (const Entry& entry : entries_at(from, what + ": what '<<' merges", depth)) {
    if (!has(into, entry.key)) {
      into.push_back(entry);
    }
  }
}

// YAML forbids tabs as indentation; yaml-cpp reads some of them.
void refuse_tabs(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const size_t first = line.find_first_not_of(" \t");
    const size_t tab = line.find('\t');
    if (first != std::string::npos && tab < first) {
      throw SweepError(number, "a tab cannot indent a line: use blanks");
    }
  }
}

}  // namespace

int line_of(const YAML::Node& node) { return node.Mark().line + 1; }

YAML::Node load_yaml(const std::string& text) {
  refuse_tabs(text);
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.empty() || documents[0].IsNull()) {
      throw SweepError(1, "the file is empty: a sweep needs 'method' and 'parameters'");
    }
    if (documents.size() > 1) {
      throw SweepError(std::max(1, line_of(documents[1])), "a second document: a sweep file holds one");
    }
    return documents[0];
  } catch (const YAML::Exception& error) {
    throw SweepError(std::max(1, error.mark.line + 1), "no valid YAML: " + error.msg);
  }
}

std::vector<Entry> entries(const YAML::Node& map, const std::string& what) { return entries_at(map, what, 0); }

std::vector<Entry> entries(const Entry& entry, const std::string& what) {
  if (entry.value.IsNull()) {  // it has no place of its own in the file
    throw SweepError(entry.line, what + " must be a map of keys and values");
  }
  return entries(entry.value, what);
}

}  // namespace lab6::sweep
