#include <array>

#include "harness/commands.hpp"
#include "harness/export_commands.hpp"
#include "harness/sweep_command.hpp"

namespace lab6 {

std::span<const Command> more_commands() {
  static constexpr std::array kCommands = {
      Command{"sweep", "run a sweep file on this machine", sweep_command},
      Command{"export", "write a checkpoint as two ONNX files", export_command},
      Command{"run", "answer questions from the ONNX files alone", run_command},
      Command{"graph", "operators, extents and multiplications of an ONNX file", graph_command},
      Command{"latency", "times of an answer, before and after the export", latency_command},
  };
  return kCommands;
}

}  // namespace lab6
