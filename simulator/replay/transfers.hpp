#pragma once
// What came into the simulated memory and what left it: which uploads are the inputs that the checker chose, and the
// bytes that the program could read, as files for the checker.
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/result.hpp"
#include "simulator/replay/inputs.hpp"

namespace hpml::sim::replay {

struct Side;

class Transfers {
 public:
  // folder empty: no files. inputs: the only data that may come from the host; none: everything may. Where an input is
  // exchanged, what the program got back is no measure of the replay, and nothing counts as a mismatch.
  Transfers(std::string folder, std::vector<Input> inputs) : folder_(std::move(folder)), inputs_(std::move(inputs)) {}

  // `payload`, rows of `width` bytes, goes to byte `offset` of an allocation. What is no part of an input, and not
  // zero, becomes 0xFF bytes (NaN as a float): a result that depends on it is no result of the given inputs. What the
  // program has read back from a GPU may return: it is then what the replay has there. A few bytes in all may come in
  // as they are: sizes and other arguments that kernels read from memory.
  void upload(std::string& payload, uint64_t offset, uint64_t width);
  // The same for shared memory, where one write follows the other: counted, not listed.
  void host_write(std::string& payload, uint64_t offset);
  // What else a program tells its GPUs: parameters of kernel `of`, values of fills, places of copies between devices.
  // What says the same as the time before tells nothing. False once it is more than arguments are, where there are
  // inputs: data belongs into copies, which are compared with them.
  bool tell(const std::string& of, std::string bytes);
  // Rows of `width` bytes of the GPU's memory. `digest`: of what the program got.
  void download(const std::string& bytes, const Side& from, uint64_t width, uint64_t digest, uint64_t launches);
  void shared(const char* memory, uint64_t address, const std::string& bytes);

  uint64_t mismatches() const { return mismatches_; }
  uint64_t foreign_bytes() const { return foreign_bytes_; }
  // Uploads of what the program had read back.
  uint64_t returned() const { return returned_; }
  uint64_t ambiguous() const { return inputs_.ambiguous(); }
  const nlohmann::ordered_json& list() const { return list_; }
  // Set when a file could not be written.
  const std::string& problem() const { return problem_; }

 private:
  bool replace_foreign(std::string& payload, uint64_t offset);
  bool replace_foreign_rows(std::string& payload, uint64_t offset, uint64_t width);
  void add(nlohmann::ordered_json entry, const std::string& bytes);

  std::string folder_;
  Inputs inputs_;
  nlohmann::ordered_json list_ = nlohmann::ordered_json::array();
  uint64_t mismatches_ = 0, foreign_bytes_ = 0, argument_bytes_ = 0, told_bytes_ = 0, written_ = 0, returnable_ = 0,
           returned_ = 0;
  std::map<std::string, std::string> told_;    // the last time, by what
  std::map<uint64_t, std::string> read_back_;  // by digest of what the program got
  std::string problem_;
};

}  // namespace hpml::sim::replay
