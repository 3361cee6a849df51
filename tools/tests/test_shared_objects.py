"""Do objects with constructors in __shared__ compile with clang, at any place where programs have them?"""

from __future__ import annotations

import re
from pathlib import Path

import shared_objects
from test_cuda_compile import compile_in, needs_clang

OBJECT = """struct Object {
  int value, more;
  __device__ Object() { value = 3; }
  __device__ ~Object() {}
};
"""


@needs_clang
def test_an_object_with_a_constructor_compiles_and_the_warning_is_nvccs(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OBJECT + "__global__ void k(int* out) {\n  __shared__ Object kept;\n  kept.more = 1;\n"
                                   "  __syncthreads();\n  *out = kept.more;\n}\nint main() { k<<<1, 1>>>(nullptr); }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "-o", "a", "a.cu")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["a.cu:7: warning: the constructor of kept does not run, because kept is in __shared__ "
                                        "memory: initialise it in the kernel"]


@needs_clang
def test_the_pragma_that_silences_nvcc_silences_the_warning(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("#pragma nv_diag_suppress static_var_with_dynamic_init\n" + OBJECT +
                                   "__global__ void k(int* out) { __shared__ Object kept; *out = kept.more; }\n")
    done = compile_in(tmp_path, "--frontend", "clang", "--ptx", "-o", "a.ptx", "a.cu")
    assert (done.returncode, done.stderr) == (0, "")


@needs_clang
def test_arrays_lists_templates_and_headers_keep_their_sizes_and_lines(tmp_path: Path) -> None:
    (tmp_path / "kept.cuh").write_text(OBJECT + "template <typename T, int N> struct Box { T object; int row[N]; };\n"
                                       "__device__ inline int once() { __shared__ Object in_header; return in_header.more; }\n")
    (tmp_path / "a.cu").write_text(
        '#include "kept.cuh"\ntemplate <typename T> __global__ void k(int* out) {\n'
        "  static __shared__ Object first, many[3];  // not __shared__ Object x;\n"
        "  __shared__ Box<T, 4>\n      boxes[2][2];\n  extern __shared__ int dynamic[];\n"
        '  static_assert(sizeof(boxes) == 4 * sizeof(Box<T, 4>) && __LINE__ == 7, "");\n'
        "  out[0] = first.more + many[2].more + boxes[1][1].row[3] + once() + dynamic[0];\n}\n"
        "template __global__ void k<Object>(int*);\n")
    done = compile_in(tmp_path, "--frontend", "clang", "--ptx", "-o", "a.ptx", "a.cu")
    assert done.returncode == 0, done.stderr
    sizes = dict(re.findall(r"\.shared \.align 4 \.b8 \S*?__(\w+)_storage\[(\d+)\]", (tmp_path / "a.ptx").read_text()))
    assert sizes == {"first": "8", "many": "24", "boxes": "96", "in_header": "8"}


@needs_clang
def test_an_error_in_the_use_of_such_an_object_is_shown(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(OBJECT + "__global__ void k(int* out) {\n  __shared__ Object kept;\n  *out = kept.none;\n}\n")
    done = compile_in(tmp_path, "--frontend", "clang", "--ptx", "-o", "a.ptx", "a.cu")
    assert done.returncode == 1 and "a.cu:8:15: error: no member named 'none'" in done.stderr, done.stderr


def test_a_declaration_with_an_initialiser_is_left_as_it_is() -> None:
    assert shared_objects.rewritten("__shared__ Object kept(3);\n", {(1, "kept")}) is None
    assert shared_objects.rewritten("__shared__ Object kept{};\n", {(1, "kept")}) is None
