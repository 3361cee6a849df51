#pragma once
// Files of checkpoints: the line "hpml-chatbot/v1", a line of JSON (config, words, steps, history, tensors with name, rows
// and columns), then the tensors' values as little-endian float32, in that order: weights, then the moments of Adam, whose
// names begin with "mean:" and "square:". The same checkpoint gives the same bytes.
#include <string>

#include "lab6.hpp"

namespace lab6 {

std::string to_bytes(const Checkpoint& checkpoint);
// Throws BadInput; `name` is for messages.
Checkpoint checkpoint_from_bytes(const std::string& bytes, const std::string& name);

// The file appears whole or not at all. Both throw BadInput.
void write_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint read_checkpoint(const std::string& path);

}  // namespace lab6
