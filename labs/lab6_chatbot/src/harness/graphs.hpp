#pragma once
// What stands behind export.hpp: a writer that makes ONNX files, a runner that runs them. Nothing here knows the
// training code or its checkpoints, except that exported_files() calls the student's exporter.
#include <memory>
#include <string>

#include "common/onnx/session.hpp"
#include "export.hpp"

namespace lab6 {

struct ExportedFiles {
  std::string encoder, decoder;  // bytes
};
// The student's graphs of a checkpoint. The vocabulary travels as metadata "words", one per line. Throws BadInput.
ExportedFiles exported_files(const Checkpoint& checkpoint);

// Opens a graph. Throws BadInput.
class SessionRunner : public GraphRunner {
 public:
  explicit SessionRunner(hpml::onnx::Model model, const std::string& file, bool fuse);
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int64_t> values) override;
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const int32_t> values) override;
  void set(const std::string& input, const std::vector<int64_t>& extents, std::span<const float> values) override;
  void set_mask(const std::string& input, const std::vector<int64_t>& extents,
                std::span<const uint8_t> values) override;
  void run() override;
  std::span<const float> get(const std::string& output) const override;

  const hpml::onnx::Session& session() const { return session_; }
  hpml::onnx::Session& session() { return session_; }

 private:
  void put(const std::string& input, hpml::onnx::Type type, const std::vector<int64_t>& extents, const void* values,
           size_t count);
  std::string file_;
  hpml::onnx::Session session_;
};
std::unique_ptr<SessionRunner> open_graph(const std::string& path, bool fuse);

// The vocabulary in a graph's metadata. Throws BadInput.
Vocabulary vocabulary_of(const hpml::onnx::Model& model, const std::string& file);

}  // namespace lab6
