#pragma once
// Lines and functions of PTX: of all that the program has loaded, or of all that lies in its file before it runs. What
// a breakpoint that stops nowhere is told by.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/debug/protocol.hpp"
#include "simulator/ir/program.hpp"

namespace hpml::sim::debug {

// "scale(float, P)" of a mangled name, without what a template returns; and "scale" of that.
std::string display_name(const std::string& mangled);
std::string short_name(const std::string& display);
// Whether `wanted`, as a user writes it, names that function: "k", "ns::k", "k(int)", or the name in PTX.
bool is_named(const std::string& mangled, const std::string& wanted);
// A path whose last parts are those wanted, or the other way round.
bool same_source(const std::string& path, const std::string& wanted);
// Not a header of CUDA or of the system.
bool is_own_source(const std::string& path);

// One function's lines that have code, from the `.loc` of its instructions.
class FunctionLines {
 public:
  struct Code {
    int file = 0, line = 0;
    bool inlined = false;  // comes from another function, as far as the PTX says so
    bool returns = false;
  };
  void add(const Code& code);  // in the order of the PTX
  // The line to stop at for one that the user names: itself; without code of its own the next one, if both lie between
  // the first line of the function and its last. 0: none. Host code between two kernels belongs to neither.
  int target(int file, int line) const;
  // Those behind it, should the instructions of that line have been dropped.
  std::vector<int> behind(int file, int line) const;
  const std::map<int, std::set<int>>& lines() const { return lines_; }  // by file
  int file() const { return file_; }
  // Where a breakpoint on the function stops: its first line behind that of the declaration. 0: no line is known.
  int body() const { return body_ != 0 ? body_ : first_; }
  bool holds_others() const { return holds_others_; }  // functions that were inlined, as far as the PTX says so

 private:
  std::map<int, std::set<int>> lines_;
  std::set<int> own_;  // of the function's own file, not inlined
  int file_ = 0, first_ = 0, body_ = 0, last_return_ = 0;
  bool holds_others_ = false;
};

class CodeIndex {
 public:
  void add(const ir::Program& program);
  void add(const void* key, const std::vector<const ptx::Module*>& parts);  // `key`: what names them for targets()
  void remove(const ir::Program& program) { programs_.erase(&program); }

  struct Found {
    std::string error;  // why no loaded code is meant, and what is nearest; "": some is
    std::string file = {}, function = {};
    int line = 0;        // to stop at
    bool later = false;  // code that has not been loaded yet may be meant
  };
  Found at_line(const std::string& file, int line) const;
  // Lines of one function that a breakpoint at the line may stop at, the best first, each with its file.
  std::vector<std::pair<std::string, int>> targets(const ir::Program& program, int part, const std::string& function,
                                                   const std::string& file, int line) const;
  Found at_function(const std::string& name) const;
  // The fields of a breakpoint's status that tell where it is, or why it is nowhere: "function", "later", and "error"
  // or "file" and "line".
  Json status(const Breakpoint& asked) const;

 private:
  struct Part {
    std::map<int, std::string> files;
    std::map<std::string, FunctionLines> functions;  // by name in PTX
  };
  template <class F>
  void each_function(F f) const;
  std::string no_such_file(const std::string& file) const;

  std::map<const void*, std::vector<Part>> programs_;
};

}  // namespace hpml::sim::debug
