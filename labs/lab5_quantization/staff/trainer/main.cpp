// lab5_trainer: trains networks with the student's fake quantisation (E7), masks (P1) and loss (P2).
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "common/worker/host.hpp"

int main(int argc, char** argv) {
  using namespace hpml;
  worker::hide_this_process();
  CLI::App app("what the grader of E7, P1 and P2 of lab 5 needs a program for", "lab5_trainer");
  app.require_subcommand(1);
  lab5::PruneOptions prune;
  auto* prune_command = app.add_subcommand("prune", "prunes ResNet-8(16), tests it, fine-tunes it, tests it");
  prune_command->add_option("library", prune.library)->required();
  prune_command->add_option("weights", prune.weights)->required();
  prune_command->add_option("method", prune.method)->required()->check(CLI::IsMember({"layer", "global", "two_of_four", "random"}));
  prune_command->add_option("fraction", prune.fraction)->required()->check(CLI::Range(0.0, 1.0));
  prune_command->add_option("epochs", prune.epochs)->required()->check(CLI::Range(0, 100));
  prune_command->add_option("images", prune.images)->required()->check(CLI::Range(64, lab5::kTrainImages));
  prune_command->add_option("seed", prune.seed)->required();
  lab5::DistillOptions distill;
  auto* distill_command = app.add_subcommand("distill", "trains two ResNet-8(8), with and without a teacher");
  distill_command->add_option("library", distill.library)->required();
  distill_command->add_option("weights", distill.weights)->required();
  distill_command->add_option("temperature", distill.temperature)->required()->check(CLI::PositiveNumber);
  distill_command->add_option("alpha", distill.alpha)->required()->check(CLI::Range(0.0, 1.0));
  distill_command->add_option("images", distill.images)->required()->check(CLI::Range(50, 2500));
  distill_command->add_option("epochs", distill.epochs)->required()->check(CLI::Range(1, 1000));
  distill_command->add_option("wrong-labels", distill.wrong_labels)->required()->check(CLI::Range(0.0, 1.0));
  distill_command->add_option("seed", distill.seed)->required();
  lab5::QuantOptions quant;
  auto* train_command = app.add_subcommand("train", "trains ResNet-8 at 2 bits");
  auto* convert_command = app.add_subcommand("convert", "8-bit floats against integers");
  for (CLI::App* command : {train_command, convert_command}) {
    command->add_option("library", quant.library)->required();
    command->add_option("weights", quant.weights)->required();
  }
  train_command->add_option("seed", quant.seed)->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : worker::kUsage;
  }
  const worker::Answer<Ok> done = prune_command->parsed()     ? lab5::run_prune(prune)
                                  : distill_command->parsed() ? lab5::run_distill(distill)
                                  : train_command->parsed()   ? lab5::run_train(quant)
                                                              : lab5::run_convert(quant);
  if (!done.ok() && !done.error().text.empty()) {
    fmt::print(stderr, "lab5_trainer: {}\n", done.error().text);
  }
  return done.ok() ? 0 : done.error().status;
}
