#pragma once
// The commands of `resnet` that train nothing. They print to stdout and throw std::exception with one line.
#include <span>
#include <string_view>

namespace commands {

using Words = std::span<const std::string_view>;

void costs(Words words);    // GRAPH: what cost() counts, layer by layer
void paleo(Words words);    // GRAPH GPU BATCH [--ppp X] [--ppp-comm X] [--paleo-compat]: a step's times, layer by layer
void tta(Words words);      // THRESHOLD LOG...: time to accuracy of logs of `resnet train`
void devices(Words words);  // the GPUs and their peaks

}  // namespace commands
