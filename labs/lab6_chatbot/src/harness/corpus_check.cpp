// corpus: reads the utterances.jsonl whose content is in HPML_TEXT; prints the pairs as JSON. BadInput ends it with exit
// code 2 and its line on stderr.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/check.hpp"

int main() {
  const char* text = std::getenv("HPML_TEXT");
  if (text == nullptr) {
    check::fail("usage: HPML_TEXT=... corpus");
  }
  const auto folder = std::filesystem::temp_directory_path() / "lab6-XXXXXX";
  std::string name = folder.string();
  if (mkdtemp(name.data()) == nullptr) {
    check::fail("no folder for temporary files");
  }
  const std::string path = name + "/utterances.jsonl";
  std::ofstream(path, std::ios::binary) << text;
  int code = 0;
  try {
    nlohmann::json list = nlohmann::json::array();
    for (const lab6::Pair& pair : lab6::read_corpus(path)) {
      list.push_back({pair.question, pair.answer});
    }
    std::printf("%s\n", list.dump().c_str());
  } catch (const lab6::BadInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    code = 2;
  }
  std::filesystem::remove_all(name);
  return code;
}
