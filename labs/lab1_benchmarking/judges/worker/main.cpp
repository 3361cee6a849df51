// lab1_worker: the part of lab 1's grader that must be a program: calls kernels, scripts clocks, measures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "commands.hpp"
#include "common/worker/arguments.hpp"
#include "common/worker/host.hpp"

namespace hpml::lab1 {

int complain(int status, const std::string& line) {
  fmt::print(stderr, "lab1_worker: {}\n", line);
  return status;
}

int complain(const worker::Failure& failure) {
  return failure.text.empty() ? failure.status : complain(failure.status, failure.text);
}

}  // namespace hpml::lab1

int main(int argc, char** argv) {
  using namespace hpml::lab1;
  hpml::worker::hide_this_process();
  std::vector<std::string> words = hpml::worker::unseen_arguments(argc, argv);
  std::ranges::reverse(words);  // as CLI::App::parse wants them
  CLI::App app("what lab 1's grader needs a program for", "lab1_worker");
  app.require_subcommand(1);
  CallsOptions calls;
  auto* calls_command = app.add_subcommand("calls", "results of a kernel on chosen data, one float per size");
  calls_command->add_option("library", calls.library)->required();
  calls_command->add_option("symbol", calls.symbol)->required();
  calls_command->add_option("data", calls.data)->required();
  calls_command->add_option("sizes", calls.sizes)->required()->delimiter(',')->check(CLI::PositiveNumber);
  calls_command->add_flag("--by-library", calls.by_library, "every element through cblas_sdot");
  ArraysOptions arrays;
  auto* arrays_command = app.add_subcommand("arrays", "the four kernels of stream.c on arrays of the grader");
  arrays_command->add_option("library", arrays.library)->required();
  arrays_command->add_option("sizes", arrays.sizes)->required()->delimiter(',')->check(CLI::PositiveNumber);
  ProductOptions product;
  auto* product_command = app.add_subcommand("product", "elements of matrix products on chosen data");
  product_command->add_option("library", product.library)->required();
  product_command->add_option("symbol", product.symbol)->required();
  product_command->add_option("data", product.data)->required();
  product_command->add_option("block", product.block)->required()->check(CLI::Range(1, 1 << 13));
  product_command->add_option("sizes", product.sizes)->required()->delimiter(',')->check(CLI::Range(1, 1 << 13));
  RaceOptions race;
  auto* race_command = app.add_subcommand("race", "the ratio of two matrix products' times");
  race_command->add_option("library", race.library)->required();
  race_command->add_option("symbol_a", race.symbol_a)->required();
  race_command->add_option("symbol_b", race.symbol_b)->required();
  race_command->add_option("size", race.size)->required()->check(CLI::Range(1, 1 << 13));
  race_command->add_option("block", race.block)->required()->check(CLI::Range(1, 1 << 13));
  ScriptedOptions scripted;
  auto* scripted_command = app.add_subcommand("scripted", "a program under a clock with seeded steps");
  scripted_command->add_option("clock", scripted.clock)->required();
  scripted_command->add_option("seed", scripted.seed)->required();
  scripted_command->prefix_command();  // all that follows is the program's
  PairOptions pair;
  auto* pair_command = app.add_subcommand("pair", "the ratio of two kernels' times");
  pair_command->add_option("library_a", pair.library_a)->required();
  pair_command->add_option("symbol_a", pair.symbol_a)->required();
  pair_command->add_option("library_b", pair.library_b)->required();
  pair_command->add_option("symbol_b", pair.symbol_b)->required();
  pair_command->add_option("size", pair.size)->required()->check(CLI::Range(1, 1 << 28));
  pair_command->add_flag("--by-library", pair.by_library, "every element of the first kernel through cblas_sdot");
  BesideOptions beside;
  auto* beside_command = app.add_subcommand("beside", "a program's outputs beside times of a reference");
  beside_command->add_option("reference", beside.reference)
      ->required()
      ->check(CLI::IsMember({"dot", "stream", "peak"}));
  beside_command->add_option("size", beside.size)->required()->check(CLI::Range(0, 1 << 28));
  beside_command->add_option("library", beside.library)->required();
  beside_command->add_option("symbol", beside.symbol)->required();
  beside_command->prefix_command();
  try {
    app.parse(std::move(words));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return complain(hpml::worker::kUsage, error.what());
  }
  if (*calls_command) {
    return run_calls(calls);
  }
  if (*arrays_command) {
    return run_arrays(arrays);
  }
  if (*product_command) {
    return run_product(product);
  }
  if (*race_command) {
    return run_race(race);
  }
  if (*pair_command) {
    return run_pair(pair);
  }
  if (*beside_command) {
    beside.command = beside_command->remaining();
    return beside.command.empty() ? complain(hpml::worker::kUsage, "beside: no program named") : run_beside(beside);
  }
  scripted.command = scripted_command->remaining();
  return scripted.command.empty() ? complain(hpml::worker::kUsage, "scripted: no program named")
                                  : run_scripted(scripted);
}
