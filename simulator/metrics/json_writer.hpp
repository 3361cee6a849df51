#pragma once
// JSON text, one blank per level, written straight into a string: a document of a hundred thousand launches never
// exists as a tree. The text is the one that nlohmann::json::dump(1) gives, byte for byte.
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hpml::sim::metrics {

class JsonWriter {
 public:
  // Calls write() for what the object or array holds.
  template <class F>
  void object(F write) {
    nested('{', '}', write);
  }
  template <class F>
  void array(F write) {
    nested('[', ']', write);
  }
  // Before a member of an object, and before an element of an array.
  void key(std::string_view name);
  void element() { separate(); }

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(double number);
  void value(bool yes) { text_ += yes ? "true" : "false"; }
  void value(std::nullptr_t) { text_ += "null"; }
  template <std::integral T>
  void value(T number) {
    if constexpr (std::is_signed_v<T>) {
      integer(static_cast<int64_t>(number));
    } else {
      integer(static_cast<uint64_t>(number));
    }
  }
  template <class T, size_t N>
  void value(const std::array<T, N>& list) {
    array([&] {
      for (const T& one : list) {
        element();
        value(one);
      }
    });
  }
  // Text of JSON that somebody else has written with one blank per level.
  void raw(std::string_view json);

  template <class T>
  void member(std::string_view name, const T& what) {
    key(name);
    value(what);
  }
  template <class T>
  void known_member(std::string_view name, const std::optional<T>& what) {
    if (what) {
      member(name, *what);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  template <class F>
  void nested(char open, char close, F write) {
    text_ += open;
    ++depth_;
    const bool outer = std::exchange(empty_, true);
    write();
    --depth_;
    if (!empty_) {
      new_line();
    }
    empty_ = outer;
    text_ += close;
  }
  void separate();
  void new_line();
  void integer(int64_t number);
  void integer(uint64_t number);

  std::string text_;
  size_t depth_ = 0;
  bool empty_ = true;  // the innermost object or array has no member yet
};

}  // namespace hpml::sim::metrics
