#include "harness/graphs.hpp"

#include <cstring>
#include <sstream>

namespace lab6 {

namespace onnx = hpml::onnx;

namespace {

constexpr char kWords[] = "words";  // key of the vocabulary in a file's metadata

onnx::Type type_of(Element element) {
  switch (element) {
    case Element::float32: return onnx::Type::float32;
    case Element::int32: return onnx::Type::int32;
    case Element::int64: return onnx::Type::int64;
    case Element::boolean: return onnx::Type::boolean;
  }
  return onnx::Type::float32;
}

template <class T>
T value_or_throw(hpml::Result<T> result) {
  if (!result.ok()) {
    throw BadInput(result.error().to_string());
  }
  return std::move(result).value();
}

class ModelWriter : public GraphWriter {
 public:
  explicit ModelWriter(const std::string& name) { model_.graph_name = name, model_.producer = "hpml lab6"; }

  void input(const std::string& name, Element type, const std::vector<Extent>& extents) override {
    model_.inputs.push_back({name, type_of(type), {extents.begin(), extents.end()}});
  }
  void output(const std::string& name, Element type, const std::vector<Extent>& extents) override {
    model_.outputs.push_back({name, type_of(type), {extents.begin(), extents.end()}});
  }
  void weights(const std::string& name, const std::vector<int64_t>& extents, std::span<const float> values) override {
    constant(name, extents, values);
  }
  void integers(const std::string& name, const std::vector<int64_t>& extents,
                std::span<const int64_t> values) override {
    constant(name, extents, values);
  }
  void node(const std::string& op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
            const std::vector<std::pair<std::string, Attribute>>& attributes) override {
    onnx::Node node{op, "", inputs, outputs, {}};
    for (const std::string& output : outputs) {
      node.name = node.name.empty() ? output : node.name;
    }
    for (const auto& [name, value] : attributes) {
      std::visit([&, key = name](const auto& own) { node.attributes[key] = own; }, value);
    }
    // A file ends its lists where only left-out names follow.
    while (!node.inputs.empty() && node.inputs.back().empty()) {
      node.inputs.pop_back();
    }
    while (!node.outputs.empty() && node.outputs.back().empty()) {
      node.outputs.pop_back();
    }
    model_.nodes.push_back(std::move(node));
  }

  onnx::Model& model() { return model_; }

 private:
  template <class T>
  void constant(const std::string& name, const std::vector<int64_t>& extents, std::span<const T> values) {
    const auto count = onnx::count_of(extents);
    if (!count || static_cast<size_t>(*count) != values.size()) {
      throw BadInput("constant '" + name + "': extents " + onnx::to_string(extents) + " and " +
                     std::to_string(values.size()) + " values");
    }
    model_.initializers.emplace_back(name, onnx::Tensor::of<T>(extents, values));
  }
  onnx::Model model_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : "\n") + word;
  }
  return text;
}

}  // namespace

ExportedFiles exported_files(const Checkpoint& checkpoint) {
  ModelWriter encoder("encoder"), decoder("decoder_step");
  export_encoder(checkpoint, encoder);
  export_decoder(checkpoint, decoder);
  for (ModelWriter* writer : {&encoder, &decoder}) {
    writer->model().metadata = {{kWords, joined(checkpoint.words)}};
  }
  return {serialize(encoder.model()), serialize(decoder.model())};
}

SessionRunner::SessionRunner(onnx::Model model, const std::string& file, bool fuse)
    : file_(file), session_(value_or_throw(onnx::Session::create(std::move(model), file, {.fuse = fuse}))) {}

void SessionRunner::put(const std::string& input, onnx::Type type, const std::vector<int64_t>& extents,
                        const void* values, size_t count) {
  onnx::Tensor* tensor = session_.input(input);
  if (tensor == nullptr) {
    throw BadInput(file_ + ": it has no input '" + input + "'");
  }
  const auto wanted = onnx::count_of(extents);
  if (!wanted || static_cast<size_t>(*wanted) != count || !tensor->reset(type, extents)) {
    throw BadInput(file_ + ": input '" + input + "': extents " + onnx::to_string(extents) + " and " +
                   std::to_string(count) + " values");
  }
  if (count != 0) {
    std::memcpy(tensor->memory(), values, count * onnx::size_of(type));
  }
}

void SessionRunner::set(const std::string& input, const std::vector<int64_t>& extents,
                        std::span<const int64_t> values) {
  put(input, onnx::Type::int64, extents, values.data(), values.size());
}
void SessionRunner::set(const std::string& input, const std::vector<int64_t>& extents,
                        std::span<const int32_t> values) {
  put(input, onnx::Type::int32, extents, values.data(), values.size());
}
void SessionRunner::set(const std::string& input, const std::vector<int64_t>& extents, std::span<const float> values) {
  put(input, onnx::Type::float32, extents, values.data(), values.size());
}
void SessionRunner::set_mask(const std::string& input, const std::vector<int64_t>& extents,
                             std::span<const uint8_t> values) {
  put(input, onnx::Type::boolean, extents, values.data(), values.size());
}

void SessionRunner::run() {
  if (const auto done = session_.run(); !done.ok()) {
    throw BadInput(done.error().to_string());
  }
}

std::span<const float> SessionRunner::get(const std::string& output) const {
  const onnx::Tensor* tensor = session_.output(output);
  if (tensor == nullptr || tensor->type() != onnx::Type::float32) {
    throw BadInput(file_ + ": it has no float output '" + output + "'");
  }
  return tensor->as<float>();
}

std::unique_ptr<SessionRunner> open_graph(const std::string& path, bool fuse) {
  return std::make_unique<SessionRunner>(value_or_throw(onnx::read_model(path)), path, fuse);
}

Vocabulary vocabulary_of(const onnx::Model& model, const std::string& file) {
  Vocabulary result;
  for (const auto& [key, value] : model.metadata) {
    std::istringstream lines(key == kWords ? value : "");
    for (std::string word; std::getline(lines, word);) {
      result.ids.emplace(word, static_cast<int32_t>(result.words.size()));
      result.words.push_back(word);
    }
  }
  if (result.words.size() <= kEnd) {
    throw BadInput(file + ": no vocabulary in its metadata ('" + kWords + "'); export it again");
  }
  return result;
}

}  // namespace lab6
