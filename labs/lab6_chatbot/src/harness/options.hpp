#pragma once
// CLI11 with the exit codes of this project: 0 after --help, 2 for words that cannot be used.
#include <CLI/CLI.hpp>
#include <optional>

namespace lab6 {

// Empty: go on. Otherwise the exit code.
inline std::optional<int> parse_options(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return std::nullopt;
}

}  // namespace lab6
