#pragma once
// Reads the vector files that make_vectors.py writes. Column key: op, five inputs, carry in, four results, carry out,
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

__extension__ using Bits = unsigned __int128;  // of one operand, .b128 included

inline std::string hex(Bits bits) {
  std::string text;
  for (; bits != 0 || text.empty(); bits >>= 4) {
    text.insert(text.begin(), "0123456789abcdef"[static_cast<int>(bits & 15)]);
  }
  return text;
}
inline Bits parse_hex(const std::string& cell) {
  Bits bits = 0;
  for (const char c : cell) {
    bits = bits << 4 | static_cast<Bits>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return bits;
}

struct VectorRow {
  std::array<Bits, 5> in = {};
  std::array<Bits, 4> out = {};
  size_t inputs = 0, outputs = 0;
  int carry_in = -1, carry_out = -1;
  std::string check, text;
};

// Rows of an instruction that changes a place in memory: that place's value before is the first input, after it the
// result.
inline bool changes_memory(const std::string& op) {
  return op.starts_with("atom.") || op.starts_with("red.") || op.starts_with("cp.") || op.starts_with("multimem.");
}

// The rows of one op, in the order of its file. min and max of two and of three operands are two ops of one name.
struct VectorOp {
  std::string op;
  std::vector<VectorRow> rows;
};
using VectorFile = std::vector<VectorOp>;

inline VectorRow parse_row(const std::vector<std::string>& cells, const std::string& text) {
  VectorRow row;
  row.text = text;
  for (size_t i = 0; i < row.in.size(); ++i) {
    if (cells[1 + i] != "-") {
      row.in[row.inputs++] = parse_hex(cells[1 + i]);
    }
  }
  for (size_t i = 0; i < row.out.size(); ++i) {
    if (cells[7 + i] != "-") {
      row.out[row.outputs++] = parse_hex(cells[7 + i]);
    }
  }
  row.carry_in = cells[6] == "-" ? -1 : std::stoi(cells[6]);
  row.carry_out = cells[11] == "-" ? -1 : std::stoi(cells[11]);
  row.check = cells[12];
  return row;
}

inline VectorFile read_vectors(const std::filesystem::path& folder) {
  std::map<std::pair<std::string, size_t>, std::vector<VectorRow>> by_op;
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
      if (cells.size() == 13) {
        const VectorRow row = parse_row(cells, line);
        by_op[{cells[0], row.inputs}].push_back(row);
      } else {
        by_op[{"malformed line: " + line, 0}].emplace_back();
      }
    }
  }
  VectorFile file;
  for (auto& [key, rows] : by_op) {
    file.push_back({key.first, std::move(rows)});
  }
  return file;
}

// The vectors of every op, read once.
inline const VectorFile& vectors() {
  static const VectorFile kFile = read_vectors(HPML_SOURCE_DIR "/simulator/tests/isa/vectors");
  return kFile;
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
  if (root == "mov" && !words.empty() && (words[0].starts_with("pack") || words[0].starts_with("unpack"))) {
    root += "." + words[0];
    words.erase(words.begin());
  }
  return {root, words};
}

}  // namespace hpml::sim::isa
