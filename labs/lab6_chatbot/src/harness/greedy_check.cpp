// greedy scripted SEED COUNT: the student's search on scripted graphs whose words are known; one reply per line.
// greedy files SEED WORDS HIDDEN COUNT BATCH: a child process exports a seeded checkpoint to two files and ends; this
// process opens the files and replies to seeded questions. greedy latency SEED SAMPLES WARM_UP: measure_latency() with
// a scripted clock; prints "samples median p95 loads answers".
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "harness/check.hpp"
#include "harness/graphs.hpp"
#include "harness/scripted.hpp"
#include "harness/seeded.hpp"

namespace {

using namespace lab6;

void print(const std::vector<std::vector<int32_t>>& replies) {
  for (const auto& reply : replies) {
    for (size_t i = 0; i < reply.size(); ++i) {
      std::printf("%s%d", i == 0 ? "" : " ", reply[i]);
    }
    std::printf("\n");
  }
}

void run_scripted(uint64_t seed, size_t count) {
  std::vector<std::vector<int32_t>> questions;
  for (size_t i = 0; i < count; ++i) {
    questions.push_back(seeded_question(seed, i, kScriptedWords));
  }
  Script script(seed);
  ScriptedEncoder encoder(script);
  ScriptedDecoder decoder(script);
  print(greedy_replies(encoder, decoder, questions));
}

std::string folder() {
  const auto path = std::filesystem::temp_directory_path() / ("lab6_" + std::to_string(::getpid()));
  std::filesystem::create_directories(path);
  return path.string();
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

int run_files(uint64_t seed, int words, int hidden, size_t count, size_t batch) {
  const std::string place = folder();
  const pid_t child = ::fork();
  if (child == 0) {
    const ExportedFiles files = exported_files(seeded_checkpoint(seed, words, hidden));
    write_file(place + "/encoder.onnx", files.encoder);
    write_file(place + "/decoder.onnx", files.decoder);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "the export did not end well\n");
    return 1;
  }
  const auto encoder = open_graph(place + "/encoder.onnx", true), decoder = open_graph(place + "/decoder.onnx", true);
  std::filesystem::remove_all(place);
  for (size_t first = 0; first < count; first += batch) {
    std::vector<std::vector<int32_t>> questions;
    for (size_t i = first; i < std::min(count, first + batch); ++i) {
      questions.push_back(seeded_question(seed, i, words));
    }
    print(greedy_replies(*encoder, *decoder, questions));
  }
  return 0;
}

// Every answer takes a time of its own; loading takes longer than all of them.
void run_latency(uint64_t seed, int64_t samples, int64_t warm_up) {
  double now = 1000;
  uint64_t loads = 0, answers = 0;
  const Subject subject{[&] { now += 1e6, ++loads; },
                        [&] { now += 0.001 * (1 + sweep::uniform_of(seed, 7, answers)), ++answers; }};
  const Latency found = measure_latency(subject, samples, warm_up, [&] { return now; });
  std::printf("%lld %.17g %.17g %llu %llu\n", static_cast<long long>(found.samples), found.median_s, found.p95_s,
              static_cast<unsigned long long>(loads), static_cast<unsigned long long>(answers));
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::strtoull(argv[i], nullptr, 10) : 0; };
  const auto is = [&](const char* word, int words) { return argc == words && std::strcmp(argv[1], word) == 0; };
  try {
    if (is("scripted", 4)) {
      run_scripted(number(2), number(3));
    } else if (is("files", 7)) {
      return run_files(number(2), static_cast<int>(number(3)), static_cast<int>(number(4)), number(5), number(6));
    } else if (is("latency", 5)) {
      run_latency(number(2), static_cast<int64_t>(number(3)), static_cast<int64_t>(number(4)));
    } else {
      check::fail(
          "usage: greedy scripted SEED COUNT | files SEED WORDS HIDDEN COUNT BATCH | latency SEED SAMPLES WARM_UP");
    }
  } catch (const BadInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
