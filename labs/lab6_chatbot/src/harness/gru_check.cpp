// gru run SEED T B I H REVERSED: y, last, dx, d_start and the four gradients; lengths and start come from the seed.
// gru structure SEED T B I H REVERSED SECRET: y and last, with products whose weights are marked
// (harness/marked_products.hpp).
//   A second process runs the layer, with the words before SECRET.
// gru allocations SEED T B I H REVERSED: the results of a second forward and backward pass, whose inputs have the seed
//   SEED + 1, and which must not allocate memory.
#include "harness/allocations.hpp"
#include "harness/check.hpp"
#include "harness/compute.hpp"
#include "harness/marked_products.hpp"

namespace {

struct Layer {
  lab6::GruShape shape;
  bool reversed;
  std::vector<int32_t> lengths;
  std::vector<float> x, start, w_ih, w_hh, b_ih, b_hh, dy, d_last;
  std::vector<float> previous, gates, recurrent, d_input, d_recurrent, d_state, transposed;
  std::vector<float> y, last, dx, d_start, dw_ih, dw_hh, db_ih, db_hh;

  Layer(uint64_t seed, lab6::GruShape s, bool reversed_) : shape(s), reversed(reversed_) {
    const int64_t rows = int64_t{s.steps} * s.batch, h = s.hidden;
    lengths = check::lengths(seed, s.batch, s.steps);
    x = check::values(seed, 0, rows * s.input);
    start = check::values(seed, 1, s.batch * h);
    w_ih = check::values(seed, 2, 3 * h * s.input);
    w_hh = check::values(seed, 3, 3 * h * h);
    b_ih = check::values(seed, 4, 3 * h);
    b_hh = check::values(seed, 5, 3 * h);
    dy = check::values(seed, 6, rows * h);
    d_last = check::values(seed, 7, s.batch * h);
    previous = y = check::stale(rows * h);
    gates = recurrent = d_input = d_recurrent = check::stale(rows * 3 * h);
    d_state = last = d_start = check::stale(s.batch * h);
    transposed = check::stale(3 * h * h);
    dx = check::stale(rows * s.input);
    dw_ih = check::before(3 * h * s.input);
    dw_hh = check::before(3 * h * h);
    db_ih = db_hh = check::before(3 * h);
  }

  lab6::GruMemory memory() {
    return {previous.data(),    gates.data(),   recurrent.data(), d_input.data(),
            d_recurrent.data(), d_state.data(), transposed.data()};
  }
  lab6::GruTensors<const float> weights() const { return {w_ih.data(), w_hh.data(), b_ih.data(), b_hh.data()}; }
  void forward(lab6::Compute& compute) {
    lab6::gru_forward(shape, weights(), x.data(), start.data(), lengths.data(), reversed, memory(), y.data(),
                      last.data(), compute);
  }
  void backward(lab6::Compute& compute) {
    lab6::gru_backward(shape, weights(), x.data(), lengths.data(), reversed, dy.data(), d_last.data(), memory(),
                       {dw_ih.data(), dw_hh.data(), db_ih.data(), db_hh.data()}, dx.data(), d_start.data(), compute);
  }
};

// Sends the results of a forward pass to the process that makes its products.
int forward_apart(Layer& layer) {
  if (!apart::open_no_more()) {
    std::perror("gru");
    return 2;
  }
  marked::Asking compute;
  layer.forward(compute);
  std::vector<float> results = layer.y;
  results.insert(results.end(), layer.last.begin(), layer.last.end());
  return marked::Asking::end(results) ? 0 : 1;
}

int serve_products(char** argv, const Layer& layer, uint64_t secret) {
  return apart::serve(argv, 8, [&](int from, int to) {
    std::vector<float> found;
    marked::Answering answering(secret, int64_t{3} * layer.shape.hidden);
    if (!answering.run(from, to, layer.y.size() + layer.last.size(), found)) {
      return 1;
    }
    check::Results().write(found);
    return 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (argc != 8 && !(argc == 9 && what == "structure")) {
    check::fail("usage: gru run|allocations SEED T B I H REVERSED | structure SEED T B I H REVERSED SECRET");
  }
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  const auto seed = static_cast<uint64_t>(std::atoll(argv[2]));
  Layer layer(seed, {number(3), number(4), number(5), number(6)}, number(7) != 0);
  if (what == "structure") {
    return argc == 8 ? forward_apart(layer) : serve_products(argv, layer, std::strtoull(argv[8], nullptr, 10));
  }
  check::Results results;
  lab6::PoolCompute compute(2);
  layer.forward(compute);
  layer.backward(compute);
  if (what == "allocations") {
    layer = Layer(seed + 1, layer.shape, layer.reversed);
    const check::NoAllocations armed;
    layer.forward(compute);
    layer.backward(compute);
  }
  for (const auto* array :
       {&layer.y, &layer.last, &layer.dx, &layer.d_start, &layer.dw_ih, &layer.dw_hh, &layer.db_ih, &layer.db_hh}) {
    results.write(*array);
  }
  return 0;
}
