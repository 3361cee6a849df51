"""Does cuda_compile.py build what it should, name what it cannot, and do the headers hold what they promise?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import cuda_compile

TOOL = Path(cuda_compile.__file__)
INCLUDE = cuda_compile.INCLUDE_DIR
NVIDIA_HEADERS = Path("/usr/local/cuda/include")
KERNEL = "__global__ void k(float* p) { p[threadIdx.x] = sinf(p[0]); }\nint main() { k<<<1, 32>>>(nullptr); }\n"

needs_clang = pytest.mark.skipif(cuda_compile.find_clang() is None, reason="no clang here")
needs_nvcc = pytest.mark.skipif(cuda_compile.find_nvcc() is None, reason="no nvcc here")


def compile_in(folder: Path, *arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ) if path is None else {"PATH": path}
    return subprocess.run([sys.executable, str(TOOL), *arguments], cwd=folder, env=environment, check=False,
                          capture_output=True, text=True)


def needed_libraries(program: Path) -> str:
    return subprocess.run(["readelf", "-d", str(program)], check=True, capture_output=True, text=True).stdout


@needs_clang
def test_a_program_needs_libcudart_by_soname_and_has_no_search_path(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu")
    assert done.returncode == 0, done.stderr
    dynamic = needed_libraries(tmp_path / "a")
    assert "libcudart.so.11.0" in dynamic and "RPATH" not in dynamic and "RUNPATH" not in dynamic


@needs_clang
def test_a_host_program_needs_no_libcudart(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int main() { return 0; }\n")
    assert compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cpp").returncode == 0
    assert "libcudart" not in needed_libraries(tmp_path / "a")


@pytest.mark.parametrize("frontend", [pytest.param("clang", marks=needs_clang), pytest.param("nvcc", marks=needs_nvcc)])
def test_an_object_that_was_compiled_before_is_linked_like_a_source(frontend: str, tmp_path: Path) -> None:
    kernel, main = KERNEL.split("int main", 1)
    (tmp_path / "kernel.cu").write_text(kernel + "void start() { k<<<1, 32>>>(nullptr); }\n")
    (tmp_path / "main.cpp").write_text("void start();\nint main() { start(); }\n")
    assert compile_in(tmp_path, "--frontend", frontend, "-c", "-o", "kernel.o", "kernel.cu").returncode == 0
    done = compile_in(tmp_path, "--frontend", frontend, "-o", "a", "main.cpp", "kernel.o")
    assert done.returncode == 0, done.stderr
    assert "libcudart.so." in needed_libraries(tmp_path / "a")
    both = compile_in(tmp_path, "--frontend", frontend, "-c", "-o", "b.o", "kernel.cu", "main.cpp")
    assert both.returncode == 2 and "-c takes one source" in both.stderr


@needs_clang
def test_the_headers_survive_the_macros_of_students(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cooperative_groups.h>\n#include <cuda_fp16.h>\n" + KERNEL)
    names = "H W C K P N M T A B D E F G R S V X Y Z BLOCK_SIZE FOOTPRINT_SIZE TILE WIDTH SIZE idx mask lane"
    defines = [f"-D{name}=5" for name in names.split()]
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu", *defines)
    assert done.returncode == 0, done.stderr


@needs_clang
def test_the_order_of_standard_headers_does_not_matter(tmp_path: Path) -> None:
    """The plain command of the specification, without a forced include."""
    (tmp_path / "a.cu").write_text("#include <algorithm>\n#include <cmath>\n#include <complex>\n#include <memory>\n"
                                   "#include <cuda_runtime.h>\n" + KERNEL)
    command = [cuda_compile.find_clang() or "", "-std=c++17", "-x", "cuda", "--cuda-gpu-arch=sm_70", "-nocudainc",
               "-nocudalib", "-Xclang", "-target-sdk-version=11.5", f"-I{INCLUDE}", "-fsyntax-only", "a.cu",
               "--cuda-device-only", "-Xclang", "-target-feature", "-Xclang", "+ptx75"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_clang
def test_a_compile_error_is_the_compilers_with_a_relative_path(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int main() { return undeclared; }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", str(tmp_path / "a.cu"))
    assert done.returncode == 1
    assert done.stderr.startswith("a.cu:1:21: error:")


@needs_clang
def test_the_clusters_of_a_kernel_are_written_into_the_ptx(tmp_path: Path) -> None:
    (tmp_path / "sizes.cuh").write_text("constexpr int kWide = 4;\n"
                                        "template <int N> __global__ void __cluster_dims__(N, 2) t(int* p) { *p = N; }\n")
    (tmp_path / "a.cu").write_text('#include "sizes.cuh"\n__global__ void plain() {}\n'
                                   "__global__ void __cluster_dims__(kWide) wide(int* p);\n"
                                   "__global__ void wide(int* p) { *p = 1; }\n"
                                   'extern "C" __global__ __launch_bounds__(64) void __cluster_dims__(1, 2, 3) none() {}\n'
                                   "int main() { t<2><<<4, 1>>>(nullptr); }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "--ptx", "-o", "a.ptx", "a.cu")
    assert done.returncode == 0, done.stderr
    headers = re.findall(r"\.entry (\w+)\([^)]*\)\s*([^{]*?)\s*\{", (tmp_path / "a.ptx").read_text())
    clusters = {name: re.findall(r"\.reqnctapercluster (.*)", words) for name, words in headers}
    assert clusters == {"_Z5plainv": [], "_Z4widePi": ["4, 1, 1"], "none": ["1, 2, 3"], "_Z1tILi2EEvPi": ["2, 2, 1"]}


@needs_clang
def test_a_managed_variable_is_marked_in_the_ptx(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__managed__ int m = 4;\n__device__ int d;\n"
                                   "__global__ void k() { m += d; }\nint main() { k<<<1, 1>>>(); }\n")
    assert compile_in(tmp_path, "--frontend", "clang", "-o", "a", "--keep", "kept", "a.cu").returncode == 0
    marked = [line for line in next((tmp_path / "kept").glob("*.ptx")).read_text().splitlines() if "(.managed)" in line]
    assert len(marked) == 1 and re.search(r"\.u32 m = 4;", marked[0])


@needs_clang
@pytest.mark.parametrize("length", range(0, 16, 5))
def test_the_embedded_ptx_ends_with_a_zero_byte_whatever_its_length(length: int, tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL.replace("(float", "x" * length + "(float").replace("k<<<", "k" + "x" * length + "<<<"))
    assert compile_in(tmp_path, "--frontend", "clang", "-c", "-o", "a.o", "a.cu").returncode == 0
    subprocess.run(["objcopy", "-O", "binary", "--only-section=.nv_fatbin", "a.o", "section"], cwd=tmp_path, check=True)
    content = (tmp_path / "section").read_bytes()
    assert b".entry" in content and content.endswith(b"\0")


@needs_clang
def test_the_depfile_names_the_headers(tmp_path: Path) -> None:
    (tmp_path / "mine.h").write_text("\n")
    (tmp_path / "a.cu").write_text('#include "mine.h"\n' + KERNEL)
    assert compile_in(tmp_path, "--frontend", "clang", "-o", "a", "--depfile", "a.d", "a.cu").returncode == 0
    text = (tmp_path / "a.d").read_text()
    assert text.startswith("a: ") and str(tmp_path / "mine.h") in text and "cuda_runtime.h" in text


@needs_clang
def test_a_program_needs_the_libraries_whose_functions_it_calls(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda.h>\n#include <nvrtc.h>\n"
                                   "int main() { int v; nvrtcVersion(&v, &v); return cuInit(0); }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu", "-lcuda", "-lnvrtc")
    assert done.returncode == 0, done.stderr
    dynamic = needed_libraries(tmp_path / "a")
    assert "libcuda.so.1" in dynamic and "libnvrtc.so.11.2" in dynamic


@needs_clang
def test_ptx_is_for_the_newest_architecture_not_above_the_one_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("int twice(int x) { return 2 * x; }\n"
                                   'extern "C" __global__ void k(int* p) { *p = twice(*p); }\n')
    done = compile_in(tmp_path, "--ptx", "--default-device", "--device-arch", "79", "-o", "a.ptx", "a.cu")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "a.ptx").read_text()
    assert ".target sm_75" in text and ".entry k(" in text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cu", "a.ptx"]
    assert compile_in(tmp_path, "--ptx", "--frontend", "clang", "-o", "b.ptx", "a.cu").returncode == 1


@needs_clang
def test_the_toolkits_own_headers_do_not_come_before_ours(tmp_path: Path) -> None:
    toolkit = tmp_path / "toolkit"
    (toolkit / "crt").mkdir(parents=True)
    for name in ("crt/host_config.h", "cuda_runtime.h", "cuda_fp16.h"):
        (toolkit / name).write_text("#error a header that clang cannot read\n")
    (toolkit / "only_there.h").write_text("#define THREE 3\n")
    (tmp_path / "a.cu").write_text("#include <cuda_fp16.h>\n#include <only_there.h>\nint three = THREE;\n" + KERNEL)
    done = compile_in(tmp_path, "--frontend", "clang", "-I", str(toolkit), "-o", "a", "a.cu")
    assert done.returncode == 0, done.stderr


@needs_clang
def test_ranges_for_a_profiler_compile_and_need_no_library(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#include <nvToolsExt.h>\n#include <nvtx3/nvToolsExt.h>\n__global__ void k() {}\nint main() {\n"
        "  nvtxEventAttributes_t what = {};\n  what.version = NVTX_VERSION;\n  what.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;\n"
        "  what.colorType = NVTX_COLOR_ARGB;\n  what.messageType = NVTX_MESSAGE_TYPE_ASCII;\n  what.message.ascii = \"all\";\n"
        "  nvtxRangePushEx(&what);\n  const nvtxRangeId_t one = nvtxRangeStartA(\"one\");\n  k<<<1, 1>>>();\n"
        "  nvtxRangeEnd(one);\n  nvtxMark(\"end\");\n  return nvtxRangePop() < 0 ? 0 : 1;\n}\n")
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu", "-l", "nvToolsExt")
    assert done.returncode == 0, done.stderr
    assert "nvToolsExt" not in needed_libraries(tmp_path / "a")


def test_usage_errors_name_the_file(tmp_path: Path) -> None:
    done = compile_in(tmp_path, "-o", "a", "missing.cu")
    assert done.returncode == 2 and "missing.cu: no such file" in done.stderr


def test_without_a_compiler_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu", path=str(tmp_path))
    assert done.returncode == 3 and "apt-get install clang" in done.stderr


@needs_nvcc
def test_the_toolkit_is_found_behind_a_script_that_starts_nvcc(tmp_path: Path) -> None:
    nvcc = cuda_compile.find_nvcc()
    script = tmp_path / "nvcc"
    script.write_text(f'#!/bin/sh\nexec {nvcc} "$@"\n')
    script.chmod(0o755)
    root = cuda_compile.toolkit_root(str(script))
    assert root == cuda_compile.toolkit_root(nvcc) and (root / "bin/nvcc").is_file()


@needs_nvcc
def test_nvcc_links_against_a_stub_where_the_toolkit_lacks_a_library(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "a.cpp").write_text('extern "C" int cublasGetVersion_v2(void*, int*);\n'
                                    "int main() { return cublasGetVersion_v2(nullptr, nullptr); }\n")
    monkeypatch.setattr(cuda_compile.Build, "is_installed", lambda build, soname: False)
    assert cuda_compile.main(["--frontend", "nvcc", "-o", str(tmp_path / "a"), str(tmp_path / "a.cpp")]) == 0
    assert "libcublas.so.12" in needed_libraries(tmp_path / "a")


@pytest.mark.parametrize("frontend", [pytest.param("nvcc", marks=needs_nvcc), pytest.param("clang", marks=needs_clang)])
def test_a_header_that_is_not_there_is_said_by_the_exit_status(tmp_path: Path, frontend: str) -> None:
    assert compile_in(tmp_path, "--frontend", frontend, "--has-header", "curand_kernel.h").returncode == 0
    assert compile_in(tmp_path, "--frontend", frontend, "--has-header", "no_such_header.h").returncode == 1


@needs_clang
def test_clang_takes_alignas_behind_shared_also_in_a_header_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "tile.cuh").write_text("struct alignas(64) Row { int x[16]; };\n"
                                       "template <class T> __device__ int* tile() {\n"
                                       "  __shared__ alignas(T) int words[16];\n  return words;\n}\n")
    (tmp_path / "a.cu").write_text('#include "tile.cuh"\n__global__ void k(int* out) {\n'
                                   "  extern __shared__ alignas(128) char more[];\n"
                                   "  out[0] = tile<Row>()[threadIdx.x] + more[threadIdx.x];\n}\n")
    assert compile_in(tmp_path, "--frontend", "clang", "--ptx", "-o", "a.ptx", "a.cu").returncode == 0
    ptx = (tmp_path / "a.ptx").read_text()
    assert re.search(r"\.shared \.align 64 .*words", ptx) and re.search(r"\.shared \.align 128 .*more", ptx)


@needs_clang
def test_the_package_of_a_missing_header_is_named(tmp_path: Path, monkeypatch, capfd) -> None:
    (tmp_path / "a.cu").write_text("#include <cuda/no_such_part>\n")
    monkeypatch.setattr(cuda_compile.Path, "is_dir", lambda path: False)
    assert cuda_compile.main(["--frontend", "clang", "-o", str(tmp_path / "a"), str(tmp_path / "a.cu")]) == 1
    assert "cuda_compile: the headers cuda/... come with the package libcu++-dev" in capfd.readouterr().err


@pytest.mark.skipif(not (NVIDIA_HEADERS / "driver_types.h").is_file() or shutil.which("g++") is None,
                    reason="no CUDA Toolkit to compare with")
@pytest.mark.parametrize(("header", "their_header", "least"),
                         [("error_codes.h", "driver_types.h", 80), ("device_attributes.h", "driver_types.h", 80),
                          ("driver_enums.h", "cuda.h", 80), ("driver_results.h", "cuda.h", 80),
                          ("driver_tensor_map.h", "cuda.h", 20)])
def test_enumerations_have_the_values_of_the_real_headers(tmp_path: Path, header: str, their_header: str, least: int) -> None:
    rows = re.findall(r"^  ((?:cuda|CU)\w+) = (\d+),?$", (INCLUDE / "hpml" / header).read_text(), re.MULTILINE)
    real = (NVIDIA_HEADERS / their_header).read_text()
    common = [(name, value) for name, value in rows if re.search(rf"\b{name}\b", real)]
    assert len(common) >= 0.95 * len(rows) > least
    asserts = "".join(f'static_assert({name} == {value}, "{name}");\n' for name, value in common)
    (tmp_path / "a.cpp").write_text(f"#include <{their_header}>\n{asserts}")
    done = subprocess.run(["g++", f"-I{NVIDIA_HEADERS}", "-fsyntax-only", "a.cpp"], cwd=tmp_path, check=False,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@needs_clang
def test_a_unit_with_device_functions_alone_registers_its_code(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__device__ int twice(int x) { return 2 * x; }\n")
    assert compile_in(tmp_path, "--frontend", "clang", "-c", "-o", "a.o", "a.cu").returncode == 0
    text = subprocess.run(["nm", "-u", "a.o"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "__cudaRegisterFatBinary" in text


@needs_clang
def test_a_launch_in_device_code_is_refused_with_the_advice_to_use_nvcc(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void child() {}\n__global__ void parent() { child<<<1, 1>>>(); }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "-c", "-o", "a.o", "a.cu")
    assert done.returncode == 1
    assert "cuda_compile: kernels that launch kernels need nvcc (CUDA=nvcc, with --relocatable)" in done.stderr
