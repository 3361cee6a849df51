// chatbot export, run, graph.
#include "harness/export_commands.hpp"

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "harness/checkpoint.hpp"
#include "harness/graphs.hpp"
#include "harness/options.hpp"
#include "harness/sentence.hpp"

namespace lab6 {

namespace {

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) {
    throw BadInput(path + ": cannot be written");
  }
}

// Words that are not in the vocabulary go to `unknown`.
std::vector<int32_t> tokens_of(const std::string& text, const Vocabulary& vocabulary, std::string& unknown) {
  std::vector<int32_t> tokens;
  for (const std::string& word : split_words(text)) {
    const auto found = vocabulary.ids.find(word);
    if (found == vocabulary.ids.end()) {
      unknown += (unknown.empty() ? "" : ", ") + ("\"" + word + "\"");
    } else {
      tokens.push_back(found->second);
    }
  }
  return tokens;
}

std::string joined(const std::vector<hpml::onnx::Dims>& all) {
  std::string text;
  for (const auto& dims : all) {
    text += (text.empty() ? "" : " ") + hpml::onnx::to_string(dims);
  }
  return text;
}

}  // namespace

int export_command(int argc, char** argv) {
  CLI::App app{"Writes FOLDER/encoder.onnx and FOLDER/decoder.onnx.", "chatbot export"};
  std::string checkpoint, folder;
  app.add_option("--checkpoint", checkpoint, "of a trained chatbot")->required();
  app.add_option("--out", folder, "folder; made if it is not there")->required();
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const ExportedFiles files = exported_files(read_checkpoint(checkpoint));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  write_file(folder + "/encoder.onnx", files.encoder);
  write_file(folder + "/decoder.onnx", files.decoder);
  std::printf("%s/encoder.onnx: %zu bytes\n%s/decoder.onnx: %zu bytes\n", folder.c_str(), files.encoder.size(),
              folder.c_str(), files.decoder.size());
  return 0;
}

int run_command(int argc, char** argv) {
  CLI::App app{"Answers questions, one per line, from two ONNX files and nothing else.", "chatbot run"};
  std::string encoder_path, decoder_path;
  app.add_option("--encoder", encoder_path, "encoder.onnx")->required();
  app.add_option("--decoder", decoder_path, "decoder.onnx")->required();
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  const auto encoder = open_graph(encoder_path, true), decoder = open_graph(decoder_path, true);
  const Vocabulary vocabulary = vocabulary_of(encoder->session().model(), encoder_path);
  const bool terminal = isatty(STDIN_FILENO) != 0;
  for (std::string line;
       std::printf("%s", terminal ? "you> " : ""), std::fflush(stdout), std::getline(std::cin, line);) {
    const std::string text = normalise(line);
    if (is_farewell(text)) {
      break;
    }
    std::string unknown;
    const std::vector<int32_t> question = tokens_of(text, vocabulary, unknown);
    if (!unknown.empty() || question.empty()) {
      std::printf("%s\n", unknown.empty() ? "Ask a question." : ("I have never read " + unknown + ".").c_str());
      continue;
    }
    const auto replies = greedy_replies(*encoder, *decoder, {&question, 1});
    std::printf("%s\n", replies.empty() ? "..." : sentence(replies[0], vocabulary.words).c_str());
  }
  return 0;
}

int graph_command(int argc, char** argv) {
  CLI::App app{"Lists the operators of an ONNX file. Named extents get the values of --extent, or 1.", "chatbot graph"};
  std::string path;
  std::vector<std::string> given;
  app.add_option("file", path, "ONNX file")->required();
  app.add_option("--extent", given, "T=10 B=64");
  if (const auto code = parse_options(app, argc, argv)) {
    return *code;
  }
  std::map<std::string, int64_t> extents;
  for (const std::string& one : given) {
    const size_t sign = one.find('=');
    if (sign == std::string::npos || std::atoll(one.c_str() + sign + 1) < 1) {
      throw BadInput("--extent " + one + ": expected NAME=NUMBER");
    }
    extents[one.substr(0, sign)] = std::atoll(one.c_str() + sign + 1);
  }
  const auto graph = open_graph(path, false);
  hpml::onnx::Session& session = graph->session();
  for (const auto& input : session.model().inputs) {
    hpml::onnx::Dims dims;
    for (const auto& dim : input.dims) {
      const auto* fixed = std::get_if<int64_t>(&dim);
      dims.push_back(fixed != nullptr ? *fixed : extents.emplace(std::get<std::string>(dim), 1).first->second);
    }
    if (!session.input(input.name)->reset(input.type, dims)) {
      throw BadInput(path + ": input '" + input.name + "' would have extents " + hpml::onnx::to_string(dims));
    }
    std::fill_n(session.input(input.name)->memory(), session.input(input.name)->bytes().size(), std::byte{0});
    std::printf("input  %-24s %-6s %s\n", input.name.c_str(), hpml::onnx::name_of(input.type),
                hpml::onnx::to_string(dims).c_str());
  }
  graph->run();
  int64_t macs = 0;
  for (const auto& use : session.uses()) {
    std::printf("%-10s %-24s %-32s %12lld MAC\n", use.node->op.c_str(), use.node->name.c_str(),
                joined(use.outputs).c_str(), static_cast<long long>(use.macs));
    macs += use.macs;
  }
  for (const auto& output : session.model().outputs) {
    std::printf("output %-24s %-6s %s\n", output.name.c_str(), hpml::onnx::name_of(output.type),
                hpml::onnx::to_string(session.output(output.name)->dims()).c_str());
  }
  std::printf("%zu nodes, %lld MAC\n", session.uses().size(), static_cast<long long>(macs));
  return 0;
}

}  // namespace lab6
