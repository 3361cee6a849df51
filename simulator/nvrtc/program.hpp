#pragma once
// One program to be compiled at run time.
#include <map>
#include <string>
#include <vector>

#include "simulator/nvrtc/options.hpp"
#include "simulator/nvrtc/result.hpp"

namespace hpml::sim::nvrtc {

struct Header {
  std::string name;  // as the source includes it
  std::string text;
};

class Program {
 public:
  Program(std::string source, std::string name, std::vector<Header> headers);

  // The address of a kernel or a variable, as C++ writes it: "scale<float>", "&ns::table".
  Status add_name_expression(const std::string& expression);
  Status compile(const std::vector<std::string>& options);
  // The name that the expression has in the PTX.
  Status lowered_name(const std::string& expression, const char** name) const;

  const std::string& ptx() const { return ptx_; }      // empty: not compiled
  const std::string& cubin() const { return cubin_; }  // empty: not compiled, or for a virtual architecture
  const std::string& log() const { return log_; }
  bool compiled() const { return compiled_; }

 private:
  std::string source_with_markers() const;
  void take_markers();
  Status run_compiler(const CompilerOptions& options);

  std::string source_, name_;
  std::vector<Header> headers_;
  std::vector<std::string> expressions_;
  std::map<std::string, std::string> lowered_;  // by expression
  std::string ptx_, cubin_, log_;
  bool compiled_ = false;
};

}  // namespace hpml::sim::nvrtc
