#pragma once
// One end of a socket on which JSON lines go both ways; a file descriptor may come with a line.
#include <sys/types.h>

#include <deque>
#include <optional>
#include <string>

#include "simulator/debug/protocol.hpp"

namespace hpml::sim::debug {

class Channel {
 public:
  Channel() = default;
  explicit Channel(int fd) : fd_(fd) {}
  Channel(Channel&& other) noexcept;
  Channel& operator=(Channel&& other) noexcept;
  ~Channel() { close(); }

  bool open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  void close();

  // False: the other end is gone.
  bool send(const Json& message, int with_fd = -1);
  bool send_line(const std::string& line, int with_fd = -1);
  // Waits; nothing: the other end is gone, or sends more than a line may hold.
  std::optional<std::string> receive();
  // Nothing: no whole line is there yet, or the other end is gone: see open().
  std::optional<std::string> poll();
  bool readable(int timeout_ms) const;  // or closed
  // The descriptor that came with a line received; -1: none.
  int take_fd();

 private:
  bool fill();
  std::optional<std::string> line();

  int fd_ = -1;
  std::string buffer_;
  std::deque<int> fds_;
};

// Two connected ends. They are closed when the process executes another program.
std::pair<int, int> socket_pair();

}  // namespace hpml::sim::debug
