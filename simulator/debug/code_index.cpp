#include "simulator/debug/code_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "common/base/demangle.hpp"
#include "common/base/diag.hpp"

namespace hpml::sim::debug {
namespace {

constexpr size_t kMostNamed = 6;  // files or kernels that a message lists

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool ends_with_parts(const std::string& path, const std::string& wanted) {
  if (wanted.empty() || !path.ends_with(wanted)) {
    return false;
  }
  return path.size() == wanted.size() || wanted.front() == '/' || path[path.size() - wanted.size() - 1] == '/';
}

void collect(const ptx::Block& block, FunctionLines& out) {
  for (const ptx::Statement& statement : block.statements) {
    if (const auto* inst = std::get_if<ptx::Instruction>(&statement); inst != nullptr) {
      out.add({inst->loc.file, inst->loc.line, inst->loc.inlined_at >= 0, inst->root == "ret" || inst->root == "exit"});
    } else if (const auto* inner = std::get_if<std::unique_ptr<ptx::Block>>(&statement)) {
      collect(**inner, out);
    }
  }
}

std::string few(const std::set<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNamed))));
  return fmt::format("{}{}", fmt::join(shown, ", "), names.size() > kMostNamed ? ", ..." : "");
}

}  // namespace

std::string display_name(const std::string& mangled) {
  std::string name = demangle(mangled);
  if (name.starts_with("void ")) {  // of templates, whose mangled names say what they return
    name.erase(0, 5);
  }
  return name;
}

