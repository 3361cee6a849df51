#include "common/worker/python.hpp"

#include <fmt/ranges.h>

namespace hpml::worker {

extern const char* const kServe;  // the text of serve.py: the file itself need not be seen where a worker runs

std::vector<std::string> python_worker(const Layout& layout, const std::string& adapter,
                                       const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"/usr/bin/python3",
                                    "-I",
                                    "-B",
                                    "-c",
                                    kServe,
                                    fmt::format("{}", fmt::join(layout.inputs, ",")),
                                    fmt::format("{}", fmt::join(layout.outputs, ",")),
                                    adapter};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

}  // namespace hpml::worker
