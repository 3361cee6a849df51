#include "simulator/debug_front/line_editor.hpp"

#include <dlfcn.h>
#include <stdlib.h>

namespace hpml::sim::debug_front {

LineEditor::LineEditor() {
  void* library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) {
    read_ = reinterpret_cast<decltype(read_)>(dlsym(library, "readline"));
    add_ = reinterpret_cast<decltype(add_)>(dlsym(library, "add_history"));
    read_ = add_ != nullptr ? read_ : nullptr;
  }
}

std::optional<std::string> LineEditor::read(const std::string& prompt) {
  char* text = read_(prompt.c_str());
  if (text == nullptr) {
    return std::nullopt;
  }
  std::string line = text;
  free(text);
  if (!line.empty() && line != last_) {
    add_(line.c_str());
    last_ = line;
  }
  return line;
}

}  // namespace hpml::sim::debug_front