std::string short_name(const std::string& display) {
  std::string name = display.substr(0, std::min(display.find('('), display.find('<')));
  const size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

bool is_named(const std::string& mangled, const std::string& wanted) {
  const std::string whole = display_name(mangled);
  return mangled == wanted || short_name(whole) == wanted || whole == wanted ||
         whole.substr(0, whole.find('(')) == wanted;
}

bool same_source(const std::string& path, const std::string& wanted) {
  return ends_with_parts(path, wanted) || ends_with_parts(wanted, path);
}

bool is_own_source(const std::string& path) {
  return !path.starts_with("/usr/") && !path.starts_with("/opt/") &&
         path.find("/simulator/include/") == std::string::npos;
}

// --- one function --------------------------------------------------------------------------------------------------

void FunctionLines::add(const Code& code) {
  if (code.line <= 0) {
    return;
  }
  lines_[code.file].insert(code.line);
  holds_others_ = holds_others_ || code.inlined;
  if (code.inlined) {
    return;
  }
  if (first_ == 0) {  // that of the declaration: compilers give it to the first instructions
    file_ = code.file;
    first_ = code.line;
  }
  if (code.file == file_) {
    own_.insert(code.line);
    body_ = body_ == 0 && code.line != first_ ? code.line : body_;
    last_return_ = code.returns ? std::max(last_return_, code.line) : last_return_;
  }
}

int FunctionLines::target(int file, int line) const {
  const auto of_file = lines_.find(file);
  if (of_file == lines_.end()) {
    return 0;
  }
  if (of_file->second.contains(line)) {
    return line;
  }
  const std::vector<int> next = line > first_ ? behind(file, line) : std::vector<int>{};
  return next.empty() ? 0 : next.front();
}

std::vector<int> FunctionLines::behind(int file, int line) const {
  if (file != file_ || own_.empty()) {
    return {};
  }
  const int last = last_return_ > first_ ? last_return_ : *own_.rbegin();
  return {own_.upper_bound(line), own_.upper_bound(std::max(last, line))};
}

// --- all of them ---------------------------------------------------------------------------------------------------

void CodeIndex::add(const ir::Program& program) {
  std::vector<const ptx::Module*> parts;
  for (int i = 0; i < program.parts(); ++i) {
    parts.push_back(&program.part(i));
  }
  add(&program, parts);
}

void CodeIndex::add(const void* key, const std::vector<const ptx::Module*>& modules) {
  std::vector<Part>& parts = programs_[key];
  parts.clear();
  for (const ptx::Module* module : modules) {
    Part& part = parts.emplace_back();
    for (const ptx::File& file : module->files) {
      part.files[file.index] = file.path;
    }
    for (const ptx::Function& function : module->functions) {
      if (function.body != nullptr) {
        collect(*function.body, part.functions[function.name]);
      }
    }
  }
}

template <class F>
void CodeIndex::each_function(F f) const {
  for (const auto& [program, parts] : programs_) {
    for (const Part& part : parts) {
      for (const auto& [name, lines] : part.functions) {
        f(part, name, lines);
      }
    }
  }
}

CodeIndex::Found CodeIndex::at_line(const std::string& file, int line) const {
  std::optional<Found> found;
  Found near;
  each_function([&](const Part& part, const std::string& function, const FunctionLines& known) {
    for (const auto& [number, lines] : known.lines()) {
      const auto path = part.files.find(number);
      if (found || path == part.files.end() || !same_source(path->second, file)) {
        continue;
      }
      if (const int target = known.target(number, line); target != 0) {
        found = Found{"", path->second, function, target};
        return;
      }
      for (const int one : lines) {
        const int distance = std::abs(one - line), best = std::abs(near.line - line);
        if (near.line == 0 || distance < best || (distance == best && one > near.line)) {
          near = {"", path->second, function, one};
        }
      }
    }
  });
  if (!found && near.line == 0) {
    return {no_such_file(file), "", "", 0, true};
  }
  if (!found) {
    return {fmt::format("line {} of {} holds no device code; the nearest line that does is {}, in {}", line,
                        base_name(near.file), near.line, display_name(near.function))};
  }
  found->function = display_name(found->function);
  return *found;
}

std::vector<std::pair<std::string, int>> CodeIndex::targets(const ir::Program& program, int part,
                                                            const std::string& function, const std::string& file,
                                                            int line) const {
  std::vector<std::pair<std::string, int>> out;
  const auto parts = programs_.find(&program);
  if (parts == programs_.end() || static_cast<size_t>(part) >= parts->second.size()) {
    return out;
  }
  const Part& known = parts->second[static_cast<size_t>(part)];
  const auto lines = known.functions.find(function);
  if (lines == known.functions.end()) {
    return out;
  }
  for (const auto& [number, path] : known.files) {
    const int target = same_source(path, file) ? lines->second.target(number, line) : 0;
    if (target != 0) {
      out.emplace_back(path, target);
      for (const int next : lines->second.behind(number, target)) {
        out.emplace_back(path, next);
      }
    }
  }
  return out;
}

std::string CodeIndex::no_such_file(const std::string& file) const {
  std::set<std::string> known;
  each_function([&](const Part& part, const std::string&, const FunctionLines& function) {
    for (const auto& [number, lines] : function.lines()) {
      const auto path = part.files.find(number);
      if (path != part.files.end() && is_own_source(path->second)) {
        known.insert(base_name(path->second));
      }
    }
  });
  if (known.empty()) {
    return fmt::format("no device code says which lines it comes from: compile with nvcc -lineinfo or -G, or clang -g");
  }
  return fmt::format("no device code comes from '{}'; it comes from {}", file, few(known));
}

CodeIndex::Found CodeIndex::at_function(const std::string& name) const {
  std::optional<Found> found;
  std::set<std::string> known;
  bool inlined = false;
  each_function([&](const Part& part, const std::string& function, const FunctionLines& lines) {
    inlined = inlined || lines.holds_others();
    if (!found && is_named(function, name)) {
      const auto path = part.files.find(lines.file());
      const bool own = path != part.files.end() && is_own_source(path->second);
      found = Found{"", own ? path->second : "", display_name(function), own ? lines.body() : 0};
    }
    known.insert(short_name(display_name(function)));
  });
  if (found) {
    return *found;
  }
  const std::string near = did_you_mean(name, {known.begin(), known.end()});
  const std::string others = known.empty() ? "" : "; there are " + few(known);
  const char* hint = near.empty() && inlined ? " (one that was inlined has no code of its own: break at its line)" : "";
  return {fmt::format("no kernel or device function is named '{}'{}{}", name, near.empty() ? others : near, hint), "",
          "", 0, true};
}

Json CodeIndex::status(const Breakpoint& asked) const {
  const Found found = asked.function.empty() ? at_line(asked.file, asked.line) : at_function(asked.function);
  Json out = {{"function", found.function}, {"later", found.later}};
  if (!found.error.empty()) {
    out["error"] = found.error;
  } else if (found.line > 0) {
    out["file"] = found.file;
    out["line"] = found.line;
  }
  return out;
}

}  // namespace hpml::sim::debug
