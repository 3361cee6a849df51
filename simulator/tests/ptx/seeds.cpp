#include "simulator/tests/ptx/seeds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace hpml::sim::ptx {
namespace {

const std::filesystem::path kFolder = HPML_SOURCE_DIR "/simulator/tests/ptx/data";

}  // namespace

std::vector<std::string> seed_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".ptx") {
      names.push_back(entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_seed(const std::string& name) {
  std::ifstream file(kFolder / name, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string in_module(std::string_view declarations) {
  return ".version 8.0\n.target sm_75\n.address_size 64\n" + std::string(declarations);
}

std::string in_kernel(std::string_view statements) {
  return in_module(".visible .entry k(.param .u64 a)\n{\n" + std::string(statements) + "\n}\n");
}

Module must_parse(std::string text) {
  Result<Module> module = parse(std::move(text), "test.ptx");
  if (!module.ok()) {
    ADD_FAILURE() << module.error().to_string();
    return {};
  }
  return std::move(module).value();
}

std::vector<const Instruction*> instructions(const Module& module) {
  std::vector<const Instruction*> out;
  for (const Function& function : module.functions) {
    if (function.body != nullptr) {
      for (const Statement& statement : function.body->statements) {
        if (const auto* instruction = std::get_if<Instruction>(&statement)) {
          out.push_back(instruction);
        }
      }
      break;
    }
  }
  return out;
}

const Instruction& only_instruction(Module& module, std::string_view statement) {
  static const Instruction kNone;
  module = must_parse(in_kernel(statement));
  const auto found = instructions(module);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? kNone : *found[0];
}

}  // namespace hpml::sim::ptx
