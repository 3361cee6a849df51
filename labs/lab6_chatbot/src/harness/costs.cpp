#include "harness/costs.hpp"

namespace lab6 {

namespace {

// One layer in one direction.
int64_t gru_parameters(int64_t input, int64_t hidden) { return 3 * hidden * (input + hidden) + 6 * hidden; }
int64_t gru_macs(int64_t input, int64_t hidden, int64_t rows) { return rows * 3 * hidden * (input + hidden); }

}  // namespace

std::vector<CostRow> cost_table(const CostShape& shape) {
  const int64_t v = shape.vocabulary, h = shape.hidden;
  const int64_t asked = int64_t{shape.batch} * shape.question_steps, answered = int64_t{shape.batch} * shape.answer_steps;
  std::vector<CostRow> rows = {
      {"embedding", v * h, 0},
      {"encoder", 2 * gru_parameters(h, h) + 2 * gru_parameters(2 * h, h), 2 * gru_macs(h, h, asked) + 2 * gru_macs(2 * h, h, asked)},
      {"decoder", 2 * gru_parameters(h, h), 2 * gru_macs(h, h, answered)},
      {"attention", 0, 2 * answered * shape.question_steps * h},
      {"concat", 2 * h * h + h, answered * 2 * h * h},
      {"output", h * v + v, answered * h * v},
  };
  CostRow total{"total", 0, 0};
  for (const CostRow& row : rows) {
    total.parameters += row.parameters;
    total.macs += row.macs;
  }
  rows.push_back(total);
  return rows;
}

}  // namespace lab6
