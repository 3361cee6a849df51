// nvcc links its static CUDA runtime into a program unless told otherwise. Before the program's first instruction, the
// runtime's functions in it are found by the symbol table of its file, and the first bytes of each become a jump to
// the function of the same name in our libcudart. Libraries that the program is linked with are treated alike.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

// Every program that holds the runtime has this function: its device code is registered by it.
constexpr const char* kMark = "__cudaRegisterFatBinary";
// jmp *0(%rip), then the address of the target: reaches any address and changes no register.
constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0};
constexpr uint64_t kJumpBytes = sizeof kJump + sizeof(uint64_t);

// A file's bytes, read-only. Whatever is asked for outside of the file is a null pointer.
class File {
 public:
  explicit File(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<uint64_t>(status.st_size);
      void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      data_ = mapped == MAP_FAILED ? nullptr : static_cast<const char*>(mapped);
    }
    if (file >= 0) {
      close(file);
    }
  }
  ~File() {
    if (data_ != nullptr) {
      munmap(const_cast<char*>(data_), size_);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    const bool inside = data_ != nullptr && offset <= size_ && count <= (size_ - offset) / sizeof(T);
    return inside && offset % alignof(T) == 0 ? reinterpret_cast<const T*>(data_ + offset) : nullptr;
  }

 private:
  const char* data_ = nullptr;
  uint64_t size_ = 0;
};

// The functions that a file defines, from its full symbol table.
class Functions {
 public:
  explicit Functions(const File& file) {
    const auto* header = file.at<Elf64_Ehdr>(0);
    if (header == nullptr || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_machine != EM_X86_64) {
      return;
    }
    sections_ = file.at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    section_count_ = sections_ != nullptr ? header->e_shnum : 0;
    for (int i = 0; i < section_count_; ++i) {
      if (sections_[i].sh_type == SHT_SYMTAB && sections_[i].sh_link < header->e_shnum) {
        const Elf64_Shdr& names = sections_[sections_[i].sh_link];
        count_ = sections_[i].sh_size / sizeof(Elf64_Sym);
        symbols_ = file.at<Elf64_Sym>(sections_[i].sh_offset, count_);
        names_ = file.at<char>(names.sh_offset, names.sh_size);
        names_size_ = names.sh_size;
      }
    }
    if (symbols_ == nullptr || names_ == nullptr || names_size_ == 0 || names_[names_size_ - 1] != '\0') {
      count_ = 0;
    }
  }

  // Calls f(name, symbol) for each.
  template <class F>
  void for_each(F f) const {
    for (uint64_t i = 0; i < count_; ++i) {
      const Elf64_Sym& symbol = symbols_[i];
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF && symbol.st_name < names_size_) {
        f(names_ + symbol.st_name, symbol);
      }
    }
  }
  // Where what follows the function begins: another one, or the end of its section.
  uint64_t next_after(const Elf64_Sym& function) const {
    const bool known = function.st_shndx < section_count_;
    uint64_t next = known ? sections_[function.st_shndx].sh_addr + sections_[function.st_shndx].sh_size : 0;
    for_each([&](const char*, const Elf64_Sym& other) {
      next = other.st_value > function.st_value && other.st_value < next ? other.st_value : next;
    });
    return next > function.st_value ? next : function.st_value;
  }
  bool has(const char* name) const {
    bool found = false;
    for_each([&](const char* other, const Elf64_Sym&) { found = found || strcmp(other, name) == 0; });
    return found;
  }

 private:
  const Elf64_Shdr* sections_ = nullptr;
  int section_count_ = 0;
  const Elf64_Sym* symbols_ = nullptr;
  const char* names_ = nullptr;
  uint64_t count_ = 0, names_size_ = 0;
};

// The release that the static runtime belongs to, by functions that only one of them has.
const char* soname_of(const Functions& functions) {
  return functions.has("cudaGetDeviceProperties_v2") ? "libcudart.so.12"
         : functions.has("cudaBindTexture")          ? "libcudart.so.11.0"
                                                     : "libcudart.so.13";
}

