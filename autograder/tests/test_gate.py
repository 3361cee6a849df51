"""What the gate lets pass and what not, on objects that the real compilers make."""
import platform
from dataclasses import replace
from pathlib import Path

import pytest
from hpml_autograder import gate, labspec
from hpml_autograder.backends import KINDS, Setup
from hpml_autograder.build import build
from hpml_autograder.labspec import Gate, Program
from hpml_autograder.staging import Stage

ROOT = Path(__file__).resolve().parents[2]

HARNESS = "extern \"C\" double now_ms(void) { return 0; }\n"
MAIN = "int main() { return 0; }\n"


@pytest.fixture
def violations(tmp_path):
    lab3 = labspec.load(ROOT / "labs/lab3_cuda/lab.toml")
    spec = replace(lab3, build=replace(lab3.build, std="c++17"), gate=Gate())
    for name in ("src", "work"):
        (tmp_path / name).mkdir()
    stage = Stage(tmp_path / "src", tmp_path / "work")

    def check(text: str, suffix: str = ".cpp", level: str = "-O2", **changes) -> list[str]:
        program = Program("prog", "gpusim" if suffix == ".cu" else "native", (f"student{suffix}",), ("ours.cpp",))
        (stage.src / f"student{suffix}").write_text(text, encoding="utf-8")
        (stage.src / "ours.cpp").write_text(HARNESS, encoding="utf-8")
        chosen = replace(spec, build=replace(spec.build, flags=(level,)))
        built = build(KINDS[program.backend](chosen, Setup(cuda="clang")), program, stage)
        assert built.path is not None, built.log
        asked = replace(spec, gate=replace(spec.gate, **changes))
        return [str(one) for one in gate.check(asked, program, built, stage)]

    return check


@pytest.mark.parametrize("text", [
    MAIN,
    "#include <cstdio>\n#include <cmath>\n#include <vector>\n#include <algorithm>\n#include <string>\n#include <map>\n"
    "#include <iostream>\n#include <thread>\n#include <chrono>\n#include <stdexcept>\n"
    "template <class T> T twice(T x) { return x + x; }\nstruct Base { virtual ~Base() = default; "
    "virtual int f() = 0; };\n"
    "struct Own : Base { int f() override { return twice(21); } };\nthread_local int count;\n"
    "int main() { std::vector<double> v(9, std::sqrt(2.0)); std::sort(v.begin(), v.end()); "
    "std::map<std::string, int> m;\n"
    "  m[\"a\"] = Own().f(); std::thread t([&] { ++count; }); t.join(); std::cout << m[\"a\"] << v[0];\n"
    "  auto now = std::chrono::steady_clock::now(); if (now.time_since_epoch().count() == 1) throw "
    "std::runtime_error(\"\");\n"
    "  static std::string late = m.begin()->first; return late.empty(); }\n",
])
def test_ordinary_source_passes(violations, text):
    assert violations(text) == []


STREAMS = "#include <cstdlib>\n#include <iostream>\n"
HELLO = "int main() { std::cout << 1; return 0; }\n"


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("suffix", [".cpp", ".cu"])
@pytest.mark.parametrize("text, fine", [
    ("", True), ("constexpr int two = 2;\nstatic int three = 3;\n", True),
    ("static const bool told = [] { return setenv(\"A\", \"b\", 1) == 0; }();\n", False),
    ("static const int one = std::rand();\n", False),
    ("static int early() { return std::puts(\"\"); }\nstatic int one = early();\n", False)])
def test_what_starts_the_streams_before_main_does_nothing_else(violations, text, fine, suffix, level):
    found = violations(STREAMS + text + HELLO, suffix, level)
    assert (found == []) == fine and all("before main" in one for one in found), found


@pytest.mark.parametrize("name", ["__gmon_start__", "_ITM_registerTMCloneTable", "__cxa_finalize", "_init"])
def test_names_that_startup_files_call_are_the_system_s(name):
    assert name in gate.system_names() and "main" not in gate.system_names()


@pytest.mark.parametrize("suffix", [".cpp", ".cu"])
def test_a_weak_clock_of_the_library_s_name_is_none_of_its_templates(violations, suffix):
    text = ("#include <chrono>\nnamespace std::chrono { inline namespace _V2 { __attribute__((weak)) steady_clock::time_point "
            "steady_clock::now() noexcept { return time_point(duration(42)); } } }\n" + MAIN)
    assert any("steady_clock3now" in one for one in violations(text, suffix))


def test_a_function_before_main_is_seen_in_place_of_that_of_the_streams(violations):
    """No <iostream>, but the name by which it is known."""
    text = ("#include <cstdlib>\n#include <ios>\nstatic void early() { setenv(\"A\", \"b\", 1); }\n"
            "__attribute__((section(\".init_array.00101\"), used)) static void (*const first)() = early;\n"
            "int main() { std::ios_base::Init streams; return 0; }\n")
    assert any("before main" in one for one in violations(text))


