#include "harness/commands.hpp"
namespace lab6 {
std::span<const Command> more_commands() { return {}; }
}  // namespace lab6
