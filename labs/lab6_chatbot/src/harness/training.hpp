#pragma once
// From a folder with an utterances.jsonl to a trained chatbot.
#include <functional>
#include <string>

#include "lab6.hpp"

namespace lab6 {

// Reads FOLDER/utterances.jsonl with the student's reader; pairs whose question held_out() picks are kept for testing.
TrainingData load_data(const std::string& folder);
TrainingData split_data(std::span<const Pair> pairs);

using OnEpoch = std::function<bool(const EpochResult& result)>;  // false ends the run
// Trains from the seed's initial weights, or goes on from `resume`. The result does not depend on `threads`.
Checkpoint run_training(const Config& config, const TrainingData& data, int threads, const OnEpoch& on_epoch,
                        const Checkpoint* resume = nullptr);

}  // namespace lab6
