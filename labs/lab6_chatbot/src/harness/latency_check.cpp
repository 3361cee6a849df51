// latency SEED WORDS HIDDEN COUNT ROUNDS: processor time of replies to COUNT different questions, one at a time: by the
// network ("eager"), by a plain loop over the exported files ("plain") and by the student's loop ("exported"). The
// plain loop runs the encoder once per question and the decoder once per word; it is the limit where the network is
// slow.
//
// Each measurement is a process of its own, and the kernel says how long it ran: the clock is out of the reach of the
// code that is timed. A second process that loads, warms up and replies to nothing takes its share off; for the
// student's loop it is the plain loop's, which opens the same files, so that nothing is gained by a slow start. No
// student code runs in the process that starts them: it would leave its settings to the others. Every round asks other
// questions, so that no reply can be kept from one round for the next, and the memory for the replies is new for each
// process, which could otherwise read what another way has replied to the same questions. Prints "WAY wall_ns cpu_ns"
// for each way and round, then the exported replies of the last round.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "harness/check.hpp"
#include "harness/compute.hpp"
#include "harness/graphs.hpp"
#include "harness/model.hpp"
#include "harness/seeded.hpp"

namespace {

using namespace lab6;
using Reply = std::vector<int32_t>;
using Answer = std::function<std::vector<Reply>(std::span<const Reply> questions)>;

constexpr size_t kWarmUp = 20, kRow = kMaxTokens + 1;  // of a reply in shared memory: its length, then its words

struct Times {
  int64_t wall_ns = 0, cpu_ns = 0;
};

int64_t nanoseconds(const timeval& time) { return (int64_t{time.tv_sec} * 1000000 + time.tv_usec) * 1000; }

// Memory that a child process shares with its parent.
class Shared {
 public:
  explicit Shared(size_t count) : bytes_(count * sizeof(int32_t)) {
    void* place = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) {
      check::fail("no memory to share with a child process");
    }
    values_ = static_cast<int32_t*>(place);
  }
  ~Shared() { ::munmap(values_, bytes_); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  int32_t* row(size_t i) const { return values_ + i * kRow; }

 private:
  size_t bytes_;
  int32_t* values_ = nullptr;
};

// Does it in a child process; what that used.
Times in_child(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDOUT_FILENO);
    work();
    ::_exit(0);
  }
  int status = 0;
  rusage used{};
  ::wait4(child, &status, 0, &used);
  if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    check::fail("a process that exports or replies did not end well");
  }
  const auto wall = std::chrono::steady_clock::now() - start;
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(wall).count(),
          nanoseconds(used.ru_utime) + nanoseconds(used.ru_stime)};
}

// Replies to the questions in a child process. kept: where they go; null: nowhere, because processes that are started
// later have a copy of this one's memory.
Times measure(const std::function<Answer()>& load, std::span<const Reply> warm_up, std::span<const Reply> questions,
              std::vector<Reply>* kept = nullptr) {
  const Shared replies(std::max<size_t>(questions.size(), 1) * kRow);
  const Times times = in_child([&] {
    const Answer answer = load();
    for (const Reply& question : warm_up) {
      answer({&question, 1});
    }
    for (size_t i = 0; i < questions.size(); ++i) {
      const auto got = answer({&questions[i], 1});
      const size_t length = got.empty() ? 0 : std::min<size_t>(got[0].size(), kMaxTokens);
      replies.row(i)[0] = static_cast<int32_t>(length);
      for (size_t j = 0; j < length; ++j) {
        replies.row(i)[j + 1] = got[0][j];
      }
    }
  });
  for (size_t i = 0; kept != nullptr && i < questions.size(); ++i) {
    const int32_t* row = replies.row(i);
    kept->emplace_back(row + 1, row + 1 + std::clamp<int32_t>(row[0], 0, kMaxTokens));
  }
  return times;
}