// The folder of a path, with its slash.
int folder_length(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash != nullptr ? static_cast<int>(slash + 1 - path) : 0;
}

// Our libraries lie beside this one.
const char* own_path() {
  static Dl_info self;
  return dladdr(reinterpret_cast<void*>(&own_path), &self) != 0 ? self.dli_fname : "";
}

// Shared runtimes have the same functions: ours, and NVIDIA's where a program brings it along.
bool is_shared_runtime(const char* path) {
  const int ours = folder_length(own_path()), folder = folder_length(path);
  return strncmp(path + folder, "libcudart.so", strlen("libcudart.so")) == 0 ||
         (ours == folder && strncmp(path, own_path(), static_cast<size_t>(ours)) == 0);
}

void* open_runtime(const char* soname) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s%s", folder_length(own_path()), own_path(), soname);
  // Not RTLD_GLOBAL: the loader counts the program's libraries anew after each constructor (glibc, _dl_init).
  void* runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (runtime == nullptr) {
    fprintf(stderr, "gpusim: the program's static CUDA runtime stays: %s\n", dlerror());
  }
  return runtime;
}

struct Object {
  uint64_t base = 0;
  const char* path = nullptr;
};

bool is_runtime_name(const char* name) { return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0; }

// Compilers align functions to 16 bytes, so that a jump fits even where the function itself is shorter, unless it is
// the last one of its section.
bool has_room(const Functions& functions, const Elf64_Sym& function) {
  return function.st_size >= kJumpBytes || functions.next_after(function) - function.st_value >= kJumpBytes;
}

void put_jump(uint64_t from, const void* to) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t first = from / page * page, end = (from + kJumpBytes + page - 1) / page * page;
  if (mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
    return;
  }
  memcpy(reinterpret_cast<void*>(from), kJump, sizeof kJump);
  memcpy(reinterpret_cast<char*>(from) + sizeof kJump, &to, sizeof to);
  mprotect(reinterpret_cast<void*>(first), end - first, PROT_READ | PROT_EXEC);
}

void redirect(const Object& object) {
  if (is_shared_runtime(object.path)) {
    return;
  }
  const File file(object.path);
  const Functions functions(file);
  if (!functions.has(kMark)) {
    return;
  }
  void* runtime = open_runtime(soname_of(functions));
  functions.for_each([&](const char* name, const Elf64_Sym& function) {
    void* ours = runtime != nullptr && is_runtime_name(name) ? dlsym(runtime, name) : nullptr;
    if (ours != nullptr && has_room(functions, function)) {
      put_jump(object.base + function.st_value, ours);
    }
  });
}

constexpr int kMostObjects = 512;
struct Objects {
  Object all[kMostObjects];
  int count = 0;
};

int collect(dl_phdr_info* info, size_t, void* data) {
  auto& objects = *static_cast<Objects*>(data);
  if (objects.count == kMostObjects) {
    return 1;
  }
  const bool program = objects.count == 0;  // it comes first, without a name
  objects.all[objects.count++] = {info->dlpi_addr, program ? "/proc/self/exe" : info->dlpi_name};
  return 0;
}

// This library comes before all others (-z initfirst), the C library too. dlopen() then gives libc its start, and with
// what libc knows so far: without the lines below the program would have neither an environment nor a name.
void tell_libc_how_we_were_called(int count, char** arguments, char** variables) {
  environ = variables;
  if (count > 0) {
    const char* slash = strrchr(arguments[0], '/');
    program_invocation_name = arguments[0];
    program_invocation_short_name = slash != nullptr ? arguments[0] + (slash + 1 - arguments[0]) : arguments[0];
  }
}

// Before the constructors of the program, which register its device code. The loader hands over main()'s arguments.
__attribute__((constructor)) void redirect_static_runtimes(int count, char** arguments, char** variables) {
  static Objects objects;  // dlopen() must not run inside dl_iterate_phdr()
  tell_libc_how_we_were_called(count, arguments, variables);
  dl_iterate_phdr(collect, &objects);
  for (int i = 0; i < objects.count; ++i) {
    redirect(objects.all[i]);
  }
}

}  // namespace
