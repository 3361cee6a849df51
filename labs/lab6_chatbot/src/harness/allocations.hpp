#pragma once
// Memory that a program allocates: while a NoAllocations lives, the first call of malloc() or one of its kind ends the
// process with exit code kAllocated and one line. Nothing that the program writes later can make up for it.
namespace check {

constexpr int kAllocated = 97;  // judges/lab6_gru.py knows it

class NoAllocations {
 public:
  NoAllocations();
  ~NoAllocations();
  NoAllocations(const NoAllocations&) = delete;
  NoAllocations& operator=(const NoAllocations&) = delete;
};

}  // namespace check
