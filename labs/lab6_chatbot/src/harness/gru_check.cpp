// gru run SEED T B I H REVERSED: y, last, dx, d_start and the four gradients; lengths and start come from the seed.
// gru structure SEED T B I H REVERSED: y and last, with products that are marked: multiply() multiplies its result by
//   mark(rows). So the values show how many rows the products had, and nothing else makes these values.
// gru allocations SEED T B I H REVERSED: prints the allocations of a second forward and backward pass, and writes its results.
#include "harness/allocations.hpp"
#include "harness/check.hpp"
#include "harness/compute.hpp"

namespace {

class MarkedCompute : public lab6::PoolCompute {
 public:
  explicit MarkedCompute(uint64_t seed) : PoolCompute(1), seed_(seed) {}
  void multiply(const lab6::Product& shape, const float* a, const float* b, float* c) override {
    lab6::Product alone = shape;
    alone.accumulate = false;
    std::vector<float> result(static_cast<size_t>(shape.rows * shape.columns));
    PoolCompute::multiply(alone, a, b, result.data());
    const double mark = 1 + lab6::uniform(seed_, "mark", static_cast<uint64_t>(shape.rows)) / 2;
    for (size_t i = 0; i < result.size(); ++i) {
      c[i] = static_cast<float>(mark) * result[i] + (shape.accumulate ? c[i] : 0.0F);
    }
  }

 private:
  uint64_t seed_;
};

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
    return {previous.data(),    gates.data(),   recurrent.data(),  d_input.data(),
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) {
    check::fail("usage: gru run|structure|allocations SEED T B I H REVERSED");
  }
  const std::string_view what = argv[1];
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  const auto seed = static_cast<uint64_t>(std::atoll(argv[2]));
  Layer layer(seed, {number(3), number(4), number(5), number(6)}, number(7) != 0);
  check::Results results;
  if (what == "structure") {
    MarkedCompute compute(seed);
    layer.forward(compute);
    results.write(layer.y);
    results.write(layer.last);
    return 0;
  }
  lab6::PoolCompute compute(2);
  layer.forward(compute);
  layer.backward(compute);
  if (what == "allocations") {
    Layer second(seed, layer.shape, layer.reversed);
    const int64_t allocated = check::allocations();
    second.forward(compute);
    second.backward(compute);
    const int64_t made = check::allocations() - allocated;
    std::printf("%lld\n", static_cast<long long>(made));
    if (made != 0) {
      return 0;  // without results: another number on the standard output earns nothing
    }
    layer = std::move(second);
  }
  for (const auto* array : {&layer.y, &layer.last, &layer.dx, &layer.d_start, &layer.dw_ih, &layer.dw_hh, &layer.db_ih,
                            &layer.db_hh}) {
    results.write(*array);
  }
  return 0;
}
