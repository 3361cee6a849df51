#pragma once
// What the clock drives. Components know each other only through Ports and packets.
#include <string>

#include "simulator/timing/clock/cycle.hpp"

namespace hpml::sim::timing {

class Component {
 public:
  virtual ~Component() = default;
  // One cycle of work. Stages inside tick from the end of the pipe to the front, so that a packet moves at most one
  // stage per cycle.
  virtual void tick(Cycle now) = 0;
  // The earliest cycle at which tick() could move something, as far as is known now; kNever: only a packet can.
  virtual Cycle next_event() const = 0;
  // State in one or more lines, for deadlock reports.
  virtual void describe(std::string& out) const = 0;
};

}  // namespace hpml::sim::timing
