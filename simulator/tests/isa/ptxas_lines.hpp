#pragma once
// PTX lines given to NVIDIA's assembler, one instruction each, in a kernel with registers of every kind.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace hpml::sim::isa {

struct Line {
  std::string root;
  std::vector<std::string> words;
  std::string operands;
  size_t count = 0;
  std::string text() const { return fmt::format("{}.{} {};", root, fmt::join(words, "."), operands); }
};

inline std::string ptxas_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/ptxas").c_str(), X_OK) == 0) {
      return folder + "/ptxas";
    }
  }
  return {};
}

// The lines that ptxas refuses for a target. It stops after some number of errors, so refused lines are taken out and
// the rest is tried again.
inline std::set<size_t> refused_by_ptxas(const std::string& ptxas, const std::vector<Line>& lines,
                                         const std::string& sm) {
  std::set<size_t> refused;
  const std::string base = testing::TempDir() + "hpml_ptxas_lines_" + std::to_string(getpid());
  for (int round = 0; round < 400; ++round) {
    std::ofstream out(base + ".ptx");
    out << ".version 9.0\n.target sm_" << sm << "\n.address_size 64\n.visible .entry k() {\n"
        << ".reg .b16 %h<4>; .reg .b32 %r<140>; .reg .f32 %f<140>; .reg .f64 %d<40>; .reg .b64 %q<8>; .reg .pred "
           "%p<4>; "
           ".shared .align 16 "
           ".b8 "
           "s[64];\n";
    constexpr size_t kHeader = 5;
    for (size_t i = 0; i < lines.size(); ++i) {
      out << (refused.contains(i) ? "" : lines[i].text()) << "\n";
    }
    out << "ret;\n}\n";
    out.close();
    const std::string command = fmt::format("{} -arch=sm_{} -O0 -o /dev/null {}.ptx 2>&1", ptxas, sm, base);
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (char buffer[4096]; std::fgets(buffer, sizeof buffer, pipe) != nullptr;) {
      output += buffer;
    }
    const int status = pclose(pipe);
    const size_t before = refused.size();
    const std::regex error_line("line ([0-9]+); (error|fatal)");
    for (std::sregex_iterator it(output.begin(), output.end(), error_line), end; it != end; ++it) {
      refused.insert(static_cast<size_t>(std::stoul((*it)[1].str())) - kHeader - 1);
    }
    if (status == 0 || refused.size() == before) {
      EXPECT_EQ(status, 0) << output.substr(0, 2000);
      break;
    }
  }
  std::remove((base + ".ptx").c_str());
  return refused;
}

}  // namespace hpml::sim::isa