IDIOMS = """#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
struct Shape { std::vector<int> sizes; std::string name; };
template <class T> struct Stack { std::vector<T> items; void push(T item) { items.push_back(std::move(item)); } };
int main(int argc, char**) {
  std::vector<double> grown;
  grown.resize(argc * 10, 0.5);
  grown.insert(grown.begin(), 3, 1.0);
  std::unordered_map<std::string, std::unique_ptr<Shape>> by_name;
  by_name["one"] = std::make_unique<Shape>(Shape{{1, 2}, "one"});
  Stack<std::function<double(double)>> steps;
  steps.push([&](double x) { return x + grown[0]; });
  std::optional<double> best;
  for (auto& step : steps.items) best = step(std::accumulate(grown.begin(), grown.end(), 0.0));
  std::stable_sort(grown.begin(), grown.end(), std::greater<>());
  std::ostringstream out;
  out << *best << by_name.at("one")->name;
  return out.str().empty();
}
"""


# What compilers place in unusual ways: tables beside code, jumps by table, code for other processors, initialised locals.
PLACED = """#include <immintrin.h>
#include <array>
#include <regex>
#include <string>
#include <variant>
constexpr std::array<int, 256> squares = [] { std::array<int, 256> a{}; for (int i = 0; i < 256; ++i) a[i] = i * i; return a; }();
alignas(64) static const float table[1024] = {1.0f, 2.0f};
static int spread(int n) {
  switch (n) { case 0: return 3; case 1: return 7; case 2: return 1; case 3: return 9; case 4: return 4; case 5: return 6; case 6: return n; default: return 0; }
}
__attribute__((target("avx2,fma"))) float wide(const float* p) {
  __m256 v = _mm256_fmadd_ps(_mm256_loadu_ps(p), _mm256_loadu_ps(p), _mm256_set1_ps(1.0f));
  float out[8];
  _mm256_storeu_ps(out, v);
  return out[3];
}
static int threaded(int n) {
  static void* const places[] = {&&one, &&two};
  goto *places[n & 1];
one:
  return 1;
two:
  return 2;
}
__attribute__((cold, noinline)) static void fails() { throw std::string("no"); }
int main(int argc, char** argv) {
  thread_local std::variant<int, double> either = 1.5;
  static const std::regex words("[a-z]+(, [a-z]+)*");
  unsigned __int128 big = static_cast<unsigned __int128>(argc) << 70;
  int counter = 0;
  asm volatile("nop" : "+r"(counter));
  if (argc > 5) fails();
  long double exact = std::visit([](auto x) { return static_cast<long double>(x); }, either);
  return spread(argc) + squares[argc & 255] + static_cast<int>(table[argc & 1023] + wide(table) + exact) + threaded(argc) +
         static_cast<int>(big >> 70) + std::regex_match(argv[0], words);
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize("suffix", [".cpp", ".cu"])  # gcc and clang
def test_what_compilers_place_in_unusual_ways_passes(violations, suffix, level):
    if platform.machine() != "x86_64":
        pytest.skip("it has instructions of x86-64")
    assert violations(PLACED, suffix, level) == []


@pytest.mark.parametrize("level", ["-O0", "-O3"])
@pytest.mark.parametrize("suffix", [".cpp", ".cu"])  # gcc and clang
def test_idioms_of_the_library_pass_however_they_are_compiled(violations, suffix, level):
    assert violations(IDIOMS, suffix, level) == []


def test_ordinary_cuda_passes(violations):
    assert violations("#include <cuda_runtime.h>\n#include <stdio.h>\n__device__ int d; __constant__ float c[4];\n"
                      "__global__ void k(int* p) { *p = d + (int)c[1]; }\n"
                      "int main() { int* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaFree(p); }\n", ".cu") == []


@pytest.mark.parametrize("text, words", [
    ("volatile int x;\n__attribute__((constructor)) static void early() { x = 1; }\n" + MAIN,
     "1 functions that run before main"),
    ("volatile int x;\n__attribute__((destructor)) static void late() { x = 1; }\n" + MAIN, ".fini_array"),
    ("struct S { S(); int x; };\nint f();\nS::S() : x(f()) {}\nint y;\n"
     "int f() { volatile int z = y; return z; }\nS s;\n" + MAIN,
     "run before main"),
    ("extern \"C\" int clock_gettime(int, void*) { return 0; }\n" + MAIN,
     "'clock_gettime', a name of the system's libraries"),
    ("#include <cstddef>\nextern \"C\" void* malloc(size_t) { return 0; }\n" + MAIN, "'malloc', a name of the system's"),
    ("#include <cstddef>\nvoid* operator new(size_t) { return 0; }\nvoid operator delete(void*) noexcept {}\n" + MAIN,
     "'_Znwm', a name of the system's"),
    ("extern \"C\" int cudaMemcpy(void*, void*, long, int) { return 0; }\n" + MAIN, "'cudaMemcpy', a name of the system's"),
    ("extern \"C\" __attribute__((weak)) double now_ms(void) { return 1; }\n" + MAIN, "which the harness defines"),
    ("static int real() { return 1; }\nextern \"C\" void* pick() { return (void*)real; }\n"
     "extern \"C\" int f() __attribute__((ifunc(\"pick\")));\nint main() { return f(); }\n", "ifunc"),
    ("int main() { long r; asm volatile(\"syscall\" : \"=a\"(r) : \"a\"(39) : \"rcx\", \"r11\"); return (int)r; }\n",
     "instruction of its own"),
    ("int main() { long r = 39; asm volatile(\"jmp 1f\\n .byte 0xb8\\n1: syscall\\n nop\\n nop\\n nop\" : \"+a\"(r) : : \"rcx\", \"r11\"); "
     "return (int)r; }\n", "into the middle of an instruction"),
    ("asm(\".text\\nhidden: movl $0xc3050f, %eax\\n ret\\n\");\nextern \"C\" char hidden[];\n"
     "int main() { asm volatile(\"lea hidden+1(%%rip), %%rdx\\n call *%%rdx\" : : : \"rax\", \"rcx\", \"rdx\", \"r11\"); }\n",
     "into the middle of an instruction"),
    ("asm(\".section .text.unlikely,\\\"ax\\\",@progbits\\n 77: movl $0xc3050f, %eax\\n ret\\n nop\\n .text\\n\");\n"
     "int main() { asm volatile(\"call 77b+1\" : : : \"rax\", \"rcx\", \"r11\"); }\n", "into the middle of an instruction"),
    ("int main() { long r = 39; asm volatile(\".reloc ., R_X86_64_PC16, .+0x50f\\n nop\\n nop\" : \"+a\"(r) : : \"rcx\", \"r11\"); "
     "return (int)r; }\n", "an instruction that the linker makes"),
    ("__attribute__((section(\".text.q\"))) extern const unsigned char q[] = {0xb8, 39, 0, 0, 0, 15, 5, 0xc3};\n"
     "int main() { return ((int (*)())q)(); }\n", "'q' is data in a section of code"),
    ("asm(\".section .rodata.q,\\\"ax\\\",@progbits\\n nop\\n .text\");\n" + MAIN, "is not what its name says"),
    ("int main() { asm volatile(\"lretq\"); }\n", "instruction of its own"),
    ("#include <iconv.h>\nint main() { return iconv_open(\"X\", \"Y\") != 0; }\n", "calls 'iconv_open'"),
    ("asm(\".section .note.GNU-stack,\\\"x\\\",@progbits\\n .text\");\n" + MAIN, "both written and executed"),
    ("#include <dlfcn.h>\nint main() { return dlsym(RTLD_DEFAULT, \"puts\") != 0; }\n", "calls 'dlsym'"),
    ("#include <unistd.h>\nint main() { return fork() != 0; }\n", "calls 'fork'"),
    ("#include <stdlib.h>\nint main() { return system(\"true\"); }\n", "calls 'system'"),
    ("extern \"C\" int __fork(void);\nint main() { return __fork() != 0; }\n", "calls '__fork'"),
    ("#include <wordexp.h>\nint main() { wordexp_t w; return wordexp(\"$(id)\", &w, 0); }\n", "calls 'wordexp'"),
    ("#include <signal.h>\n#include <unistd.h>\nint main() { return kill(getppid(), SIGSTOP); }\n", "calls 'kill'"),
    ("#include <sys/mman.h>\nint main() { return mprotect(0, 0, 0); }\n", "calls 'mprotect'"),
    ("asm(\".section .secret,\\\"ax\\\"\\n nop\\n .text\");\n" + MAIN, "section '.secret'"),
    ("asm(\".section .preinit_array,\\\"aw\\\"\\n .quad 0\\n .text\");\n" + MAIN, ".preinit_array"),
    ("#include <stdlib.h>\nextern \"C\" void* my_get(const char*);\nasm(\".symver my_get, getenv@GLIBC_2.2.5\");\n"
     "int main() { return my_get(\"x\") != 0; }\n", "symbol version"),
])
def test_tricks_are_named(violations, text, words):
    assert any(words in one for one in violations(text)), violations(text)


def test_no_other_name_that_the_c_library_has_for_a_forbidden_function_passes():
    """Names differ by version: those here are of the library of this machine."""
    names = gate.system_names()
    assert {"__fork", "_IO_popen", "fork"} <= names
    plain = {name for name in names if not name.startswith("_") and gate.is_forbidden(name, Gate())}
    aliases = {prefix + name for name in plain for prefix in ("_", "__", "__libc_", "_IO_", "___")} & names
    assert len(aliases) > 5 and all(gate.is_forbidden(name, Gate()) for name in aliases)
    assert not any(gate.is_forbidden(name, Gate()) for name in ("__cxa_atexit", "__sigsetjmp", "__errno_location", "exit", "_Znwm"))


def test_a_lab_may_forbid_and_may_list_what_is_called(violations):
    text = "#include <math.h>\n#include <stdio.h>\nint main(int argc, char**) { return puts(\"\") + (int)exp(argc); }\n"
    assert violations(text) == []
    assert any("calls 'exp'" in one for one in violations(text, forbidden=("exp*",)))
    assert any("calls 'puts'" in one for one in violations(text, allow_undefined=("exp",)))


def test_a_refusal_says_what_to_write_instead(violations):
    text = "#include <math.h>\n#include <stdio.h>\nint main(int argc, char**) { return puts(\"\") + (int)exp(argc); }\n"
    told = violations(text, allow_undefined=("puts",), forbidden=("put*",), instead={"use a table": ("ex*",), "print nothing": ("put*", "get*")})
    assert any(one.endswith("it calls 'puts', which this lab does not allow: print nothing") for one in told)
    assert any(one.endswith("it calls 'exp', which is not among the functions this lab allows: use a table") for one in told)
    assert all(": use a table" not in one for one in violations(text, allow_undefined=("puts",)))


def test_a_forbidden_name_may_not_be_defined_even_where_its_namespace_may_be_exported(violations):
    """The linker takes a function of an archive only where no object has it: a definition would take the grader's place."""
    text = "namespace hpml { int mine() { return 1; } namespace relay { __attribute__((weak)) void close_filter() {} } }\n" + MAIN
    [violation] = violations(text, exports=("_Z*4hpml*",), forbidden=("_Z*4hpml5relay*",))
    assert "it defines '_ZN4hpml5relay12close_filterEv'" in violation