Reply plain_reply(SessionRunner& encoder, SessionRunner& decoder, const Reply& question) {
  std::vector<int64_t> tokens(question.begin(), question.end());
  tokens.push_back(kEnd);
  const auto steps = static_cast<int64_t>(tokens.size());
  const int32_t length = static_cast<int32_t>(steps);
  encoder.set("tokens", {steps, 1}, std::span<const int64_t>(tokens));
  encoder.set("lengths", {1}, std::span<const int32_t>(&length, 1));
  encoder.run();
  std::span<const float> state = encoder.get("state");
  const auto hidden = static_cast<int64_t>(state.size()) / 2;
  decoder.set("encoder_outputs", {steps, 1, hidden}, encoder.get("outputs"));
  decoder.set_mask("mask", {steps, 1}, std::vector<uint8_t>(tokens.size(), 1));
  Reply reply;
  for (int64_t word = kStart; reply.size() < kMaxTokens;) {
    decoder.set("tokens", {1, 1}, std::span<const int64_t>(&word, 1));
    decoder.set("state", {2, 1, hidden}, state);
    decoder.run();
    const auto logits = decoder.get("logits");
    word = std::max_element(logits.begin(), logits.end()) - logits.begin();
    if (word == kEnd) {
      break;
    }
    reply.push_back(static_cast<int32_t>(word));
    state = decoder.get("next_state");
  }
  return reply;
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void run(uint64_t seed, int words, int hidden, size_t count, int rounds) {
  const Checkpoint checkpoint = seeded_checkpoint(seed, words, hidden);
  const std::string place = std::filesystem::temp_directory_path() / ("lab6_latency_" + std::to_string(::getpid()));
  std::filesystem::create_directories(place);
  in_child([&] {
    const ExportedFiles files = exported_files(checkpoint);
    write_file(place + "/encoder.onnx", files.encoder);
    write_file(place + "/decoder.onnx", files.decoder);
  });
  const auto questions = [&](size_t first, size_t size) {
    std::vector<Reply> found;
    for (size_t i = first; i < first + size; ++i) {
      found.push_back(seeded_question(seed, i, words));
    }
    return found;
  };
  const std::vector<Reply> warm_up = questions(count * static_cast<size_t>(rounds), kWarmUp);
  const auto eager = [&]() -> Answer {
    auto compute = std::make_shared<PoolCompute>(1);
    auto model = std::make_shared<Chatbot>(ModelShape{words, hidden, 1}, 1, *compute);
    model->load(checkpoint.weights, "seeded");
    return [compute, model](std::span<const Reply> all) { return model->answer(all); };
  };
  // From the files, by one loop or the other.
  const auto from_files = [&](bool plain) -> Answer {
    std::shared_ptr<SessionRunner> encoder = open_graph(place + "/encoder.onnx", true);
    std::shared_ptr<SessionRunner> decoder = open_graph(place + "/decoder.onnx", true);
    if (plain) {
      return [encoder, decoder](std::span<const Reply> all) {
        return std::vector<Reply>{plain_reply(*encoder, *decoder, all.front())};
      };
    }
    return [encoder, decoder](std::span<const Reply> all) { return greedy_replies(*encoder, *decoder, all); };
  };
  const auto plain = [&] { return from_files(true); };
  const auto exported = [&] { return from_files(false); };
  std::vector<Reply> replies;  // of the last measurement
  const std::pair<const char*, std::function<Answer()>> ways[] = {
      {"eager", eager}, {"plain", plain}, {"exported", exported}};
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Reply> asked = questions(count * static_cast<size_t>(round), count);
    Times idle;  // of the network, then of the files
    for (const auto& [name, load] : ways) {
      const bool is_exported = name == ways[2].first;
      idle = is_exported ? idle : measure(load, warm_up, {});
      const Times busy = measure(load, warm_up, asked, is_exported && round + 1 == rounds ? &replies : nullptr);
      std::printf("%s %lld %lld\n", name, static_cast<long long>(busy.wall_ns - idle.wall_ns),
                  static_cast<long long>(busy.cpu_ns - idle.cpu_ns));
      std::fflush(stdout);
    }
  }
  std::filesystem::remove_all(place);
  for (const Reply& reply : replies) {
    std::printf("reply");
    for (const int32_t word : reply) {
      std::printf(" %d", word);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    check::fail("usage: latency SEED WORDS HIDDEN COUNT ROUNDS");
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  try {
    run(number(1), static_cast<int>(number(2)), static_cast<int>(number(3)), number(4), static_cast<int>(number(5)));
  } catch (const BadInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
