// export files SEED WORDS HIDDEN: writes the graphs of a seeded checkpoint to the result: 8 bytes with the encoder's
// size, encoder, decoder. Prints whether a second export gives the same bytes. export open SEED WORDS HIDDEN STEPS
// BATCH: runs both graphs in the given interpreter; prints the extents of the outputs.
#include <cinttypes>
#include <cstring>

#include "harness/check.hpp"
#include "harness/graphs.hpp"
#include "harness/seeded.hpp"

namespace {

using namespace lab6;

void write_files(const Checkpoint& checkpoint) {
  const ExportedFiles files = exported_files(checkpoint), again = exported_files(checkpoint);
  check::Results results;
  results.write(std::vector<uint64_t>{files.encoder.size()});
  results.write_bytes(files.encoder);
  results.write_bytes(files.decoder);
  std::printf("%s\n", files.encoder == again.encoder && files.decoder == again.decoder ? "same" : "different");
}

std::unique_ptr<SessionRunner> opened(const std::string& bytes, const char* name) {
  auto model = hpml::onnx::parse_model(bytes, name);
  if (!model.ok()) {
    throw BadInput(model.error().to_string());
  }
  return std::make_unique<SessionRunner>(std::move(model).value(), name, false);
}

void print_extents(const SessionRunner& graph, const char* output) {
  const auto* tensor = graph.session().output(output);
  std::printf("%s %s\n", output, tensor == nullptr ? "missing" : hpml::onnx::to_string(tensor->dims()).c_str());
}

void open_files(const Checkpoint& checkpoint, int64_t steps, int64_t batch) {
  const int64_t hidden = checkpoint.config.hidden;
  const ExportedFiles files = exported_files(checkpoint);
  const auto encoder = opened(files.encoder, "encoder.onnx"), decoder = opened(files.decoder, "decoder.onnx");
  const std::vector<int64_t> tokens(static_cast<size_t>(steps * batch), 3), first(static_cast<size_t>(batch), kStart);
  const std::vector<int32_t> lengths(static_cast<size_t>(batch), static_cast<int32_t>(steps));
  encoder->set("tokens", {steps, batch}, std::span<const int64_t>(tokens));
  encoder->set("lengths", {batch}, std::span<const int32_t>(lengths));
  encoder->run();
  print_extents(*encoder, "outputs");
  print_extents(*encoder, "state");
  decoder->set("tokens", {1, batch}, std::span<const int64_t>(first));
  decoder->set("state", {2, batch, hidden}, encoder->get("state"));
  decoder->set("encoder_outputs", {steps, batch, hidden}, encoder->get("outputs"));
  decoder->set_mask("mask", {steps, batch}, std::vector<uint8_t>(tokens.size(), 1));
  decoder->run();
  print_extents(*decoder, "logits");
  print_extents(*decoder, "next_state");
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::strtoll(argv[i], nullptr, 10) : 0; };
  if (argc < 5) {
    check::fail("usage: export files|open SEED WORDS HIDDEN [STEPS BATCH]");
  }
  const Checkpoint checkpoint =
      seeded_checkpoint(static_cast<uint64_t>(number(2)), static_cast<int>(number(3)), static_cast<int>(number(4)));
  try {
    if (std::strcmp(argv[1], "files") == 0) {
      write_files(checkpoint);
    } else {
      open_files(checkpoint, number(5), number(6));
    }
  } catch (const BadInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
