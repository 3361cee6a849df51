#pragma once
// The student's train_epoch() and evaluate() in a worker. The network, the log and the given loader, which they call,
// are in this process: a call of theirs ends the worker's request, this process computes the result, and its next
// request hands that result to the student's function, which continues. So this process decides how long each call
// takes and what it returns.
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "commands.hpp"
#include "common/worker/host.hpp"
#include "harness/hosted.hpp"

namespace hpml::lab2 {

enum class Called : int64_t { next, train_step, update, synchronize, loss, correct, evaluate, log, returned, threw };

struct Event {
  Called called = Called::threw;
  int64_t epoch = 0, step = 0;  // log
  int64_t samples = 0;          // log; train_step, evaluate: images of the batch
  double loss = 0, top1 = 0;    // log; returned: of the epoch, or the share that evaluate() says in top1
  double load_s = 0, train_s = 0, total_s = 0;  // returned
  std::array<char, 128> text = {};              // threw: what it said, or nothing
};

class Session {
 public:
  struct Student {
    hosted::Loop loop;
    std::unique_ptr<::lab2::Loader> train = nullptr, test = nullptr;  // null: next() is answered here
  };
  enum class Part : uint32_t { train_epoch, evaluate };
  // What a call returns: next() the images of the batch or 0, correct() a count, loss() the bits of a double.
  using Reply = std::function<Answer<int64_t>(const Event&)>;

  // batch: images of the largest. load is called in the worker.
  static Answer<std::unique_ptr<Session>> start(int batch, const std::function<Student()>& load);

  // Until it has returned; `batches` of an epoch where the loader is here. Fails with the first reply that fails.
  Answer<Event> run(Part part, int epoch, int batches, const Reply& reply);

  // Of the batch of the last train_step() or evaluate().
  std::span<const float> images(int64_t count) const;
  std::span<const int32_t> samples(int64_t count) const;

 private:
  Session(std::unique_ptr<worker::Host> host, int batch) : host_(std::move(host)), most_(batch) {}
  std::unique_ptr<worker::Host> host_;
  int64_t most_;  // images of a batch
};

// In a worker: the table that a library's function gives, or the end of the worker with the reason on stderr.
template <class Table>
const Table& table_of(const std::string& library, const char* symbol);
extern template const hosted::Loop& table_of(const std::string&, const char*);
extern template const hosted::Training& table_of(const std::string&, const char*);

}  // namespace hpml::lab2
