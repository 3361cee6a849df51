"""Does the one line that a student is shown of a compiler's output say what is wrong, where, and how to mend it?"""
import shutil
import subprocess

import pytest
from hpml_autograder.compiler_words import first_error
from hpml_autograder.paths import ROOT

CUDA = "#include <cuda_runtime.h>\ndouble now();\nvoid plain(float* x) { *x = 1; }\n__global__ void add(float* x) { *x = 1; }\n"
KERNELS = {
    "__global__ void k(float* x) { *x = now(); }\nint main() {}": ("a.cu:5:", "no matching function for call to 'now'", "marked __device__"),
    "int main() { float* p; cudaMalloc(p, 4); }": ("a.cu:5:", "'float *' to 'void **' for 1st argument", "&pointer"),
    "int main() { plain<<<1, 1>>>(nullptr); }": ("a.cu:5:", "write __global__ before"),
    "int main() { add(nullptr); }": ("a.cu:5:", "kernel<<<grid, block>>>"),
    "__global__ int k() { return 1; }\nint main() {}": ("a.cu:5:", "declare it void"),
}


@pytest.mark.skipif(shutil.which("clang") is None, reason="no clang")
@pytest.mark.parametrize("text, words", KERNELS.items(), ids=lambda one: one[-1] if isinstance(one, tuple) else None)
def test_clangs_words_of_a_beginners_mistake_in_cuda(tmp_path, text, words):
    (tmp_path / "a.cu").write_text(CUDA + text + "\n", encoding="utf-8")
    done = subprocess.run([ROOT / "tools/cuda_compile.py", "--frontend", "clang", "-o", "a", "a.cu"], cwd=tmp_path, capture_output=True,
                          text=True, check=False)
    said = first_error(done.stderr)
    assert [word for word in words if word not in said] == [] and "\n" not in said, said


def test_a_function_that_is_defined_nowhere_is_named_instead_of_the_linkers_status(tmp_path):
    (tmp_path / "a.cpp").write_text("int square(int);\nint main() { return square(1); }\n", encoding="utf-8")
    done = subprocess.run(["c++", "-o", "a", "a.cpp"], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = first_error(done.stderr)
    assert "undefined reference to `square(int)'" in said and "defined nowhere" in said and "/" not in said, said


@pytest.mark.parametrize("log, said", [
    ("a.cpp:1:2: warning: w\na.cpp:3:4: error: expected ';'\n  x\na.cpp:9:9: error: e", "a.cpp:3:4: error: expected ';'"),
    ("\n  something odd \n", "something odd"),
    ("", "the compiler stopped without a message"),
    ("a.cu:1:1: error: no matching function for call to 'f'\na.cu:2:1: error: other\nx.h:1: note: candidate function not viable: of other",
     "a.cu:1:1: error: no matching function for call to 'f'"),
])
def test_other_words_stay_as_they_are(log, said):
    assert first_error(log) == said
