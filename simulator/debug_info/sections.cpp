#include "simulator/debug_info/sections.hpp"

#include <elf.h>
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>

namespace hpml::sim::debug_info {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

std::string_view trimmed(std::string_view line) {
  if (const size_t comment = line.find("//"); comment != std::string_view::npos) {
    line = line.substr(0, comment);
  }
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) {
    return {};
  }
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

// Calls f(line, number), from 1.
template <class F>
Result<void> each_line(std::string_view text, F f) {
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    HPML_TRY_VOID(f(trimmed(text.substr(0, end)), ++number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return Ok{};
}

// "$L__tmp3:" at the start of a line.
std::optional<std::string_view> label_of(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && is_word(line[end])) {
    ++end;
  }
  const bool label =
      end > 0 && end < line.size() && line[end] == ':' && (end + 1 == line.size() || line[end + 1] != ':');
  return label ? std::optional(line.substr(0, end)) : std::nullopt;
}

class Reader {
 public:
  Reader(std::string_view ptx, const std::string& name) : ptx_(ptx), name_(name) {}

  Result<Sections> read() {
    HPML_TRY_VOID(each_line(ptx_, [&](std::string_view line, int number) -> Result<void> {
      if (const auto label = label_of(line)) {
        labels_.emplace(std::string(*label), static_cast<uint64_t>(number));
      }
      return Ok{};
    }));
    HPML_TRY_VOID(find_string_labels());
    HPML_TRY_VOID(each_line(ptx_, [&](std::string_view line, int number) { return take(line, number); }));
    if (section_ != nullptr) {
      return error(0, "the text ends inside a debug section");
    }
    return std::move(out_);
  }

 private:
  Diag error(int line, std::string message) const { return error_at(name_, {line, 0}, std::move(message), ""); }

  // Labels inside of sections (.debug_str) are offsets in them.
  Result<void> find_string_labels() {
    bool inside = false;
    uint64_t offset = 0;
    return each_line(ptx_, [&](std::string_view line, int number) -> Result<void> {
      if (line.starts_with(".section")) {
        inside = true;
        offset = 0;
      }
      inside = inside && line.find('}') == std::string_view::npos;
      if (const auto label = label_of(line); inside && label) {
        labels_[std::string(*label)] = offset;
        line = trimmed(line.substr(label->size() + 1));
      }
      if (inside && line.starts_with(".b")) {
        HPML_TRY(const auto values, parse_values(line, number));
        offset += values.size() * static_cast<size_t>(width_);
      }
      return Ok{};
    });
  }

  Result<void> take(std::string_view line, int number) {
    if (section_ == nullptr && !line.starts_with(".section")) {
      return Ok{};
    }
    if (line.starts_with(".section")) {
      line = trimmed(line.substr(std::strlen(".section")));
      const size_t end = std::min(line.find_first_of(" \t{"), line.size());
      section_ = &out_.bytes[std::string(line.substr(0, end))];
      line = trimmed(line.substr(end));
    }
    if (line.starts_with("{")) {
      line = trimmed(line.substr(1));
    }
    const bool closes = line.ends_with("}");
    line = closes ? trimmed(line.substr(0, line.size() - 1)) : line;
    if (const auto label = label_of(line)) {
      line = trimmed(line.substr(label->size() + 1));
    }
    if (!line.empty()) {
      HPML_TRY(const auto values, parse_values(line, number));
      for (const std::string_view word : values) {
        HPML_TRY(const uint64_t value, value_of(word, number));
        const auto* bytes = reinterpret_cast<const std::byte*>(&value);
        section_->insert(section_->end(), bytes, bytes + width_);
      }
    }
    section_ = closes ? nullptr : section_;
    return Ok{};
  }

  // ".b8 1,2" -> words; sets width_.
  Result<std::vector<std::string_view>> parse_values(std::string_view line, int number) {
    const size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view directive = line.substr(0, end);
    width_ = directive == ".b8" ? 1 : directive == ".b16" ? 2 : directive == ".b32" ? 4 : directive == ".b64" ? 8 : 0;
    if (width_ == 0) {
      return error(number, fmt::format("'{}' is no line of a debug section", line));
    }
    std::vector<std::string_view> out;
    std::string_view rest = line.substr(end);
    while (!rest.empty()) {
      const size_t comma = std::min(rest.find(','), rest.size());
      out.push_back(trimmed(rest.substr(0, comma)));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return out;
  }

  static std::optional<uint64_t> number_of(std::string_view word) {
    const bool minus = word.starts_with("-");
    word.remove_prefix(minus ? 1 : 0);
    const bool hex = word.starts_with("0x");
    word.remove_prefix(hex ? 2 : 0);
    uint64_t value = 0;
    const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10);
    if (failed != std::errc() || end != word.data() + word.size() || word.empty()) {
      return std::nullopt;
    }
    return minus ? ~value + 1 : value;
  }

  // A number, a label, a section, a symbol; sums and differences of these.
  Result<uint64_t> value_of(std::string_view word, int number) {
    if (const auto value = number_of(word)) {
      return *value;
    }
    uint64_t sum = 0;
    bool minus = false;
    while (!word.empty()) {
      const size_t end = std::min(word.find_first_of("+-"), word.size());
      const std::string_view term = trimmed(word.substr(0, end));
      if (term.empty()) {
        return error(number, "a value of the debug section is missing");
      }
      const uint64_t value = number_of(term) ? *number_of(term) : address_of(std::string(term));
      sum = minus ? sum - value : sum + value;
      minus = end < word.size() && word[end] == '-';
      word.remove_prefix(std::min(end + 1, word.size()));
    }
    return sum;
  }

  uint64_t address_of(const std::string& name) {
    if (name.starts_with(".debug")) {
      return 0;  // an offset in the only section of that name
    }
    if (const auto label = labels_.find(name); label != labels_.end()) {
      return label->second;
    }
    const auto [symbol, added] = symbol_index_.emplace(name, out_.symbols.size());
    if (added) {
      out_.symbols.push_back(name);
    }
    return kSymbolBase + (static_cast<uint64_t>(symbol->second) << kSymbolShift);
  }

  std::string_view ptx_;
  const std::string& name_;
  Sections out_;
  std::vector<std::byte>* section_ = nullptr;
  int width_ = 0;
  std::map<std::string, uint64_t> labels_;
  std::map<std::string, size_t> symbol_index_;
};

}  // namespace

Result<Sections> read_sections(std::string_view ptx, const std::string& name) { return Reader(ptx, name).read(); }

std::vector<std::byte> to_elf(const Sections& sections) {
  std::vector<std::byte> out(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers(1);
  std::string names(1, '\0');
  const auto append = [&](const std::string& name, const void* data, size_t size, uint32_t type) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<Elf64_Word>(names.size());
    header.sh_type = type;
    header.sh_offset = out.size();
    header.sh_size = size;
    header.sh_addralign = 1;
    headers.push_back(header);
    names += name + '\0';
    const auto* bytes = static_cast<const std::byte*>(data);
    out.insert(out.end(), bytes, bytes + size);
  };
  for (const auto& [name, bytes] : sections.bytes) {
    append(name, bytes.data(), bytes.size(), SHT_PROGBITS);
  }
  const std::string all = names + ".shstrtab" + '\0';
  append(".shstrtab", all.data(), all.size(), SHT_STRTAB);
  out.resize((out.size() + 7) / 8 * 8);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;       // nothing in it is to be relocated
  header.e_machine = EM_X86_64;  // libdw knows no machine for PTX, and asks for none of its facts
  header.e_version = EV_CURRENT;
  header.e_shoff = out.size();
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<Elf64_Half>(headers.size());
  header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
  std::memcpy(out.data(), &header, sizeof header);
  const auto* table = reinterpret_cast<const std::byte*>(headers.data());
  out.insert(out.end(), table, table + headers.size() * sizeof(Elf64_Shdr));
  return out;
}

}  // namespace hpml::sim::debug_info
