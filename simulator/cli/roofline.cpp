// gpusim roofline: not there yet, and says so.
#include <memory>

#include "simulator/cli/commands.hpp"

namespace hpml::sim::cli {

void add_roofline(CLI::App& app, Command& command) {
  struct Options {
    std::string metrics, output;
  };
  auto options = std::make_shared<Options>();
  CLI::App* roofline = app.add_subcommand("roofline", "draw the roofline of a metrics file (not supported yet)");
  roofline->add_option("metrics", options->metrics, "METRICS.json")->required();
  roofline->add_option("-o,--output", options->output, "FILE.svg, .png or .html")->required();
  roofline->callback([&command] {
    command.exit_code = usage_error(
        "roofline: not supported yet: the numbers are in \"roofline\" of each kernel in "
        "metrics.json");
  });
}

}  // namespace hpml::sim::cli
