#include "simulator/ptx/printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "simulator/ptx/detail/print_parts.hpp"

namespace hpml::sim::ptx {
namespace {

class ModulePrinter {
 public:
  std::string print(const Module& module);

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    out_.append(static_cast<size_t>(depth_), '\t');
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }
  void header(const Module& module);
  void function(const Function& function);
  void block(const Block& block);
  void statement(const Statement& statement);
  void instruction(const Instruction& instruction);
  void pragma(bool nounroll);

  std::string out_;
  int depth_ = 0;
  SourceLoc loc_;
};

void ModulePrinter::header(const Module& module) {
  line(".version {}.{}", module.version_major, module.version_minor);
  std::string target = module.target;
  for (const std::string& option : module.target_options) {
    target += ", " + option;
  }
  line(".target {}", target);
  line(".address_size {}", module.address_size);
  pragma(module.nounroll);
  for (const File& file : module.files) {
    line(".file {} \"{}\"", file.index, file.path);
  }
}

void ModulePrinter::pragma(bool nounroll) {
  if (nounroll) {
    line(".pragma \"nounroll\";");
  }
}

void ModulePrinter::instruction(const Instruction& instruction) {
  const SourceLoc& loc = instruction.loc;
  if (loc.file != loc_.file || loc.line != loc_.line || loc.column != loc_.column) {
    line(".loc {} {} {}", loc.file, loc.line, loc.column);
    loc_ = loc;
  }
  line("{}", ptx::print(instruction));
}

void ModulePrinter::statement(const Statement& statement) {
  if (const auto* inner = std::get_if<std::unique_ptr<Block>>(&statement)) {
    block(**inner);
  } else if (const auto* plain = std::get_if<Instruction>(&statement)) {
    instruction(*plain);
  } else if (const auto* label = std::get_if<Label>(&statement)) {
    line("{}:", label->name);
    pragma(label->nounroll);
  } else if (const auto* variable = std::get_if<Variable>(&statement)) {
    line("{};", print_variable(*variable));
  } else if (const auto* prototype = std::get_if<CallPrototype>(&statement)) {
    line("{}", print_prototype(*prototype));
  } else {
    line("{}", print_targets(std::get<BranchTargets>(statement)));
  }
}

void ModulePrinter::block(const Block& block) {
  line("{{");
  ++depth_;
  for (const Statement& each : block.statements) {
    statement(each);
  }
  --depth_;
  line("}}");
}

void ModulePrinter::function(const Function& function) {
  line("{}{}", print_function_header(function), function.body ? "" : ";");
  loc_ = {};  // as the parser does at each function
  if (function.body) {
    block(*function.body);
  }
}

std::string ModulePrinter::print(const Module& module) {
  header(module);
  // In the order of the source where it is known, because PTX wants declarations before uses.
  struct Item {
    SourcePos pos;
    const Variable* variable = nullptr;
    const Function* function = nullptr;
    const Alias* alias = nullptr;
  };
  std::vector<Item> items;
  for (const Variable& variable : module.variables) {
    items.push_back({variable.pos, &variable, nullptr, nullptr});
  }
  for (const Function& function : module.functions) {
    items.push_back({function.pos, nullptr, &function, nullptr});
  }
  for (const Alias& alias : module.aliases) {
    items.push_back({alias.pos, nullptr, nullptr, &alias});
  }
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return std::pair(a.pos.line, a.pos.column) < std::pair(b.pos.line, b.pos.column);
  });
  for (const Item& item : items) {
    if (item.variable != nullptr) {
      line("{};", print_variable(*item.variable));
    } else if (item.function != nullptr) {
      function(*item.function);
    } else {
      line(".alias {}, {};", item.alias->alias, item.alias->target);
    }
  }
  return std::move(out_);
}

}  // namespace

std::string print(const Module& module) { return ModulePrinter().print(module); }

}  // namespace hpml::sim::ptx
