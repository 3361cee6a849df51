// gpusim isa: every PTX instruction variant the executor knows, from the one table that defines them.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "simulator/cli/commands.hpp"
#include "simulator/cli/exit_code.hpp"
#include "simulator/isa/op.hpp"
#include "simulator/isa/refused.hpp"

namespace hpml::sim::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersionScale = 10;  // 75 = PTX ISA 7.5

struct Form {
  const isa::Spec* spec = nullptr;
  std::vector<std::string> types;
};

std::string type_text(const isa::Variant& variant) {
  std::string text;
  for (const isa::Ty type : variant.types) {
    if (type != isa::Ty::none) {
      text += "." + std::string(isa::name(type));
    }
  }
  return text;
}

// In the order of the table; one entry per instruction form, its types collected. Forms that differ by their width
// alone have one syntax.
std::vector<Form> forms() {
  std::vector<Form> all;
  std::map<const isa::Spec*, size_t> place;
  for (const isa::Variant& variant : isa::variants()) {
    const isa::Spec* const before = all.empty() ? nullptr : all.back().spec;
    if (before != nullptr && variant.matrix != nullptr && before->syntax == variant.spec->syntax) {
      continue;
    }
    const auto [it, added] = place.try_emplace(variant.spec, all.size());
    if (added) {
      all.push_back({variant.spec, {}});
    }
    all[it->second].types.push_back(type_text(variant));
  }
  return all;
}

std::string version(int number) { return fmt::format("{}.{}", number / kVersionScale, number % kVersionScale); }

int list_isa(bool as_json) {
  Json all = Json::array();
  for (const Form& form : forms()) {
    const isa::Spec& spec = *form.spec;
    if (as_json) {
      all.push_back({{"mnemonic", spec.mnemonic},
                     {"syntax", spec.syntax},
                     {"section", spec.section},
                     {"types", form.types},
                     {"min_ptx", version(spec.min_ptx)},
                     {"min_sm", spec.min_sm},
                     {"approx", spec.approx}});
    } else {
      fmt::print("{:<14} {}\n", spec.mnemonic, spec.syntax);
    }
  }
  if (as_json) {
    fmt::print("{}\n", all.dump(2));
  }
  return kDone;
}

int list_refused(bool as_json) {
  Json all = Json::array();
  for (const isa::Refused& refused : isa::refused_instructions()) {
    if (as_json) {
      all.push_back({{"mnemonic", refused.mnemonic}, {"what", refused.what}});
    } else {
      fmt::print("{:<22} {}\n", refused.mnemonic, refused.what);
    }
  }
  if (as_json) {
    fmt::print("{}\n", all.dump(2));
  }
  return kDone;
}

}  // namespace

void add_isa(CLI::App& app, Command& command) {
  auto as_json = std::make_shared<bool>(false), refused = std::make_shared<bool>(false);
  CLI::App* isa = app.add_subcommand("isa", "list the PTX instructions that can be executed");
  isa->add_flag("--json", *as_json, "as JSON, with types and availability");
  isa->add_flag("--refused", *refused, "those of PTX ISA 9.0 that are known and not executed, instead");
  isa->callback(
      [as_json, refused, &command] { command.exit_code = *refused ? list_refused(*as_json) : list_isa(*as_json); });
}

}  // namespace hpml::sim::cli
