#include "simulator/debug/channel.hpp"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace hpml::sim::debug {

Channel::Channel(Channel&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), buffer_(std::move(other.buffer_)), fds_(std::move(other.fds_)) {}

Channel& Channel::operator=(Channel&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
    buffer_ = std::move(other.buffer_);
    fds_ = std::exchange(other.fds_, {});
  }
  return *this;
}

void Channel::close() {
  if (fd_ >= 0) {
    ::close(std::exchange(fd_, -1));
  }
  for (const int fd : std::exchange(fds_, {})) {
    ::close(fd);
  }
}

bool Channel::send(const Json& message, int with_fd) {
  return send_line(message.dump(-1, ' ', false, Json::error_handler_t::replace), with_fd);
}

bool Channel::send_line(const std::string& line, int with_fd) {
  const std::string bytes = line + "\n";
  size_t sent = 0;
  while (fd_ >= 0 && sent < bytes.size()) {
    iovec part{const_cast<char*>(bytes.data()) + sent, bytes.size() - sent};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (with_fd >= 0 && sent == 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* header = CMSG_FIRSTHDR(&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(header), &with_fd, sizeof with_fd);
    }
    const ssize_t n = sendmsg(fd_, &message, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) {
      return false;
    }
    sent += n > 0 ? static_cast<size_t>(n) : 0;
  }
  return fd_ >= 0;
}

bool Channel::readable(int timeout_ms) const {
  pollfd wanted{fd_, POLLIN, 0};
  return fd_ >= 0 && ::poll(&wanted, 1, timeout_ms) > 0;
}

// Reads the bytes that have arrived, or waits for some. False: the other process has closed its end.
bool Channel::fill() {
  char bytes[65536];
  iovec part{bytes, sizeof bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n = -1;
  do {
    n = recvmsg(fd_, &message, MSG_CMSG_CLOEXEC);
  } while (n < 0 && errno == EINTR);
  if (n <= 0) {
    return false;
  }
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
      fds_.push_back(fd);
    }
  }
  buffer_.append(bytes, static_cast<size_t>(n));
  return true;
}

std::optional<std::string> Channel::line() {
  const size_t end = buffer_.find('\n');
  if (end == std::string::npos) {
    return std::nullopt;
  }
  std::string out = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  return out;
}

std::optional<std::string> Channel::receive() {
  while (fd_ >= 0) {
    if (auto whole = line()) {
      return whole;
    }
    if (buffer_.size() > kLongestLine || !fill()) {
      close();
    }
  }
  return std::nullopt;
}

std::optional<std::string> Channel::poll() {
  while (fd_ >= 0) {
    if (auto whole = line()) {
      return whole;
    }
    if (!readable(0)) {
      return std::nullopt;
    }
    if (buffer_.size() > kLongestLine || !fill()) {
      close();
    }
  }
  return std::nullopt;
}

int Channel::take_fd() {
  if (fds_.empty()) {
    return -1;
  }
  const int fd = fds_.front();
  fds_.pop_front();
  return fd;
}

std::pair<int, int> socket_pair() {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return {-1, -1};
  }
  return {ends[0], ends[1]};
}

}  // namespace hpml::sim::debug
