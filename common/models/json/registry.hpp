#pragma once
// Every model by name, with JSON in and out: one implementation for labs, quizzes and reports.
#include <string_view>
#include <vector>

#include "common/models/json/args.hpp"

namespace hpml::models {

struct Model {
  std::string_view name;
  std::string_view says;  // one line: formula or rule
  std::vector<std::string_view> outputs;
  Result<Json> (*run)(Args& args);
};

const std::vector<Model>& all_models();

// The model, or the name that was meant.
Result<const Model*> find_model(std::string_view name);

// The model's outputs, or what is wrong with the name or the inputs.
Result<Json> evaluate(std::string_view name, const Json& inputs);

std::vector<Input> inputs_of(const Model& model);

// The topics, one file each.
std::vector<Model> scaling_models();
std::vector<Model> roofline_models();
std::vector<Model> communication_models();
std::vector<Model> convolution_models();
std::vector<Model> gpu_models();
std::vector<Model> training_models();

}  // namespace hpml::models

// Leaves the model when its inputs are not there.
#define HPML_MODEL_INPUTS_READ(args) \
  do {                               \
    if (!(args).ready()) {           \
      return (args).error();         \
    }                                \
  } while (false)
