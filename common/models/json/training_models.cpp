#include "common/models/training.hpp"

#include <algorithm>

#include "common/models/json/registry.hpp"

namespace hpml::models {

namespace {

Result<Json> learning_rate(Args& a) {
  const double rate_0 = a.number("rate_0", at_least(0));
  const double decay = a.number("decay", at_least(0));
  const double step = a.number("step", at_least(0));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"rate", decayed_rate(rate_0, decay, step)}};
}

Result<Json> first_loss(Args& a) {
  const auto classes = static_cast<double>(a.integer("classes", at_least(1)));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"loss", initial_cross_entropy(classes)}};
}

Result<Json> depth(Args& a) {
  const int64_t layers = a.integer("layers", at_least(1));
  const double survival = a.number("survival_of_last", between(0, 1));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"expected_layers", expected_depth(layers, survival)}};
}

Result<Json> memory(Args& a) {
  const double parameters = a.number("parameters", at_least(0));
  const double bytes = a.number("bytes_per_value", at_least(0));
  const auto optimiser = static_cast<Optimiser>(a.word("optimiser", {"sgd", "momentum", "adam"}));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"gradient_bytes", parameters * bytes}, {"total_bytes", training_bytes(parameters, bytes, optimiser)}};
}

Result<Json> days(Args& a) {
  const double flop = a.number("flop", at_least(0));
  const double devices = a.number("devices", at_least(kTiny));
  const double peak = a.number("peak_tflops", at_least(kTiny));
  const double utilisation = a.number("utilisation", between(kTiny, 1));
  HPML_MODEL_INPUTS_READ(a);
  return Json{{"days", training_days(flop, devices, peak, utilisation)}};
}

Result<Json> lora(Args& a) {
  const int64_t rows = a.integer("rows", between(1, 1e7));
  const int64_t columns = a.integer("columns", between(1, 1e7));
  const int64_t rank = a.integer("rank", between(1, 1e5));
  HPML_MODEL_INPUTS_READ(a);
  const LowRank r = low_rank(rows, columns, rank);
  return Json{{"parameters", r.parameters}, {"share", r.share}};
}

Json staleness_record(const std::vector<int64_t>& values) {
  double sum = 0;
  for (const int64_t value : values) {
    sum += static_cast<double>(value);
  }
  return Json{{"staleness", values},
              {"largest", *std::ranges::max_element(values)},
              {"smallest", *std::ranges::min_element(values)},
              {"mean", sum / static_cast<double>(values.size())}};
}

Result<Json> stale(Args& a) {
  const int64_t server = a.integer("server_version", between(0, 1e9));
  const std::vector<int64_t> read = a.integers("versions_read", between(0, 1e9));
  for (size_t i = 0; i < read.size(); ++i) {
    a.require(read[i] <= server + static_cast<int64_t>(i), "versions_read", "names a version the server has not made");
  }
  HPML_MODEL_INPUTS_READ(a);
  return staleness_record(staleness(server, read));
}

Result<Json> stale_arrivals(Args& a) {
  const Times times = a.rows("arrival_times", at_least(0));
  for (const std::vector<double>& row : times) {
    a.require(std::ranges::is_sorted(row), "arrival_times", "must grow along each row");
  }
  HPML_MODEL_INPUTS_READ(a);
  return staleness_record(staleness_of_arrivals(times));
}

Result<Json> updates(Args& a) {
  const Times times = a.rows("batch_times", at_least(0));
  const int64_t count = a.integer("updates", between(1, 1e4));
  const int64_t k = a.integer("k", between(1, 1e4));
  a.require(k <= std::ssize(times), "k", "is larger than the number of learners");
  for (const std::vector<double>& row : times) {
    a.require(std::ssize(row) >= count * k, "batch_times", "must have updates * k entries for each learner");
  }
  HPML_MODEL_INPUTS_READ(a);
  const UpdateTimes t = update_times(times, count, k);
  return Json{{"sync", t.sync},
              {"k_sync", t.k_sync},
              {"asynchronous", t.asynchronous},
              {"k_batch_sync", t.k_batch_sync},
              {"k_batch_sync_retried", t.k_batch_sync_retried},
              {"tie", t.tie}};
}

}  // namespace

std::vector<Model> training_models() {
  const std::vector<std::string_view> ages = {"staleness", "largest", "smallest", "mean"};
  return {
      {"learning_rate_decay", "rate_0 / (1 + decay step)", {"rate"}, learning_rate},
      {"initial_cross_entropy", "ln(classes)", {"loss"}, first_loss},
      {"stochastic_depth", "L - (1-p_L)(L+1)/2", {"expected_layers"}, depth},
      {"training_memory",
       "weights, gradients and 0, 1 or 2 states per parameter",
       {"gradient_bytes", "total_bytes"},
       memory},
      {"training_time", "FLOP / (devices peak utilisation)", {"days"}, days},
      {"low_rank", "rank (rows + columns)", {"parameters", "share"}, lora},
      {"staleness", "server version on arrival - version read", ages, stale},
      {"staleness_of_arrivals", "the same from the times at which gradients arrive", ages, stale_arrivals},
      {"update_times",
       "time of some updates: synchronous, K-sync, asynchronous, K-batch-sync (cancelled batches skipped or retried; "
       "with a tie two learners finish at once, and which batch is cancelled is a matter of taste)",
       {"sync", "k_sync", "asynchronous", "k_batch_sync", "k_batch_sync_retried", "tie"},
       updates},
  };
}

}  // namespace hpml::models
