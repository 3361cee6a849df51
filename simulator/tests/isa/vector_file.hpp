#pragma once
// Reads the vector files that make_vectors.py writes. Column key: op, four inputs, carry in, four results, carry out,
// check; "-" is absent, numbers are hexadecimal bit patterns.
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace hpml::sim::isa {

struct VectorRow {
  std::array<uint64_t, 4> in = {}, out = {};
  size_t inputs = 0, outputs = 0;
  int carry_in = -1, carry_out = -1;
  std::string check, text;
};

// Rows by op, in the order of the files.
using VectorFile = std::map<std::string, std::vector<VectorRow>>;

inline VectorRow parse_row(const std::vector<std::string>& cells, const std::string& text) {
  VectorRow row;
  row.text = text;
  for (size_t i = 0; i < 4; ++i) {
    if (cells[1 + i] != "-") {
      row.in[row.inputs++] = std::stoull(cells[1 + i], nullptr, 16);
    }
    if (cells[6 + i] != "-") {
      row.out[row.outputs++] = std::stoull(cells[6 + i], nullptr, 16);
    }
  }
  row.carry_in = cells[5] == "-" ? -1 : std::stoi(cells[5]);
  row.carry_out = cells[10] == "-" ? -1 : std::stoi(cells[10]);
  row.check = cells[11];
  return row;
}

inline VectorFile read_vectors(const std::filesystem::path& folder) {
  VectorFile file;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#') {
        continue;
      }
      std::vector<std::string> cells;
      std::istringstream split(line);
      for (std::string cell; std::getline(split, cell, '\t');) {
        cells.push_back(cell);
      }
      if (cells.size() == 12) {
        file[cells[0]].push_back(parse_row(cells, line));
      } else {
        file["malformed line: " + line].emplace_back();
      }
    }
  }
  return file;
}

// Root and suffixes of an op as the parser would give them; "mov.pack2" is one root.
inline std::pair<std::string, std::vector<std::string>> words_of_op(const std::string& op) {
  std::vector<std::string> words;
  std::istringstream split(op);
  for (std::string word; std::getline(split, word, '.');) {
    words.push_back(word);
  }
  std::string root = words.front();
  words.erase(words.begin());
  if (!words.empty() && (words[0].starts_with("pack") || words[0].starts_with("unpack"))) {
    root += "." + words[0];
    words.erase(words.begin());
  }
  return {root, words};
}

}  // namespace hpml::sim::isa
