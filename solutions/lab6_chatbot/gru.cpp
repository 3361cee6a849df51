// M1: a GRU layer, forward and backward through time.
//
// Everything that does not wait for the state before it is one product over all time steps: x W_ih^T in front of the
// loop, the gradients of both weight matrices and of x behind it. Inside the loop stay one product and one pass over the
// gates per step. w_hh is transposed once, so that the product of each step reads it row by row.
#include <algorithm>

#include "fast_math.hpp"
#include "lab6.hpp"

namespace lab6 {

namespace {

// What one step of one sequence reads and writes.
struct Cell {
  const float *b_ih, *b_hh, *before;
  float *gates, *recurrent, *after, *y;
};

void forward_cell(const Cell& cell, int hidden) {
  const float* __restrict b_ih = cell.b_ih;
  const float* __restrict b_hh = cell.b_hh;
  const float* __restrict before = cell.before;
  float* __restrict gates = cell.gates;
  float* __restrict recurrent = cell.recurrent;
  float* __restrict after = cell.after;
  float* __restrict y = cell.y;
  for (int i = 0; i < 2 * hidden; ++i) {
    gates[i] = fast_sigmoid((gates[i] + b_ih[i]) + (recurrent[i] + b_hh[i]));
  }
#pragma GCC ivdep  // the three gates of a row do not overlap
  for (int i = 0; i < hidden; ++i) {
    const int n = 2 * hidden + i;
    recurrent[n] += b_hh[n];  // the reset gate multiplies the bias as well
    gates[n] = fast_tanh(gates[n] + b_ih[n] + gates[i] * recurrent[n]);
    const float z = gates[hidden + i];
    after[i] = (1.0F - z) * gates[n] + z * before[i];
    y[i] = after[i];
  }
}

struct CellGradients {
  const float *dy, *gates, *recurrent, *before;
  float *d_input, *d_recurrent, *d_state;
};

void backward_cell(const CellGradients& cell, int hidden) {
  const float* __restrict dy = cell.dy;
  const float* __restrict gates = cell.gates;
  const float* __restrict recurrent = cell.recurrent;
  const float* __restrict before = cell.before;
  float* __restrict d_input = cell.d_input;
  float* __restrict d_recurrent = cell.d_recurrent;
  float* __restrict d_state = cell.d_state;
#pragma GCC ivdep  // as above
  for (int i = 0; i < hidden; ++i) {
    const float r = gates[i], z = gates[hidden + i], n = gates[2 * hidden + i];
    const float dh = d_state[i] + dy[i];
    const float d_n = dh * (1.0F - z) * (1.0F - n * n);
    const float d_r = d_n * recurrent[2 * hidden + i] * r * (1.0F - r);
    const float d_z = dh * (before[i] - n) * z * (1.0F - z);
    d_input[i] = d_recurrent[i] = d_r;
    d_input[hidden + i] = d_recurrent[hidden + i] = d_z;
    d_input[2 * hidden + i] = d_n;
    d_recurrent[2 * hidden + i] = d_n * r;
    d_state[i] = dh * z;  // the part through W_hh is added by a product
  }
}

void transpose(const float* from, int rows, int columns, float* to, Compute& compute) {
  compute.parallel(kTasks, [&](int task) {
    const Range range = piece(columns, task, kTasks);
    for (int row = 0; row < rows; ++row) {
      for (int64_t column = range.begin; column < range.end; ++column) {
        to[column * rows + row] = from[int64_t{row} * columns + column];
      }
    }
  });
}

// sums[j] += over all rows of m[row][j], in the order of the rows; kColumns sums at a time stay in registers.
void add_columns(const float* m, int64_t rows, int columns, float* sums, Compute& compute) {
  constexpr int kColumns = 64;
  compute.parallel((columns + kColumns - 1) / kColumns, [&](int task) {
    const int64_t first = int64_t{task} * kColumns;
    const auto count = static_cast<int>(std::min<int64_t>(kColumns, columns - first));
    float own[kColumns] = {};
    std::copy_n(sums + first, count, own);
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = m + row * columns + first;
      if (count == kColumns) {
        for (int j = 0; j < kColumns; ++j) {
          own[j] += from[j];
        }
      } else {
        for (int j = 0; j < count; ++j) {
          own[j] += from[j];
        }
      }
    }
    std::copy_n(own, count, sums + first);
  });
}

}  // namespace

