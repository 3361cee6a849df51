// attention SEED Q K B H FORM: weights, context, d_query, d_keys and d_w. Forms: 0 plain, 1 general (with the matrix w), 2 large:
// plain, and the scores of the first query, 512 times a key's first number, are beyond the range of exp.
#include "harness/check.hpp"
#include "harness/compute.hpp"

int main(int argc, char** argv) {
  if (argc != 7) {
    check::fail("usage: attention SEED Q K B H FORM");
  }
  const auto number = [&](int i) { return std::atoi(argv[i]); };
  const auto seed = static_cast<uint64_t>(std::atoll(argv[1]));
  const lab6::AttentionShape s{number(2), number(3), number(4), number(5)};
  const bool general = number(6) == 1, large = number(6) == 2;
  const int64_t queries = int64_t{s.queries} * s.batch * s.hidden, keys_size = int64_t{s.keys} * s.batch * s.hidden,
                square = int64_t{s.hidden} * s.hidden;
  const auto lengths = check::lengths(seed, s.batch, s.keys);
  auto query = check::values(seed, 0, queries);
  for (int64_t i = 0; large && i < int64_t{s.batch} * s.hidden; ++i) {
    query[static_cast<size_t>(i)] = i % s.hidden == 0 ? 512.0F : 0.0F;
  }
  const auto keys = check::values(seed, 1, keys_size),
             w = check::values(seed, 2, square), d_context = check::values(seed, 3, queries);
  auto weights = check::stale(int64_t{s.queries} * s.batch * s.keys), context = check::stale(queries),
       projected = check::stale(queries), d_query = check::stale(queries), d_keys = check::before(keys_size),
       d_w = check::before(square);
  const float* matrix = general ? w.data() : nullptr;
  float* room = general ? projected.data() : nullptr;
  lab6::PoolCompute compute(2);
  lab6::attention_forward(s, query.data(), keys.data(), lengths.data(), matrix, room, weights.data(), context.data(),
                          compute);
  check::Results results;
  results.write(weights);
  lab6::attention_backward(s, query.data(), keys.data(), lengths.data(), matrix, room, weights.data(), d_context.data(),
                           d_query.data(), d_keys.data(), general ? d_w.data() : nullptr, compute);
  results.write(context);
  results.write(d_query);
  results.write(d_keys);
  results.write(d_w);
  return 0;
}
