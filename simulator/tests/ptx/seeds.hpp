#pragma once
// The committed PTX seeds, and short ways to parse fragments in tests.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/parser.hpp"

namespace hpml::sim::ptx {

std::vector<std::string> seed_names();
std::string read_seed(const std::string& name);

// A whole module around statements of one kernel. The first statement stands on line kFirstStatementLine.
inline constexpr int kFirstStatementLine = 6;
std::string in_kernel(std::string_view statements);

// Module-scope declarations after the header; the first stands on line 4.
inline constexpr int kFirstDeclarationLine = 4;
std::string in_module(std::string_view declarations);

// Fails the test, and returns an empty module, if the text does not parse.
Module must_parse(std::string text);

// The instructions of the first function with a body, without those of nested blocks.
std::vector<const Instruction*> instructions(const Module& module);

// The single instruction in `statement`; `module` keeps it alive.
const Instruction& only_instruction(Module& module, std::string_view statement);

}  // namespace hpml::sim::ptx
