#pragma once
// Two mappings of one memory: where the program sees it (`base`) and where the simulator reads and writes (`view`).
#include <cstddef>
#include <cstdint>

#include "common/base/result.hpp"

namespace hpml::sim::memory::detail {

class Mapping {
 public:
  // What the program may do at `base` from the start. Either way a range becomes accessible only by allow().
  enum class Sharing : uint8_t {
    view_only,  // nothing is mapped at base: the memory exists at view alone
    both        // base and view are two mappings of the same pages
  };
  // Exactly at these addresses, lazily (no page exists before it is touched). Error: the operating system refuses.
  static Result<Mapping> create(uint64_t base, uint64_t view, uint64_t bytes, Sharing sharing);

  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();

  uint64_t base() const { return base_; }
  uint64_t bytes() const { return bytes_; }
  std::byte* view_of(uint64_t address) const;

  // Opens or closes [address, address + bytes) to the program, by whole pages. False: out of kernel resources, or over
  // this process' limit on data.
  bool allow(uint64_t address, uint64_t bytes);
  void forbid(uint64_t address, uint64_t bytes);
  // In a forked process: the pages of the view that hold any of these bytes are its own from now on, no longer shared
  // with its parent. False: the operating system refuses.
  bool make_private(uint64_t address, uint64_t bytes);
  // Gives the memory back to the operating system; it reads as zero afterwards.
  void discard(uint64_t address, uint64_t bytes);

  // Of a view-only mapping. A memory file in which the byte at an address lies at its distance from base(), for pages
  // that share() has moved there; -1: the operating system refuses. The mapping keeps it open.
  int file();
  // Moves whole pages into the file, with what they hold; other processes can map them then.
  bool share(uint64_t address, uint64_t bytes);
  // Puts pages of another process' file in the place of these. discard() of whole pages undoes that, and share().
  bool adopt(uint64_t address, uint64_t bytes, int file, uint64_t offset);

 private:
  Mapping(uint64_t base, uint64_t view, uint64_t bytes, Sharing sharing)
      : base_(base), view_(view), bytes_(bytes), sharing_(sharing) {}
  Result<void> map_view_only();
  Result<void> map_both();
  bool commit(uint64_t end);

  uint64_t base_, view_, bytes_;
  Sharing sharing_;
  uint64_t committed_ = 0;  // of a view that is private memory: how much of it, from its start, is open
  bool base_mapped_ = false, view_mapped_ = false;
  int file_ = -1;
  bool has_shared_pages_ = false;
};

}  // namespace hpml::sim::memory::detail
