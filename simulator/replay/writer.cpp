#include "simulator/replay/writer.hpp"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <concepts>
#include <memory>

namespace hpml::sim::replay {
namespace {

constexpr size_t kBufferBytes = 1u << 20;

class Encoder {
 public:
  explicit Encoder(std::string& out) : out_(out) {}
  template <class... Ts>
  void operator()(Ts&... values) {
    (put(values), ...);
  }

 private:
  template <std::integral T>
  void put(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof(value));  // little endian, as every GPU host is
  }
  void put(const std::string& text) {
    put(static_cast<uint64_t>(text.size()));
    out_ += text;
  }
  template <class T>
  void put(std::vector<T>& list) {
    put(static_cast<uint64_t>(list.size()));
    for (T& item : list) {
      put(item);
    }
  }
  template <class T>
  requires requires(T t, Encoder e) { t.fields(e); }
  void put(T& record) { record.fields(*this); }
  std::string& out_;
};

}  // namespace

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path, uint64_t limit) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) {
    return error_in(path, std::string("cannot be written: ") + strerror(errno));
  }
  std::unique_ptr<Writer> writer(new Writer(file, limit, getpid()));
  writer->buffer_.assign(kMagic, sizeof(kMagic));
  return writer;
}

Writer::~Writer() {
  flush();
  close(file_);
}

void Writer::write(Event event) {
  if (getpid() != owner_) {
    return;
  }
  while (busy_.test_and_set(std::memory_order_acquire)) {
  }
  const size_t start = buffer_.size();
  const auto append = [this](Event& what) {
    buffer_.push_back(static_cast<char>(what.index()));
    std::visit([this](auto& record) { Encoder{buffer_}(record); }, what);
  };
  if (!full_) {
    append(event);
    written_ += buffer_.size() - start;
    if (written_ > limit_) {
      full_ = true;
      buffer_.resize(start);
      Event end = TooLarge{};
      append(end);
    }
    if (buffer_.size() >= kBufferBytes) {
      flush_locked();
    }
  }
  busy_.clear(std::memory_order_release);
}

void Writer::flush() {
  if (getpid() != owner_) {
    return;
  }
  while (busy_.test_and_set(std::memory_order_acquire)) {
  }
  flush_locked();
  busy_.clear(std::memory_order_release);
}

void Writer::flush_locked() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t part = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (part < 0 && errno != EINTR) {
      full_ = true;  // the reader finds a recording without an end
      break;
    }
    done += part > 0 ? static_cast<size_t>(part) : 0;
  }
  buffer_.clear();
}

}  // namespace hpml::sim::replay