def test_an_object_that_is_none_is_named(tmp_path):
    for content in (b"", b"\x7fELF\x02\x01" + b"\xff" * 200, b"\x7fELF\x02\x01" + b"\0" * 58):
        (tmp_path / "x.o").write_bytes(content)
        with pytest.raises(gate.elf.NotAnObject):
            gate.elf.read(tmp_path / "x.o")


TEMPLATE = "#include <vector>\nstd::vector<float> grown(int n) { std::vector<float> v; v.resize(n); return v; }\n"


def test_both_sides_may_use_the_same_template_of_the_library(violations, monkeypatch):
    monkeypatch.setitem(globals(), "HARNESS", TEMPLATE.replace("grown", "ours"))
    assert violations(TEMPLATE + MAIN) == []


INLINE = "#include <string>\nstruct Options { std::string a, b; ~Options(); };\n"
SHARED = INLINE.replace("~Options();", "int c;") + "Options made(int n) { return {std::string(n, 'x'), {}, n}; }\n"


def test_both_sides_may_have_the_implicit_members_of_a_shared_type(violations, monkeypatch):
    monkeypatch.setitem(globals(), "HARNESS", SHARED.replace("made", "ours"))
    assert violations(SHARED + MAIN) == []


def test_an_inline_function_takes_no_place_of_a_function_that_the_harness_alone_defines(violations, monkeypatch):
    monkeypatch.setitem(globals(), "HARNESS", INLINE + "Options::~Options() {}\n")
    weak = INLINE.replace("~Options();", "__attribute__((noinline)) ~Options() {}") + "void f() { Options o; }\n"
    assert "which the harness defines" in violations(weak + MAIN)[0]


def test_a_lab_may_allow_a_name_that_others_may_not_call_but_its_own_refusals_come_first(violations):
    text = "namespace hpml { void compute(double) {} namespace inner { int f() { return 1; } } }\n"
    user = "namespace hpml { void compute(double); namespace inner { int f(); } }\n"
    calls = user + "int main() { hpml::compute(1); return hpml::inner::f(); }\n"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "HARNESS", text)
        assert "which this lab does not allow" in violations(calls)[0]
        allowed = {"allow_undefined": ("_Z*4hpml*", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail")}
        assert violations(calls, **allowed) == []
        found = violations(calls, **allowed, forbidden=("_Z*4hpml5inner*",))
        assert len(found) == 1 and "inner" in found[0]
