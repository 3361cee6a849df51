#pragma once
// Which names are registers at a point of a function body. Names that begin with '%' always are (declared or
// special), so only the others are kept; inner declarations hide outer ones.
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hpml::sim::ptx {

class Scopes {
 public:
  void open() { scopes_.emplace_back(); }
  void close() { scopes_.pop_back(); }
  size_t depth() const { return scopes_.size(); }

  // `range` as in Variable::range: r<4> declares r0 to r3. The name must outlive this object.
  void declare(std::string_view name, bool is_register, int range);
  bool is_register(std::string_view name) const;

  // Variables of any scope: the bytes of one element, by which a subscript counts. 0: there is no such variable.
  void declare_element(std::string_view name, uint32_t bytes) { element_bytes_[name] = bytes; }
  uint32_t element_bytes(std::string_view name) const {
    const auto found = element_bytes_.find(name);
    return found == element_bytes_.end() ? 0 : found->second;
  }

 private:
  struct Scope {
    std::unordered_map<std::string_view, bool> names;  // name -> is it a register
    std::unordered_map<std::string_view, uint32_t> ranges;
  };
  std::vector<Scope> scopes_;
  std::unordered_map<std::string_view, uint32_t> element_bytes_;
};

}  // namespace hpml::sim::ptx
