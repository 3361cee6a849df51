// S2: the combinations of a grid, and the runs of a random sweep.
// HPML-CANARY-5e0c71f3b8a94d26
#include <algorithm>
#include <cmath>

#include "sweep.hpp"

namespace lab6::sweep {

namespace {

double real(const Value& value) {
  const auto* integer = std::get_if<int64_t>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

bool is_integer(const Value& value) { return std::holds_alternative<int64_t>(value); }

// The nearest multiple of q, halves to the even multiple: nearbyint in the default rounding mode.
Value rounded(double value, const Value& q) {
  const double multiple = std::nearbyint(value / real(q)) * real(q);
  return is_integer(q) ? Value(static_cast<int64_t>(multiple)) : Value(multiple);
}

size_t index_of(const std::vector<double>& probabilities, double u) {
  double sum = 0;
  for (size_t i = 0; i + 1 < probabilities.size(); ++i) {
    sum += probabilities[i];
    if (u < sum) {
      return i;
    }
  }
  return probabilities.size() - 1;
}

double between(double low, double high, double u) { return low + u * (high - low); }

int64_t steps(const Parameter& p) {
  switch (p.distribution) {
    case Distribution::int_uniform: return std::get<int64_t>(p.max) - std::get<int64_t>(p.min) + 1;
    case Distribution::q_uniform: {
      // min, min + q, ... strictly below max
      const double low = real(p.min), high = real(p.max), q = real(p.q);
      auto n = static_cast<int64_t>(std::max(0.0, std::floor((high - low) / q) - 1));
      while (low + static_cast<double>(n) * q < high) {
        ++n;
      }
      return n;
    }
    default: return static_cast<int64_t>(p.values.size());
  }
}

Value step(const Parameter& p, int64_t i) {
  if (p.distribution == Distribution::int_uniform) {
    return std::get<int64_t>(p.min) + i;
  }
  if (p.distribution == Distribution::q_uniform) {
    if (is_integer(p.min) && is_integer(p.q)) {
      return std::get<int64_t>(p.min) + i * std::get<int64_t>(p.q);
    }
    return real(p.min) + static_cast<double>(i) * real(p.q);
  }
  return p.values[static_cast<size_t>(i)];
}

}  // namespace

Value value_at(const Parameter& p, double u) {
  const auto normal = [&] { return p.mu + p.sigma * inverse_normal(u); };
  const auto low = [&] { return real(p.min); };
  const auto high = [&] { return real(p.max); };
  switch (p.distribution) {
    case Distribution::constant: return p.values[0];
    case Distribution::categorical:
      return p.values[static_cast<size_t>(std::floor(u * static_cast<double>(p.values.size())))];
    case Distribution::categorical_w_probabilities: return p.values[index_of(p.probabilities, u)];
    case Distribution::int_uniform:
      return std::get<int64_t>(p.min) + static_cast<int64_t>(std::floor(u * (high() - low() + 1)));
    case Distribution::uniform: return between(low(), high(), u);
    case Distribution::q_uniform: return rounded(between(low(), high(), u), p.q);
    case Distribution::log_uniform: return std::exp(between(low(), high(), u));
    case Distribution::q_log_uniform: return rounded(std::exp(between(low(), high(), u)), p.q);
    case Distribution::log_uniform_values: return std::exp(between(std::log(low()), std::log(high()), u));
    case Distribution::q_log_uniform_values:
      return rounded(std::exp(between(std::log(low()), std::log(high()), u)), p.q);
    // log(1/x) is uniform: x falls as it rises, so the cumulative distribution runs the other way.
    case Distribution::inv_log_uniform: return std::exp(-between(low(), high(), 1 - u));
    case Distribution::inv_log_uniform_values: return std::exp(between(std::log(low()), std::log(high()), u));
    case Distribution::normal: return normal();
    case Distribution::q_normal: return rounded(normal(), p.q);
    case Distribution::log_normal: return std::exp(normal());
    case Distribution::q_log_normal: return rounded(std::exp(normal()), p.q);
    case Distribution::beta: return inverse_beta(u, p.a, p.b);
    case Distribution::q_beta: return rounded(inverse_beta(u, p.a, p.b), p.q);
  }
  return std::monostate{};
}

int64_t grid_size(const Sweep& sweep) {
  int64_t size = 1;
  for (const Parameter& parameter : sweep.parameters) {
    if (__builtin_mul_overflow(size, steps(parameter), &size)) {
      throw std::runtime_error("the grid has more combinations than can be counted");
    }
  }
  return size;
}

// The run number, written with one digit per parameter: the last name is the fastest digit.
Config grid_config(const Sweep& sweep, int64_t run) {
  Config config;
  for (size_t i = sweep.parameters.size(); i-- > 0;) {
    const Parameter& parameter = sweep.parameters[i];
    const int64_t n = steps(parameter);
    config[parameter.name] = step(parameter, run % n);
    run /= n;
  }
  return config;
}

Config random_config(const Sweep& sweep, uint64_t seed, int64_t run) {
  Config config;
  for (size_t i = 0; i < sweep.parameters.size(); ++i) {
    config[sweep.parameters[i].name] = value_at(sweep.parameters[i], uniform_of(seed, static_cast<uint64_t>(run), i));
  }
  return config;
}

}  // namespace lab6::sweep
