#pragma once
// Diag: one bad input, told once: what, where, how to mend. Printed as
//     kernel.ptx:12:9: error: unknown modifier '.rx' in 'add.rx.f32'; did you mean '.rn'?
//         add.rx.f32 %f1, %f2, %f3;
//            ^
#include <string>
#include <string_view>
#include <vector>

namespace hpml {

struct SourcePos {
  int line = 0;    // 1-based; 0 = the input as a whole
  int column = 0;  // 1-based; 0 = the whole line
};

struct Diag {
  std::string file;  // path, or a description in angle brackets such as "<fat binary 2 of ./prog>"
  SourcePos pos;
  std::string message;      // one line, lower case, says how to mend where that is known
  std::string source_line;  // the offending line for the caret, empty if not text

  // "file:line:col: error: message" and, when source_line is set, the line and a caret below it.
  std::string to_string() const;
};

Diag error_at(std::string file, SourcePos pos, std::string message, std::string source_line = {});
Diag error_in(std::string file, std::string message);

// Line number `line` (1-based) of text, without its newline; empty when out of range.
std::string_view line_of(std::string_view text, int line);

// The candidates closest to `word` (edit distance <= 2 or a shared prefix), best first, at most three.
std::vector<std::string> near_names(std::string_view word, const std::vector<std::string>& candidates);
// "; did you mean 'a' or 'b'?" or "" when nothing is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace hpml