void gru_forward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const float* start,
                 const int32_t* lengths, bool reversed, const GruMemory& memory, float* y, float* last,
                 Compute& compute) {
  const auto [steps, batch, input, hidden] = shape;
  const int64_t state = int64_t{batch} * hidden;
  compute.multiply({.rows = int64_t{steps} * batch, .columns = 3 * hidden, .depth = input, .transpose_b = true}, x,
                   weights.w_ih, memory.gates);
  transpose(weights.w_hh, 3 * hidden, hidden, memory.transposed, compute);
  const auto before = [&](int s) { return memory.previous + state * (reversed ? steps - 1 - s : s); };
  if (start == nullptr) {
    std::fill_n(steps == 0 ? last : before(0), state, 0.0F);
  } else {
    std::copy_n(start, state, steps == 0 ? last : before(0));
  }
  for (int s = 0; s < steps; ++s) {
    const int t = reversed ? steps - 1 - s : s;
    const float* own = before(s);
    float* next = s + 1 < steps ? before(s + 1) : last;
    float* recurrent = memory.recurrent + 3 * state * t;
    compute.multiply({.rows = batch, .columns = 3 * hidden, .depth = hidden}, own, memory.transposed, recurrent);
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(batch, task, kTasks);
      for (int64_t b = range.begin; b < range.end; ++b) {
        float* out = y + (int64_t{t} * batch + b) * hidden;
        if (t < lengths[b]) {
          forward_cell({weights.b_ih, weights.b_hh, own + b * hidden,
                        memory.gates + (int64_t{t} * batch + b) * 3 * hidden, recurrent + b * 3 * hidden,
                        next + b * hidden, out},
                       hidden);
        } else {
          std::copy_n(own + b * hidden, hidden, next + b * hidden);
          std::fill_n(out, hidden, 0.0F);
        }
      }
    });
  }
}

void gru_backward(const GruShape& shape, const GruTensors<const float>& weights, const float* x, const int32_t* lengths,
                  bool reversed, const float* dy, const float* d_last, const GruMemory& memory,
                  const GruTensors<float>& gradients, float* dx, float* d_start, Compute& compute) {
  const auto [steps, batch, input, hidden] = shape;
  const int64_t state = int64_t{batch} * hidden, rows = int64_t{steps} * batch;
  if (d_last == nullptr) {
    std::fill_n(memory.d_state, state, 0.0F);
  } else {
    std::copy_n(d_last, state, memory.d_state);
  }
  for (int s = steps - 1; s >= 0; --s) {
    const int t = reversed ? steps - 1 - s : s;
    float* d_recurrent = memory.d_recurrent + 3 * state * t;
    compute.parallel(kTasks, [&](int task) {
      const Range range = piece(batch, task, kTasks);
      for (int64_t b = range.begin; b < range.end; ++b) {
        const int64_t row = int64_t{t} * batch + b;
        float* d_input = memory.d_input + row * 3 * hidden;
        if (t < lengths[b]) {
          backward_cell({dy + row * hidden, memory.gates + row * 3 * hidden, memory.recurrent + row * 3 * hidden,
                         memory.previous + row * hidden, d_input, d_recurrent + b * 3 * hidden,
                         memory.d_state + b * hidden},
                        hidden);
        } else {
          std::fill_n(d_input, 3 * hidden, 0.0F);
          std::fill_n(d_recurrent + b * 3 * hidden, 3 * hidden, 0.0F);
        }
      }
    });
    compute.multiply({.rows = batch, .columns = hidden, .depth = 3 * hidden, .accumulate = true}, d_recurrent,
                     weights.w_hh, memory.d_state);
  }
  compute.multiply({.rows = 3 * hidden, .columns = input, .depth = rows, .transpose_a = true, .accumulate = true},
                   memory.d_input, x, gradients.w_ih);
  compute.multiply({.rows = 3 * hidden, .columns = hidden, .depth = rows, .transpose_a = true, .accumulate = true},
                   memory.d_recurrent, memory.previous, gradients.w_hh);
  add_columns(memory.d_input, rows, 3 * hidden, gradients.b_ih, compute);
  add_columns(memory.d_recurrent, rows, 3 * hidden, gradients.b_hh, compute);
  if (dx != nullptr) {
    compute.multiply({.rows = rows, .columns = input, .depth = 3 * hidden}, memory.d_input, weights.w_ih, dx);
  }
  if (d_start != nullptr) {
    std::copy_n(memory.d_state, state, d_start);
  }
}

}  // namespace lab6
// HPML-CANARY-5e0c71f3b8a94d26
