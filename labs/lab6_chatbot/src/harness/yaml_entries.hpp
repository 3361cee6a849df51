#pragma once
// Maps of a YAML file with what yaml-cpp leaves out: line numbers, keys that occur twice, merge keys.
#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

namespace lab6::sweep {

struct Entry {
  std::string key;
  YAML::Node value;
  int line = 0;  // of the key; 1 is the first line
};

// Line of a node; 1 is the first line.
int line_of(const YAML::Node& node);

// The document's top node. Errors: SweepError with the line, for what is no YAML, for a tab in front of a line, and for
// a file with no document or more than one.
YAML::Node load_yaml(const std::string& text);

// The entries of a map in the order of the file. `<<: *anchor` and `<<: [*a, *b]` are followed: keys of the map itself
// win, then those of earlier maps. Errors: SweepError where `map` is no map (`what` names it), where a key is no scalar
// and where a key occurs twice.
std::vector<Entry> entries(const YAML::Node& map, const std::string& what);
// Of the map that is an entry's value; where there is none, the line of the error is the key's.
std::vector<Entry> entries(const Entry& entry, const std::string& what);

}  // namespace lab6::sweep
