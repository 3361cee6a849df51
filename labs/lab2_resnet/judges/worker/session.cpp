#include "session.hpp"

#include <fmt/format.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>

#include "common/worker/library.hpp"

namespace hpml::lab2 {
namespace {

constexpr uint32_t kGoOn = 2;  // operations: Session::Part, or this
constexpr size_t kEvent = 0, kImages = 1, kSamples = 2;
constexpr int64_t kImageFloats = ::lab2::kPlanes * ::lab2::kPixels;

// ---- in the worker -------------------------------------------------------------------------------------------------
// A function that stops in the middle, with a stack of its own.
class Coroutine {
 public:
  void begin(std::function<void()> body) {
    body_ = std::move(body);
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = kStack;
    inside_.uc_link = &outside_;
    current = this;
    makecontext(
        &inside_, [] { current->body_(); }, 0);
    go_on();
  }
  void go_on() { swapcontext(&outside_, &inside_); }
  void stop() { swapcontext(&inside_, &outside_); }

 private:
  static constexpr size_t kStack = size_t{8} << 20;
  static inline Coroutine* current = nullptr;
  std::unique_ptr<std::byte[]> stack_ = std::make_unique_for_overwrite<std::byte[]>(kStack);
  ucontext_t inside_{}, outside_{};
  std::function<void()> body_;
};

class Served {
 public:
  Served(Session::Student student, int batch, const worker::Buffers& buffers)
      : student_(std::move(student)), batch_(batch), buffers_(buffers) {}

  void serve(const worker::Request& request) {
    reply_ = request.words[0];
    if (request.operation == kGoOn) {
      coroutine_.go_on();
      return;
    }
    epoch_ = static_cast<int>(request.words[0]);
    batches_ = static_cast<int>(request.words[1]);
    const bool trains = request.operation == static_cast<uint32_t>(Session::Part::train_epoch);
    coroutine_.begin([this, trains] { *event() = run(trains); });
  }

 private:
  Event* event() { return buffers_.output<Event>(kEvent, 1); }
  int64_t call(const Event& made) {
    *event() = made;
    coroutine_.stop();
    return reply_;
  }
  int64_t call_with(Called called, const ::lab2::Batch& batch) {
    if (batch.images != nullptr && batch.count > 0 && batch.count <= batch_) {
      std::copy_n(batch.images, batch.count * kImageFloats, buffers_.output<float>(kImages, batch_ * kImageFloats));
      std::copy_n(batch.samples, batch.count, buffers_.output<int32_t>(kSamples, batch_));
    }
    return call({.called = called, .samples = batch.count});
  }

  Event run(bool trains) {
    const auto own = [this](const std::unique_ptr<::lab2::Loader>& loader) -> ::lab2::Loader& {
      return loader == nullptr ? loader_ : *loader;
    };
    try {
      if (!trains) {
        return {.called = Called::returned, .top1 = student_.loop.evaluate(own(student_.test), model_)};
      }
      const ::lab2::EpochTimes t = student_.loop.train_epoch(epoch_, own(student_.train), model_, log_);
      return {Called::returned, epoch_, 0, 0, t.loss, t.top1, t.load_s, t.train_s, t.total_s};
    } catch (const std::exception& error) {
      Event threw;
      std::strncpy(threw.text.data(), error.what(), threw.text.size() - 1);
      return threw;
    } catch (...) {
      return {};
    }
  }

  class Loader : public ::lab2::Loader {
   public:
    explicit Loader(Served& to) : to_(to) {}
    int batches_per_epoch() const override { return to_.batches_; }
    void start_epoch(int) override {}
    bool next(::lab2::Batch& batch) override {
      batch.count = static_cast<int>(to_.call({.called = Called::next}));
      return batch.count > 0;
    }

   private:
    Served& to_;
  };
  class Model : public ::lab2::Model {
   public:
    explicit Model(Served& to) : to_(to) {}
    void train_step(const ::lab2::Batch& batch) override { to_.call_with(Called::train_step, batch); }
    void update() override { to_.call({.called = Called::update}); }
    void synchronize() override { to_.call({.called = Called::synchronize}); }
    double loss() override { return std::bit_cast<double>(to_.call({.called = Called::loss})); }
    int correct() override { return static_cast<int>(to_.call({.called = Called::correct})); }
    void evaluate(const ::lab2::Batch& batch) override { to_.call_with(Called::evaluate, batch); }

   private:
    Served& to_;
  };
  class Log : public ::lab2::StepLog {
   public:
    explicit Log(Served& to) : to_(to) {}
    void step(int epoch, int step, int64_t samples, double loss, double top1) override {
      to_.call({Called::log, epoch, step, samples, loss, top1});
    }

   private:
    Served& to_;
  };

  Session::Student student_;
  int batch_, epoch_ = 0, batches_ = 0;
  int64_t reply_ = 0;
  const worker::Buffers& buffers_;
  Coroutine coroutine_;
  Loader loader_{*this};
  Model model_{*this};
  Log log_{*this};
};

}  // namespace

template <class Table>
const Table& table_of(const std::string& library, const char* symbol) {
  static std::optional<worker::Library> open;
  auto loaded = worker::Library::load(library, symbol, "{}: the grader's own");
  if (!loaded.ok()) {
    _exit(complain({worker::kFailed, loaded.error().message}));
  }
  open.emplace(std::move(*loaded));
  return *open->function<const Table*()>()();
}
template const hosted::Loop& table_of(const std::string&, const char*);
template const hosted::Training& table_of(const std::string&, const char*);

// ---- in the grader's process ---------------------------------------------------------------------------------------
Answer<std::unique_ptr<Session>> Session::start(int batch, const std::function<Student()>& load) {
  const auto images = static_cast<size_t>(batch);
  const worker::Layout layout{{}, {sizeof(Event), images * kImageFloats * sizeof(float), images * sizeof(int32_t)}};
  HPML_TRY(auto host, worker::Host::start(layout, [&](const worker::Buffers& buffers) -> worker::Function {
             const auto served = std::make_shared<Served>(load(), batch, buffers);
             return [served](const worker::Request& request) { served->serve(request); };
           }));
  return std::unique_ptr<Session>(new Session(std::move(host), batch));
}

Answer<Event> Session::run(Part part, int epoch, int batches, const Reply& reply) {
  worker::Request request{.operation = static_cast<uint32_t>(part), .words = {epoch, batches}};
  while (true) {
    Event event;
    const worker::Output output{kEvent, std::as_writable_bytes(std::span(&event, 1))};
    HPML_TRY_VOID(host_->ask(request, {&output, 1}));
    if (event.called == Called::returned) {
      return event;
    }
    if (event.called == Called::threw) {
      event.text.back() = 0;
      return Failure{worker::kFailed, fmt::format("an exception: {}", event.text.data())};
    }
    HPML_TRY(const int64_t answer, reply(event));
    request = {.operation = kGoOn, .words = {answer}};
  }
}

std::span<const float> Session::images(int64_t count) const {
  return {host_->buffers().output<float>(kImages, most_ * kImageFloats), static_cast<size_t>(count * kImageFloats)};
}
std::span<const int32_t> Session::samples(int64_t count) const {
  return {host_->buffers().output<int32_t>(kSamples, most_), static_cast<size_t>(count)};
}

}  // namespace hpml::lab2
