#include "simulator/ir/detail/linker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "simulator/ir/detail/layout.hpp"

namespace hpml::sim::ir {

namespace {

constexpr int kFirstWithAbi = 3;  // PTX ISA version from which functions have a stack

bool is_definition(const ptx::Variable& v) { return !v.is_extern; }
bool is_definition(const ptx::Function& f) { return f.body != nullptr; }

// Which of two symbols of one name the linker keeps: a definition beats a declaration, a strong one beats a weak or
// common one; two strong definitions are an error (returned as false).
struct Strength {
  bool defined = false, strong = false;
};
Strength strength(const Symbol& s) {
  if (s.kind == Symbol::Kind::function) {
    return {is_definition(*s.function), !s.function->weak};
  }
  return {is_definition(*s.variable), !s.variable->weak && !s.variable->common};
}

Diag at(const ptx::Module& part, SourcePos pos, std::string message) {
  return error_at(part.name, pos, std::move(message), std::string(line_of(part.text, pos.line)));
}

}  // namespace

Result<Linked> Linked::link(std::vector<ptx::Module> modules) {
  Linked out;
  for (ptx::Module& m : modules) {
    out.parts.push_back(std::make_unique<ptx::Module>(std::move(m)));
  }
  out.local_.resize(out.parts.size());
  for (size_t p = 0; p < out.parts.size(); ++p) {
    for (const ptx::Variable& v : out.parts[p]->variables) {
      HPML_TRY_VOID(out.add_variable(static_cast<int>(p), v));
    }
    for (const ptx::Function& f : out.parts[p]->functions) {
      HPML_TRY_VOID(out.add_function(static_cast<int>(p), f));
      if (f.body != nullptr) {
        out.add_variables_of(static_cast<int>(p), *f.body);
      }
    }
    for (const ptx::Alias& a : out.parts[p]->aliases) {
      const auto target = out.local_[p].find(a.target);
      if (target == out.local_[p].end()) {
        return at(*out.parts[p], a.pos, fmt::format("alias '{}' names '{}', which is not declared", a.alias, a.target));
      }
      out.local_[p][a.alias] = target->second;
      out.global_.emplace(a.alias, target->second);
    }
  }
  out.find_address_taken();
  return out;
}

Result<void> Linked::add_variable(int part, const ptx::Variable& v) {
  Symbol symbol;
  symbol.part = part;
  symbol.variable = &v;
  symbol.kind = v.space == ptx::Space::shared ? Symbol::Kind::shared : Symbol::Kind::variable;
  if (v.space == ptx::Space::local && parts[static_cast<size_t>(part)]->version_major >= kFirstWithAbi) {
    return at(*parts[static_cast<size_t>(part)], v.pos,
              fmt::format("'{}': a variable of a module cannot be in .local memory; declare it in a function", v.name));
  }
  auto& local = local_[static_cast<size_t>(part)];
  const bool exported = v.visible || v.weak || v.common || v.is_extern;
  if (symbol.kind == Symbol::Kind::variable && is_definition(v)) {
    const auto other = exported ? global_.find(v.name) : global_.end();
    const bool superseded = other != global_.end() && strength(other->second).defined && !strength(symbol).strong;
    if (superseded) {
      local[v.name] = other->second;
      return Ok{};
    }
    symbol.index = static_cast<int>(variables.size());
    part_of_[&v] = part;
    variables.push_back({v.name, v.space, size_of(v), align_of(v), v.managed, 0, &v});
  }
  const auto seen = local.find(v.name);
  if (seen == local.end() || !strength(seen->second).defined) {
    local[v.name] = symbol;
  }
  if (!exported) {
    return Ok{};
  }
  auto [it, inserted] = global_.emplace(v.name, symbol);
  if (!inserted && strength(symbol).defined) {
    const Strength old = strength(it->second), now = strength(symbol);
    if (old.defined && old.strong && now.strong && it->second.variable != &v) {
      return at(*parts[static_cast<size_t>(part)], v.pos,
                fmt::format("variable '{}' is defined in two parts of the program", v.name));
    }
    if (!old.defined || now.strong) {
      it->second = symbol;
    }
  }
  return Ok{};
}

// What a function declares for itself lives as long as the module, and nobody else sees it.
void Linked::add_variables_of(int part, const ptx::Block& block) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      add_variables_of(part, **inner);
    }
    const auto* v = std::get_if<ptx::Variable>(&statement);
    if (v != nullptr && (v->space == ptx::Space::global || v->space == ptx::Space::constant)) {
      function_variables_[v] = static_cast<int>(variables.size());
      part_of_[v] = part;
      variables.push_back({v->name, v->space, size_of(*v), align_of(*v), v->managed, 0, v});
    }
  }
}

