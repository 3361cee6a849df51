// The gpusim executable as its users call it: exit codes, one line on stderr, nothing of its own on stdout.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
  int status;  // of exit; 128 + signal
  std::string out, err;
};

class Gpusim : public testing::Test {
 protected:
  Gpusim() {
    std::string pattern = (fs::temp_directory_path() / "gpusim_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Gpusim() override { fs::remove_all(folder_); }

  std::string read(const std::string& name) const {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Outcome run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd " + folder_.string() + " && " + before + " exec " + HPML_BINARY_DIR +
                                "/bin/gpusim " + arguments + " >stdout 2>stderr";
    const int status = system(command.c_str());
    return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read("stdout"), read("stderr")};
  }
  fs::path folder_;
};

constexpr const char* kScale = R"(.version 7.5
.target sm_70
.address_size 64
.visible .entry scale(.param .u64 p, .param .f32 f) {
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [p];
  ld.param.f32 %f1, [f];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3];
  mul.f32 %f3, %f2, %f1;
  st.global.f32 [%rd3], %f3;
  ret;
}
)";

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST_F(Gpusim, RunPassesTheProgramThrough) {
  const Outcome done = run("run -- /bin/sh -c 'echo out; echo err >&2; exit 5'");
  EXPECT_EQ(done.status, 5);
  EXPECT_EQ(done.out, "out\n");
  EXPECT_EQ(done.err, "err\n");  // a program without CUDA: nothing to summarise
}

TEST_F(Gpusim, RunSaysWhyNoProgramCanHaveAGpuHere) {
  const Outcome done = run("run -- /bin/true", "ulimit -v 8000000;");
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.err, HasSubstr("gpusim: cannot reserve 256 GiB"));
  EXPECT_THAT(done.err, HasSubstr("ulimit -v unlimited"));
}

// A runtime inside of the program, as nvcc links it unless told otherwise; its device code is registered by a
// constructor. The release shows by a function that only one of them has.
TEST_F(Gpusim, RunReplacesTheRuntimeInsideAProgram) {
  write("runtime.c",
        "void* __cudaRegisterFatBinary(void* p) { __builtin_trap(); return p; }\n"
        "int cudaRuntimeGetVersion(int* v) { return *v = 7; }\n"
        "#ifdef RELEASE_12\nint cudaGetDeviceProperties_v2(void* p) { return p == 0; }\n#endif\n"
        "void last(void) {}\n");
  write("program.c",
        "#include <stdio.h>\nint cudaRuntimeGetVersion(int*);\nvoid* __cudaRegisterFatBinary(void*);\n"
        "static long image[4] = {0x466243b1 | 1L << 32};\n"
        "__attribute__((constructor)) static void start(void) { __cudaRegisterFatBinary(image); }\n"
        "int main(void) { int v = 0; return cudaRuntimeGetVersion(&v) != 0 || !printf(\"%d\\n\", v / 1000); }\n");
  const std::string build = "cd " + folder_.string() +
                            " && cc -O2 -o thirteen program.c runtime.c"
                            " && cc -O2 -DRELEASE_12 -o twelve program.c runtime.c"
                            " && cc -O2 -shared -fPIC -Wl,-soname,libinner.so -o libinner.so runtime.c"
                            " && cc -O2 -Wl,-rpath,. -o library program.c ./libinner.so";
  ASSERT_EQ(system(build.c_str()), 0);
  EXPECT_EQ(run("run -- ./thirteen").out, "13\n");
  EXPECT_EQ(run("run -- ./twelve").out, "12\n");
  EXPECT_EQ(run("run -- ./library").out, "13\n");
  EXPECT_EQ(run("run -- /bin/sh -c ./thirteen").out, "13\n");
}

TEST_F(Gpusim, RunSaysWhyItCannotReplaceARuntimeWithoutNames) {
  write("program.c",
        "__attribute__((section(\".nvFatBinSegment\"))) long image[3] = {1};\n"
        "void* __cudaRegisterFatBinary(void* p) { return p; }\nint main(void) { return 4; }\n");
  ASSERT_EQ(system(("cd " + folder_.string() + " && cc -o named program.c && cc -s -o stripped program.c").c_str()), 0);
  EXPECT_EQ(run("run -- ./named").status, 4);
  const Outcome done = run("run -- ./stripped");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, HasSubstr("its symbols have been removed"));
}

