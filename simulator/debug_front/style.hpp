#pragma once
// Colours for a terminal, or none.
#include <array>
#include <string>

namespace hpml::sim::debug_front {

struct Style {
  bool on = false;
  std::string paint(const std::string& text, const char* code) const {
    return on ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }
  std::string strong(const std::string& text) const { return paint(text, "1"); }
  std::string faint(const std::string& text) const { return paint(text, "2"); }
  std::string good(const std::string& text) const { return paint(text, "32"); }
  std::string warn(const std::string& text) const { return paint(text, "33"); }
  std::string bad(const std::string& text) const { return paint(text, "31"); }
  std::string place(const std::string& text) const { return paint(text, "36"); }
  // One of 16 backgrounds, for banks.
  std::string bank(const std::string& text, int number) const {
    return on ? "\033[48;5;" + std::to_string(17 + number % 32 * 6) + "m\033[38;5;15m" + text + "\033[0m" : text;
  }
};

}  // namespace hpml::sim::debug_front
