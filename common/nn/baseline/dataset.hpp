#pragma once
// Reads the CIFAR-10 binary format (data/dataset.hpp).
#include <string>

#include "common/nn/data/dataset.hpp"

namespace hpml::nn::baseline {

// All data_batch_*.bin of the folder in the order of their names (train), or test_batch.bin (test). Errors, one line
// with file and byte offset: no such folder or file, no training file, a size that is not a multiple of 3073 bytes, an
// empty file, a label above 9, a file that cannot be read to its end.
Result<Dataset> read_dataset(const std::string& folder, Split split);

}  // namespace hpml::nn::baseline
