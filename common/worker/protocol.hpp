#pragma once
// What the grader's program and a worker process say to each other. The grader's program writes a request; the worker
// reads its inputs from the input memory, writes its results to the output memory and answers with the request's
// sequence number, 8 bytes. After its start, when the code is loaded, a worker answers 0 without a request.
#include <array>
#include <cstdint>

namespace hpml::worker {

// Descriptors of a worker process. A command that is executed as a worker (host.hpp) also has its memory as two files.
inline constexpr int kRequests = 3, kAnswers = 4, kInputs = 5, kOutputs = 6;
inline constexpr uint64_t kMagic = 0x3162616C6C6D7068ULL;

struct Request {
  uint64_t magic = kMagic, sequence = 0;  // filled in by Host::ask()
  uint32_t operation = 0, iteration = 0;  // for labs whose worker has several functions, or counts calls
  std::array<int64_t, 5> words = {};      // sizes and the like
};
static_assert(sizeof(Request) == 64);

}  // namespace hpml::worker