TEST_F(Gpusim, RunSaysWhyItCannotReplaceLibrariesInAStaticProgram) {
  write("program.c",
        "__attribute__((section(\".nvFatBinSegment\"))) long image[3] = {1};\n"
        "void* __cudaRegisterFatBinary(void* p) { return p; }\nint main(void) { return 4; }\n");
  ASSERT_EQ(system(("cd " + folder_.string() + " && cc -static -o program program.c").c_str()), 0);
  const Outcome done = run("run -- ./program");
  EXPECT_EQ(done.status, 2);
  EXPECT_THAT(done.err, HasSubstr("is linked with -static"));
}

// A library of NVIDIA's that only machine code is known of, and a program that calls it or is only linked with it.
TEST_F(Gpusim, RunNamesALibraryThatCannotBeSimulated) {
  write("npp.c", "int nppGetGpuNumSMs(void) { return 0; }\n");
  write("calls.c", "int nppGetGpuNumSMs(void);\nint main(void) { return nppGetGpuNumSMs(); }\n");
  write("links.c", "int main(void) { return 4; }\n");
  const std::string build = "cd " + folder_.string() +
                            " && cc -shared -fPIC -Wl,-soname,libnppc.so.12 -o libnppc.so.12 npp.c"
                            " && cc -Wl,--no-as-needed,-rpath,. -o calls calls.c ./libnppc.so.12"
                            " && cc -Wl,--no-as-needed,-rpath,. -o links links.c ./libnppc.so.12";
  ASSERT_EQ(system(build.c_str()), 0);
  const Outcome calls = run("run ./calls");
  EXPECT_EQ(calls.status, 2);
  EXPECT_THAT(calls.err, HasSubstr("not supported: libnppc.so.12 (NPP)"));
  EXPECT_EQ(run("run ./links").status, 4);
}

TEST_F(Gpusim, OptionsAfterTheProgramAreItsOwn) {
  const Outcome done = run("run --gpu v100 /bin/echo --gpu nonsense -- x");
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.out, "--gpu nonsense -- x\n");
}

TEST_F(Gpusim, WrongUseIsOneLineAndTwo) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "subcommand"},
      {"run", "no program given"},
      {"run --gpux t4 /bin/true", "--gpux"},
      {"run --gpu t5 /bin/true", "did you mean 't4'"},
      {"run --mode fast /bin/true", "--mode"},
      {"run --check memchek /bin/true", "memcheck"},
      {"run --report /nonexistent/r.html /bin/true", "/nonexistent/r.html"},
      {"run --baseline b.json /bin/true", "--report"},
      {"run --metrics /nonexistent/m.json /bin/true", "/nonexistent/m.json"},
      {"run ./nothing", "./nothing"},
      {"launch missing.ptx --kernel k --grid 1 --block 1", "missing.ptx"},
      {"ptx check missing.ptx", "missing.ptx"},
      {"roofline missing.json -o r.svg", "missing.json"},
      {"roofline missing.json", "--output"},
      {"profile", "-- PROGRAM"},
      {"profile missing.json", "missing.json"},
      {"profile missing.json -- /bin/true", "either"},
      {"profile -- ./nothing", "./nothing"}};
  for (const auto& [arguments, expected] : cases) {
    const Outcome done = run(arguments);
    EXPECT_EQ(done.status, 2) << arguments;
    EXPECT_THAT(done.err, HasSubstr(expected)) << arguments;
    EXPECT_EQ(done.err.find('\n'), done.err.size() - 1) << done.err;
    EXPECT_EQ(done.out, "") << arguments;
  }
}

TEST_F(Gpusim, AReportLeavesTheProgramsEndAsItIs) {
  const Outcome exited = run("run --report r.html -- /bin/sh -c 'echo out; exit 5'");
  EXPECT_EQ(exited.status, 5);
  EXPECT_EQ(exited.out, "out\n");
  EXPECT_THAT(exited.err, HasSubstr("nothing to report"));
  const Outcome killed = run("run --report r.html -- /bin/sh -c 'kill -TERM $$'");
  EXPECT_EQ(killed.status, 128 + SIGTERM);
  EXPECT_FALSE(fs::exists(folder_ / "r.html"));
}

