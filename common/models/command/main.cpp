// hpml-model: the models of common/models from the command line, JSON in and out.
// Exit codes: 0 done, 2 bad input.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <iterator>
#include <string>

#include "common/models/json/registry.hpp"

namespace hpml::models {
namespace {

int complain(const std::string& line) {
  fmt::print(stderr, "hpml-model: {}\n", line);
  return 2;
}

Json listing() {
  Json list = Json::array();
  for (const Model& model : all_models()) {
    Json inputs = Json::object();
    for (const Input& input : inputs_of(model)) {
      Json& entry = inputs[input.name] = {{"kind", input.kind}};
      if (!input.words.empty()) {
        entry["words"] = input.words;
      } else if (input.kind != "flag") {
        entry["min"] = input.bounds.min;
        entry["max"] = std::isfinite(input.bounds.max) ? Json(input.bounds.max) : Json();
      }
    }
    list.push_back({{"model", model.name}, {"says", model.says}, {"inputs", inputs}, {"outputs", model.outputs}});
  }
  return list;
}

int print_list(bool as_json) {
  const Json list = listing();
  if (as_json) {
    fmt::print("{}\n", list.dump(1));
    return 0;
  }
  for (const Json& model : list) {
    std::string inputs, outputs;
    for (const auto& [name, entry] : model["inputs"].items()) {
      inputs += " " + name;
    }
    for (const Json& name : model["outputs"]) {
      outputs += " " + name.get<std::string>();
    }
    fmt::print("{}:{} ->{}\n    {}\n", model["model"].get<std::string>(), inputs, outputs,
               model["says"].get<std::string>());
  }
  return 0;
}

// One {"model": NAME, "in": {...}} per line in; its outputs, or {"error": ...}, on one line out.
Json answer(const std::string& line) {
  const Json request = Json::parse(line, nullptr, false);
  if (!request.is_object() || !request.contains("model") || !request["model"].is_string() || !request.contains("in")) {
    return {{"error", "a line must be {\"model\": NAME, \"in\": {...}}"}};
  }
  const Result<Json> result = evaluate(request["model"].get<std::string>(), request["in"]);
  return result.ok() ? *result : Json{{"error", result.error().message}};
}

int serve() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::cout << answer(line).dump() << '\n' << std::flush;
  }
  return 0;
}

// name=value words, where value is JSON; a word that is no JSON is a string.
Result<Json> object_of(const std::vector<std::string>& words) {
  Json object = Json::object();
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) {
      return error_in("<inputs>", fmt::format("'{}' is not NAME=VALUE", word));
    }
    const std::string text = word.substr(equals + 1);
    const Json value = Json::parse(text, nullptr, false);
    object[word.substr(0, equals)] = value.is_discarded() ? Json(text) : value;
  }
  return object;
}

Result<Json> inputs_from(const std::vector<std::string>& words) {
  if (!words.empty() && words[0].front() != '{') {
    return object_of(words);
  }
  const std::string text = words.empty() ? std::string(std::istreambuf_iterator<char>(std::cin), {}) : words[0];
  Json object = Json::parse(text, nullptr, false);
  if (object.is_discarded()) {
    return error_in("<inputs>", "the inputs are not JSON; give an object, or NAME=VALUE words");
  }
  return object;
}

int run_one(const std::string& name, const std::vector<std::string>& words) {
  if (const auto model = find_model(name); !model.ok()) {
    return complain(model.error().message);
  }
  const Result<Json> inputs = inputs_from(words);
  if (!inputs.ok()) {
    return complain(name + ": " + inputs.error().message);
  }
  const Result<Json> outputs = evaluate(name, *inputs);
  if (!outputs.ok()) {
    return complain(name + ": " + outputs.error().message);
  }
  fmt::print("{}\n", outputs->dump());
  return 0;
}

}  // namespace
}  // namespace hpml::models

int main(int argc, char** argv) {
  CLI::App app("hpml-model: analytic models of the course, JSON in and out", "hpml-model");
  bool list = false, as_json = false, lines = false;
  std::string name;
  std::vector<std::string> words;
  app.add_flag("--list", list, "name every model, its inputs and outputs");
  app.add_flag("--json", as_json, "--list as JSON");
  app.add_flag("--lines", lines, "serve one request {\"model\": NAME, \"in\": {...}} per line of standard input");
  app.add_option("model", name, "the model");
  app.add_option("inputs", words, "a JSON object, or NAME=VALUE words; standard input when there are none");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    return hpml::models::complain(std::string(error.what()) + "; see hpml-model --help");
  }
  if (list) {
    return hpml::models::print_list(as_json);
  }
  if (lines) {
    return hpml::models::serve();
  }
  if (name.empty()) {
    return hpml::models::complain("no model named; hpml-model --list names all");
  }
  return hpml::models::run_one(name, words);
}
