#pragma once
// Parameters and forward multiplications (MAC) of the network, from its shapes alone.
#include <cstdint>
#include <string>
#include <vector>

namespace lab6 {

struct CostRow {
  std::string part;
  int64_t parameters = 0;
  int64_t macs = 0;  // forward, for a batch; products of matrices and the attention's sums
};
struct CostShape {
  int vocabulary = 7826, hidden = 500, batch = 64, question_steps = 10, answer_steps = 10;
};
// embedding, encoder, decoder (GRU layers), attention, concat, output; the last row is the total.
std::vector<CostRow> cost_table(const CostShape& shape);

}  // namespace lab6