TEST_F(Gpusim, ASignalReachesTheProgramThatIsReportedOn) {
  write("p.sh", "trap 'echo told; exit 7' TERM\nkill -TERM $PPID\nwhile :; do sleep 0.01; done\n");
  const Outcome done = run("run --report r.html /bin/sh p.sh");
  EXPECT_EQ(done.status, 7);
  EXPECT_EQ(done.out, "told\n");
}

TEST_F(Gpusim, TellsAndDrawsWhatALaunchDid) {
  write("k.ptx", kScale);
  write("x.bin", bytes_of({1, 2, 3, 4}));
  ASSERT_EQ(run("launch k.ptx --kernel scale --grid 1 --block 4 --metrics m.json inout:x.bin f32:2").status, 0);
  const Outcome told = run("profile m.json");
  EXPECT_EQ(told.status, 0) << told.err;
  EXPECT_THAT(told.out, HasSubstr("1  scale"));
  EXPECT_THAT(run("profile m.json --metric launch__block_size").out, HasSubstr("scale\tlaunch__block_size\t4"));
  EXPECT_THAT(run("profile m.json --metric launch__blok_size").err, HasSubstr("launch__block_size"));
  EXPECT_EQ(run("roofline m.json -o r.svg").status, 0);
  EXPECT_THAT(read("r.svg"), HasSubstr("1 scale"));
  EXPECT_EQ(run("profile m.json -o r.html --baseline m.json").status, 0);
  EXPECT_THAT(read("r.html"), HasSubstr("Compared with the baseline"));
}

TEST_F(Gpusim, LaunchReadsAndWritesBuffers) {
  write("k.ptx", kScale);
  write("x.bin", bytes_of({1, 2, 3, 4}));
  const Outcome done = run("launch k.ptx --kernel scale --grid 1 --block 4 inout:x.bin f32:2.5");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(read("x.bin"), bytes_of({2.5, 5, 7.5, 10}));
}

TEST_F(Gpusim, LaunchTellsAFaultAndFails) {
  write("k.ptx", kScale);
  write("x.bin", bytes_of({1, 2, 3, 4}));
  const std::string arguments = "k.ptx --kernel scale --grid 1 --block 64 inout:x.bin f32:2";
  const Outcome strict = run("launch --strict " + arguments);
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err, HasSubstr("out of bounds in kernel scale"));
  const Outcome like_hardware = run("launch " + arguments);  // the page holds the buffer and what is behind it
  EXPECT_EQ(like_hardware.status, 0);
  EXPECT_THAT(like_hardware.err, HasSubstr("out of bounds in kernel scale"));
}

TEST_F(Gpusim, LaunchChecksItsArguments) {
  write("k.ptx", kScale);
  write("x.bin", bytes_of({1}));
  EXPECT_THAT(run("launch k.ptx --kernel scale --grid 1 --block 1 inout:x.bin").err, HasSubstr("takes 2 arguments"));
  EXPECT_THAT(run("launch k.ptx --kernel scale --grid 1 --block 1 inout:x.bin f64:2").err, HasSubstr("8 bytes"));
  EXPECT_THAT(run("launch k.ptx --kernel scal --grid 1 --block 1").err, HasSubstr("no kernel 'scal'"));
  EXPECT_EQ(run("launch k.ptx --kernel scale --grid 1 --block 2000 inout:x.bin f32:2").status, 2);
}

TEST_F(Gpusim, PtxCheckPointsAtTheMistake) {
  write("good.ptx", kScale);
  EXPECT_EQ(run("ptx check good.ptx").status, 0);
  std::string bad = kScale;
  bad.replace(bad.find("mul.f32"), 7, "mul.rx.f32");
  write("bad.ptx", bad);
  const Outcome done = run("ptx check bad.ptx");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.err, HasSubstr("bad.ptx:12"));
}

TEST_F(Gpusim, ListsWhatThereIs) {
  const Outcome gpus = run("gpus --json");
  EXPECT_EQ(gpus.status, 0);
  EXPECT_THAT(gpus.out, HasSubstr("\"name\": \"t4\""));
  const Outcome isa = run("isa");
  EXPECT_EQ(isa.status, 0);
  EXPECT_THAT(isa.out, HasSubstr("fma"));
}

}  // namespace
