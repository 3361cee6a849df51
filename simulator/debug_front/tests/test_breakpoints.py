"""Is a breakpoint that stops nowhere told about: why, and where the nearest place is?"""
import functools
import re

import pytest
from debug_sessions import GPUSIM, HERE, ROOT, Session, compile_program, has_nvcc, line_of

SOURCE = (HERE / "places.cu").read_text()
line_with = functools.partial(line_of, SOURCE)


@pytest.fixture(scope="module", params=["clang -g", "nvcc"])
def places(request, tmp_path_factory):
    frontend, *flags = request.param.split()
    if frontend == "nvcc" and not has_nvcc():
        pytest.skip("no nvcc here")
    return compile_program(HERE / "places.cu", tmp_path_factory.mktemp("places") / "places", frontend, *flags)


@pytest.fixture
def debug(places):
    session = Session(places)
    yield session
    session.close()


def test_host_lines_are_told_with_the_nearest_line_of_device_code(debug):
    host = [line_with(text) for text in ("static void greet", 'printf("%d', "int main()", "greet(1);")]
    told = "".join(debug(f"break places.cu:{line}") for line in host)  # before the program runs
    debug("break work")
    text = debug("run")
    for number, line in enumerate(host, 1):
        assert re.search(rf"Breakpoint {number}: line {line} of places.cu holds no device code; the nearest line that does is "
                         rf"\d+, in \w+", told), told
    assert f"the nearest line that does is {line_with('void unused') + 2}, in unused(float*)" in told
    assert "Breakpoint 1" not in text and "[launch 2: void work<3>" in text  # and none of them stops
    assert "holds no device code" in debug(f"break {host[-1]}")  # while a kernel stands still, at once
    assert debug("info breakpoints").count("holds no device code") == len(host) + 1
    debug("delete 5")
    text = debug("continue")
    assert "ended with status 0" in text and text.count("has never been reached: line") == len(host) + 1


def test_a_line_without_code_inside_a_kernel_goes_to_the_next_one(debug):
    first = line_with("int i = threadIdx.x")
    assert debug(f"break places.cu:{first - 2}").startswith(
        f"Breakpoint 1 at places.cu:{first}, in work<3>(float*, float const*): line {first - 2} has no code of its own")
    text = debug("run")
    assert "has no code" not in text
    assert f"places.cu:{first}" in text.split("state")[1]


def test_names_that_do_not_exist_are_told_with_near_ones(debug):
    waits = " waits for code that is loaded later"
    assert "Breakpoint 1: no kernel or device function is named 'wrok'; did you mean 'work'? It" + waits in debug("break wrok")
    assert "Breakpoint 2: no device code comes from 'plaices.cu'; it comes from places.cu; it" + waits in debug("break plaices.cu:3")
    text = debug("break nothing_like_it")
    assert "is named 'nothing_like_it'; there are " in text and "unused" in text
    text = debug("run")
    assert text.count("Breakpoint") == 3 and text.count("has never been reached") == 3 and "ended with status 0" in text


def test_a_kernel_that_is_not_launched_is_told_at_the_end(debug):
    debug("break unused")
    debug("start")
    assert "in unused(float*), which is not part of this kernel" in debug("info breakpoints")
    assert "Breakpoint 1 at unused has never been reached: no launch had code of unused(float*)" in debug("continue")


def test_a_breakpoint_at_the_first_instruction_of_a_launch_stops(debug):
    debug(f"break places.cu:{line_with('void oneliner')}")
    text = debug("run")
    assert "Breakpoint 1" in text and "[launch 1: oneliner" in text and "state 0]" in text
    assert "ended with status 0" in debug("continue")


def test_a_list_before_the_run_names_the_places_and_follows_a_program_that_is_compiled_again(tmp_path):
    source, output = tmp_path / "places.cu", tmp_path / "places"
    source.write_text(SOURCE, encoding="utf-8")
    compile_program(source, output, "clang", "-g")
    session = Session(output)
    line = line_with("out[i] = x")
    session(f"break places.cu:{line}")
    assert re.search(rf"^1 .* at {source}:{line}, in work<3>", session("info breakpoints"), re.MULTILINE)
    source.write_text("\n" + SOURCE, encoding="utf-8")
    compile_program(source, output, "clang", "-g")
    session("delete")
    assert f"at places.cu:{line + 1}, in work<3>" in session(f"break places.cu:{line + 1}")
    session.close()


def test_parts_that_are_linked_on_the_device_are_found(tmp_path):
    if not has_nvcc():
        pytest.skip("no nvcc here")
    session = Session(compile_program(HERE / "places.cu", tmp_path / "parts", "nvcc", "-g", "--relocatable"))
    line = line_with("float result = v * 2")
    assert f"at places.cu:{line}, in twice(float)" in session(f"break places.cu:{line}")
    assert f"places.cu:{line}" in session("run")
    session.close()


@pytest.mark.skipif(not (GPUSIM.parent.parent / "lib/libnvrtc.so.13").exists(), reason="libnvrtc is not built")
def test_code_that_is_compiled_at_run_time_is_waited_for(tmp_path):
    program = compile_program(ROOT / "simulator/tests/programs/nvrtc_saxpy.cu", tmp_path / "compiles", "clang", "-lcuda", "-lnvrtc")
    session = Session(program)
    assert "Breakpoint 1: compiles holds no device code; it waits for code that is loaded later" in session("break saxpy")
    text = session("run")
    assert "Breakpoint 1 is in saxpy<float>(" in text and "has been loaded now" in text and "saxpy.cu:4" in text.split("state")[1]
    session.close()


def test_a_program_without_kernels_says_so_at_its_end(tmp_path):
    source = tmp_path / "none.cu"
    source.write_text("int main() { return 0; }\n", encoding="utf-8")
    session = Session(compile_program(source, tmp_path / "none", "clang", "-g"))
    session("break none.cu:1")
    assert "Breakpoint 1 at none.cu:1 has never been reached: the program has launched no kernel" in session("run")
    session.close()


def test_a_function_that_was_inlined_is_told_to_have_no_code_of_its_own(places):
    session = Session(places)
    text = session("break nothing_like_it")
    assert ("(one that was inlined has no code of its own: break at its line)" in text) is ("twice" not in session("break twice").partition(", in ")[2])
    session.close()
