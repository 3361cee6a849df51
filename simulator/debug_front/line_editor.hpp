#pragma once
// A line of input from a terminal, edited and with a history, by libedit where it is installed: clang's packages bring
// it along. Without it the terminal itself edits the line.
#include <optional>
#include <string>

namespace hpml::sim::debug_front {

class LineEditor {
 public:
  LineEditor();
  // False: there is no library.
  bool there() const { return read_ != nullptr; }
  // Nothing: the end of input, or an interrupt.
  std::optional<std::string> read(const std::string& prompt);

 private:
  char* (*read_)(const char*) = nullptr;
  int (*add_)(const char*) = nullptr;
  std::string last_;
};

}  // namespace hpml::sim::debug_front
