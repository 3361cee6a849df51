// Calls the schedule checker of B3. One argument for each question, one line of output for each:
//   RANKS:ALPHA:BETA:BYTES,BYTES,...:STEP.FROM.TO.CHUNK.ADD,STEP.FROM.TO.CHUNK.ADD,...   valid rank chunk seconds
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "../schedule.h"
#include "fail.h"

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> found;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, separator);) {
    found.push_back(word);
  }
  return found;
}

hpml::Transfer transfer(const std::string& text) {
  const std::vector<std::string> v = split(text, '.');
  if (v.size() != 5) {
    hpml::harness::fail("'" + text + "' is no transfer");
  }
  return {std::atoi(v[0].c_str()), std::atoi(v[1].c_str()), std::atoi(v[2].c_str()), std::atoi(v[3].c_str()),
          v[4] == "1"};
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> words = split(argv[i], ':');
    if (words.size() != 5) {
      hpml::harness::fail("'" + std::string(argv[i]) + "' is no question");
    }
    std::vector<std::size_t> bytes;
    for (const std::string& one : split(words[3], ',')) {
      bytes.push_back(std::strtoull(one.c_str(), nullptr, 10));
    }
    std::vector<hpml::Transfer> schedule;
    for (const std::string& one : split(words[4], ',')) {
      schedule.push_back(transfer(one));
    }
    const hpml::Checked checked =
        hpml::check_schedule(std::atoi(words[0].c_str()), bytes, schedule, std::strtod(words[1].c_str(), nullptr),
                             std::strtod(words[2].c_str(), nullptr));
    std::printf("%d %d %d %.17g\n", checked.valid ? 1 : 0, checked.rank, checked.chunk, checked.seconds);
  }
  return 0;
}
