#include "common/relay/rank/channel.hpp"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace hpml::relay {
namespace {

constexpr std::size_t kCopied = 16 << 10;  // larger payloads are written from where they are
constexpr std::size_t kMostKept = 64 << 10;
constexpr int kFailed = 1;

}  // namespace

Channel& channel() {
  static Channel one;
  return one;
}

void fail(const char* format, ...) {
  char text[512];
  const int start = snprintf(text, sizeof text, "MPI (rank %d): ", channel().rank);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + start, sizeof text - static_cast<std::size_t>(start) - 1, format, arguments);
  va_end(arguments);
  strcat(text, "\n");
  (void)!::write(STDERR_FILENO, text, strlen(text));
  _exit(kFailed);
}

void Channel::put(const Frame& frame, const void* payload, std::size_t bytes) {
  put_clock();
  const auto* head = reinterpret_cast<const std::byte*>(&frame);
  out_.insert(out_.end(), head, head + sizeof frame);
  const auto* data = static_cast<const std::byte*>(payload);
  if (bytes > kCopied) {
    flush();
    write_all(data, bytes);
  } else if (bytes > 0) {
    out_.insert(out_.end(), data, data + bytes);
  }
  if (out_.size() > kMostKept) {
    flush();
  }
}

void Channel::put_clock() {
  if (now != told_) {
    told_ = now;
    put(Frame{.op = Op::advance, .call = Call::compute, .time = now});
  }
}

void Channel::flush() {
  write_all(out_.data(), out_.size());
  out_.clear();
}

Answer Channel::ask(const Frame& frame, const void* payload, std::size_t bytes) {
  put(frame, payload, bytes);
  flush();
  Answer answer;
  read(&answer, sizeof answer);
  now = told_ = answer.time;
  return answer;
}

void Channel::write_all(const std::byte* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t done = ::write(kRankSocket, data, bytes);
    if (done < 0 && errno != EINTR) {
      _exit(kFailed);  // the router has ended the run
    }
    data += std::max<ssize_t>(done, 0);
    bytes -= static_cast<std::size_t>(std::max<ssize_t>(done, 0));
  }
}

void Channel::read(void* to, std::size_t bytes) {
  auto* place = static_cast<std::byte*>(to);
  const std::size_t kept = std::min(bytes, in_end_ - in_begin_);
  if (kept > 0) {
    memcpy(place, in_.data() + in_begin_, kept);
    in_begin_ += kept;
    place += kept;
    bytes -= kept;
  }
  while (bytes > 0) {
    const bool direct = bytes >= in_.size();
    const ssize_t done = ::read(kRankSocket, direct ? place : in_.data(), direct ? bytes : in_.size());
    if (done == 0 || (done < 0 && errno != EINTR)) {
      _exit(kFailed);  // the router has ended the run
    }
    const std::size_t came = static_cast<std::size_t>(std::max<ssize_t>(done, 0));
    const std::size_t used = std::min(bytes, came);
    if (!direct) {
      in_begin_ = used;
      in_end_ = came;
      memcpy(place, in_.data(), used);
    }
    place += used;
    bytes -= used;
  }
}

}  // namespace hpml::relay
