// What the library exports.
#include "simulator/debug_info/reader.hpp"

void hpml_read_symbols(std::string_view ptx, const std::string& name, hpml::sim::debug_info::Symbols& out,
                       std::string& error) {
  auto read = hpml::sim::debug_info::read_symbols(ptx, name);
  if (read.ok()) {
    out = std::move(*read);
  } else {
    error = read.error().to_string();
  }
}
