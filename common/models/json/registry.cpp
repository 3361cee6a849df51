#include "common/models/json/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hpml::models {

const std::vector<Model>& all_models() {
  static const std::vector<Model> kModels = [] {
    std::vector<Model> models;
    for (auto topic :
         {scaling_models, roofline_models, communication_models, convolution_models, gpu_models, training_models}) {
      const std::vector<Model> some = topic();
      models.insert(models.end(), some.begin(), some.end());
    }
    std::ranges::sort(models, {}, &Model::name);
    return models;
  }();
  return kModels;
}

Result<const Model*> find_model(std::string_view name) {
  const auto& models = all_models();
  const auto found = std::ranges::find(models, name, &Model::name);
  if (found != models.end()) {
    return &*found;
  }
  std::vector<std::string> names;
  for (const Model& model : models) {
    names.emplace_back(model.name);
  }
  return error_in("<model>",
                  fmt::format("no model '{}'{}; hpml-model --list names all", name, did_you_mean(name, names)));
}

Result<Json> evaluate(std::string_view name, const Json& inputs) {
  HPML_TRY(const Model* model, find_model(name));
  Args args(inputs);
  HPML_TRY(Json outputs, model->run(args));
  for (const auto& [key, value] : outputs.items()) {
    if (value.is_number_float() && !std::isfinite(value.get<double>())) {
      return error_in("<inputs>", fmt::format("'{}' is not a finite number for these inputs", key));
    }
  }
  return outputs;
}

std::vector<Input> inputs_of(const Model& model) {
  Args args = Args::listing();
  const Result<Json> ignored = model.run(args);
  HPML_CHECK(!ignored.ok(), fmt::format("{} reads no inputs", model.name));
  return args.inputs();
}

}  // namespace hpml::models