Result<void> Linked::add_function(int part, const ptx::Function& f) {
  Symbol symbol;
  symbol.kind = Symbol::Kind::function;
  symbol.part = part;
  symbol.function = &f;
  auto& local = local_[static_cast<size_t>(part)];
  if (is_definition(f)) {
    symbol.index = static_cast<int>(functions.size());
    functions.push_back({&f, part});
  }
  const auto seen = local.find(f.name);
  if (seen == local.end() || !strength(seen->second).defined) {
    local[f.name] = symbol;
  }
  const bool exported = f.visible || f.weak || f.is_extern || f.is_entry;
  if (!exported) {
    return Ok{};
  }
  auto [it, inserted] = global_.emplace(f.name, symbol);
  if (!inserted && strength(symbol).defined) {
    const Strength old = strength(it->second), now = strength(symbol);
    if (old.defined && old.strong && now.strong) {
      return at(*parts[static_cast<size_t>(part)], f.pos,
                fmt::format("function '{}' is defined in two parts of the program", f.name));
    }
    if (!old.defined || now.strong) {
      it->second = symbol;
    }
  }
  return Ok{};
}

const Symbol* Linked::find(int part, const std::string& name) const {
  const auto& local = local_[static_cast<size_t>(part)];
  const auto here = local.find(name);
  if (here != local.end() && (strength(here->second).defined || here->second.kind == Symbol::Kind::shared)) {
    // A weak definition gives way to the one the linker kept.
    const auto kept = strength(here->second).strong ? global_.end() : global_.find(name);
    return kept != global_.end() ? &kept->second : &here->second;
  }
  const auto everywhere = global_.find(name);
  if (everywhere != global_.end()) {
    return &everywhere->second;
  }
  return here != local.end() ? &here->second : nullptr;
}

namespace {

// Calls `use(name)` for every symbol operand that is not the direct target of a call.
template <class Use>
void each_symbol(const ptx::Operand& operand, const Use& use) {
  if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&operand.value)) {
    use(symbol->name);
  } else if (const auto* vec = std::get_if<ptx::VectorOperand>(&operand.value)) {
    for (const ptx::Operand& e : vec->elements) {
      each_symbol(e, use);
    }
  }
}
template <class Use>
void each_symbol(const ptx::Block& block, const Use& use) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inst = std::get_if<ptx::Instruction>(&statement)) {
      if (inst->root == "mov" || inst->root == "st" || inst->root == "selp" || inst->root == "cvta") {
        for (const ptx::Operand& operand : inst->operands) {
          each_symbol(operand, use);
        }
      }
    } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      each_symbol(**inner, use);
    }
  }
}
template <class Use>
void each_symbol(const std::vector<ptx::Initializer>& init, const Use& use) {
  for (const ptx::Initializer& item : init) {
    if (const auto* symbol = std::get_if<ptx::SymbolOperand>(&item.value)) {
      use(symbol->name);
    } else if (const auto* nested = std::get_if<std::vector<ptx::Initializer>>(&item.value)) {
      each_symbol(*nested, use);
    }
  }
}

}  // namespace

void Linked::find_address_taken() {
  std::set<int> taken;
  for (size_t p = 0; p < parts.size(); ++p) {
    const auto use = [&](const std::string& name) {
      const Symbol* symbol = find(static_cast<int>(p), name);
      if (symbol != nullptr && symbol->kind == Symbol::Kind::function && symbol->index >= 0) {
        taken.insert(symbol->index);
      }
    };
    for (const ptx::Variable& v : parts[p]->variables) {
      each_symbol(v.init, use);
    }
    for (const ptx::Function& f : parts[p]->functions) {
      if (f.body != nullptr) {
        each_symbol(*f.body, use);
      }
    }
  }
  address_taken_.assign(taken.begin(), taken.end());
}

}  // namespace hpml::sim::ir
