#pragma once
// When things happen in simulated time. The host issues operations in program order; each runs on one engine of the
// device, after the earlier work of its stream and after what the stream rules of CUDA make it wait for.
//
// Legacy default stream: its work waits for all earlier work of the blocking streams, and theirs for it; streams made
// with cudaStreamNonBlocking take no part in that.
//
// Kernels of different streams run side by side as far as their shares of the multiprocessors allow; each copy engine
// takes one operation at a time.
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/cudart/runtime/kept_attributes.hpp"
#include "simulator/device/api.hpp"

namespace hpml::sim::cudart {

using device::Picoseconds;
struct Capture;

// The one host clock of the process. Every thread of the program reads and advances the same one.
class HostClock {
 public:
  Picoseconds now() const { return now_; }
  void advance(Picoseconds by) { now_ += by; }
  void advance_to(Picoseconds time) { now_ = time > now_ ? time : now_; }

 private:
  Picoseconds now_ = 0;
};

// A piece of work that waits for memory to have a value (held_work.hpp). Gives the time of its end once it is done.
struct HeldWork {
  uint64_t number = 0;  // in the order of the calls
  std::function<std::optional<Picoseconds>(Picoseconds now)> step;
};

struct Stream {
  uint64_t id = 0;  // 0 = the legacy default stream
  bool non_blocking = false;
  unsigned flags = 0;
  int priority = 0;
  Picoseconds end = 0;                    // of its last operation
  std::shared_ptr<Capture> capture = {};  // while it is being captured
  KeptAttributes kept = {};
  std::deque<HeldWork> held = {};
};

enum class Engine : uint8_t { none, compute, copy_to_device, copy_to_host };

// What an operation takes of the device while it runs.
struct Use {
  Engine engine = Engine::none;
  double share = 1;  // of the compute engine
};

struct Span {
  Picoseconds start = 0, end = 0;
};

class Timeline {
 public:
  Timeline();

  // The legacy default stream and the per-thread default stream exist always.
  Stream& legacy() { return *legacy_; }
  Stream& create(bool non_blocking, unsigned flags, int priority);
  void destroy(Stream& stream);
  bool owns(const Stream* stream) const;

  // Places an operation that the host issued; it may not start before `earliest`.
  Span enqueue(Stream& stream, Use use, Picoseconds duration, Picoseconds earliest);
  // The same for work that belongs to no stream yet: a node of a graph.
  Span place(Use use, Picoseconds duration, Picoseconds earliest);
  // When work issued to the stream now could start: the end of everything it has to wait for.
  Picoseconds ready(const Stream& stream) const;
  void wait_until(Stream& stream, Picoseconds time);  // cudaStreamWaitEvent

  Picoseconds all_done() const;  // end of the last operation of any stream
  std::vector<Stream*> streams() const;

 private:
  struct Running {
    Span span;
    double share;
  };
  Span place_on_compute(double share, Picoseconds duration, Picoseconds earliest);
  bool room(double share, Span span) const;
  Picoseconds next_end(Picoseconds after) const;
  void remember(const Running& running);

  std::vector<std::unique_ptr<Stream>> streams_;
  Stream* legacy_;
  uint64_t next_id_ = 1;
  Picoseconds to_device_free_ = 0, to_host_free_ = 0;
  std::vector<Running> running_;  // on the compute engine: the last ones to end
  Picoseconds compute_from_ = 0;  // nothing new starts before: what ran then is forgotten
  Picoseconds retired_ = 0;       // end of the work of destroyed streams
  Picoseconds retired_blocking_end_ = 0;
};

}  // namespace hpml::sim::cudart
