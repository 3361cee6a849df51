#pragma once
#include <mpi.h>

#include <vector>

namespace hpml::relay {

// What a rank knows of its communicators; the router knows their members.
class Communicators {
 public:
  struct Entry {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
  };
  void add(const Entry& entry) { entries_.push_back(entry); }
  void remove(MPI_Comm comm);
  const Entry& at(MPI_Comm comm) const;  // ends the rank when there is none

 private:
  std::vector<Entry> entries_;
};

Communicators& communicators();

}  // namespace hpml::relay
