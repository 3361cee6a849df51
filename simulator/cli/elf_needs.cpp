#include "simulator/cli/elf_needs.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

#include "simulator/cli/mapped_file.hpp"
#include "simulator/fatbin/byte_view.hpp"

namespace hpml::sim::cli {
namespace {

using fatbin::ByteView;

constexpr std::string_view kRuntime = "libcudart.so";
constexpr std::string_view kOthers[] = {"libcuda.so",     "libnvrtc.so",  "libcudnn.so", "libcublas.so",
                                        "libcublasLt.so", "libcurand.so", "libcufft.so", "libcusparse.so",
                                        "libcusolver.so", "libnccl.so"};
constexpr std::string_view kFatbinSection = ".nvFatBinSegment";
constexpr std::string_view kRegistration = "__cudaRegisterFatBinary";  // which every static runtime has

// Libraries of NVIDIA's without PTX, none of which is simulated; and how the names of their functions begin.
struct ClosedLibrary {
  std::string_view soname, name, prefix;
};
constexpr ClosedLibrary kClosed[] = {
    {"libcufftw.so", "cuFFTW", "fftw"},
    {"libcusolverMg.so", "cuSOLVER", "cusolverMg"},
    {"libnpp", "NPP", "npp"},
    {"libnvjpeg.so", "nvJPEG", "nvjpeg"},
};

void read_needed(ByteView file, const Elf64_Shdr& dynamic, ByteView strings, ElfNeeds& needs,
                 std::vector<std::string>& loaded) {
  for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.sh_size; at += sizeof(Elf64_Dyn)) {
    const auto entry = file.read<Elf64_Dyn>(dynamic.sh_offset + at);
    if (!entry || entry->d_tag == DT_NULL) {
      break;
    }
    const auto name = entry->d_tag == DT_NEEDED ? strings.c_string(entry->d_un.d_val) : std::nullopt;
    if (name && name->starts_with(kRuntime)) {
      needs.cudart_soname = *name;
    }
    if (name && std::ranges::any_of(kOthers, [&](std::string_view other) { return name->starts_with(other); })) {
      needs.others.emplace_back(*name);
    }
    if (name) {
      loaded.emplace_back(*name);
    }
  }
}

// Calls f(symbol, its name) until it says true, and returns whether it did.
template <class F>
bool any_symbol(ByteView file, const Elf64_Shdr& symbols, ByteView strings, F f) {
  for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= symbols.sh_size; at += sizeof(Elf64_Sym)) {
    const auto symbol = file.read<Elf64_Sym>(symbols.sh_offset + at);
    const auto name = symbol ? strings.c_string(symbol->st_name) : std::nullopt;
    if (name && f(*symbol, *name)) {
      return true;
    }
  }
  return false;
}

bool calls(ByteView file, const Elf64_Shdr& symbols, ByteView strings, std::string_view prefix) {
  return any_symbol(file, symbols, strings, [&](const Elf64_Sym& symbol, std::string_view name) {
    return symbol.st_shndx == SHN_UNDEF && name.starts_with(prefix);
  });
}

bool defines(ByteView file, const Elf64_Shdr& symbols, ByteView strings, std::string_view function) {
  return any_symbol(file, symbols, strings, [&](const Elf64_Sym& symbol, std::string_view name) {
    return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && name == function;
  });
}

// The releases are told apart as in cudart/preload/static_runtime.cpp.
std::string static_runtime(ByteView file, const Elf64_Shdr& symbols, ByteView strings) {
  const auto has = [&](std::string_view function) { return defines(file, symbols, strings, function); };
  return !has(kRegistration)                 ? ""
         : has("cudaGetDeviceProperties_v2") ? "libcudart.so.12"
         : has("cudaBindTexture")            ? "libcudart.so.11.0"
                                             : "libcudart.so.13";
}

// A library that is only linked with, as many Makefiles do, does no harm.
void read_closed(ByteView file, const Elf64_Shdr& symbols, ByteView strings, const std::vector<std::string>& loaded,
                 ElfNeeds& needs) {
  for (const ClosedLibrary& library : kClosed) {
    const auto found =
        std::ranges::find_if(loaded, [&](const std::string& name) { return name.starts_with(library.soname); });
    if (found != loaded.end() && calls(file, symbols, strings, library.prefix)) {
      needs.closed.push_back(*found + " (" + std::string(library.name) + ")");
    }
  }
}

}  // namespace

Result<ElfNeeds> read_elf_needs(const std::filesystem::path& program) {
  const MappedFile mapped(program);
  if (!mapped.ok()) {
    return error_in(program.string(), "cannot be read; is it a program?");
  }
  const ByteView file(mapped.bytes());
  const auto header = file.read<Elf64_Ehdr>(0);
  ElfNeeds needs;
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64) {
    return needs;
  }
  needs.is_elf = true;
  const auto section = [&](uint64_t index) {
    return file.read<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto body = [&](uint64_t index) {
    const auto found = section(index);
    const auto bytes = found ? file.sub(found->sh_offset, found->sh_size) : std::nullopt;
    return bytes.value_or(ByteView());
  };
  const ByteView names = body(header->e_shstrndx);
  for (uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = file.read<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
    needs.loads_libraries = needs.loads_libraries || (segment && segment->p_type == PT_INTERP);
  }
  std::vector<std::string> loaded;
  std::optional<Elf64_Shdr> symbols;
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto found = section(i);
    if (!found) {
      return error_in(program.string(), "is damaged: its section table is cut short");
    }
    needs.has_device_code = needs.has_device_code || names.c_string(found->sh_name) == kFatbinSection;
    if (found->sh_type == SHT_DYNAMIC) {
      read_needed(file, *found, body(found->sh_link), needs, loaded);
    }
    symbols = found->sh_type == SHT_DYNSYM ? *found : symbols;
    if (found->sh_type == SHT_SYMTAB && header->e_machine == EM_X86_64) {  // the only one that is replaced
      needs.static_runtime = static_runtime(file, *found, body(found->sh_link));
    }
  }
  if (symbols) {
    read_closed(file, *symbols, body(symbols->sh_link), loaded, needs);
  }
  return needs;
}

}  // namespace hpml::sim::cli
