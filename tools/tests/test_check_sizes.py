"""Does the size check stop long files, and measure functions rightly?"""

from pathlib import Path

import check_sizes

LIMITS = check_sizes.Limits(ask_lines=40, stop_lines=60, function_lines=10, tables=("simulator/isa/table.cpp",))


def report_of(tmp_path: Path, name: str, text: str) -> check_sizes.Report:
    for path, content in ((name, text), ("simulator/isa/table.cpp", "// key\n" * 1000)):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    return check_sizes.check(tmp_path, LIMITS)


def test_a_file_at_the_limit_passes_and_one_line_more_fails(tmp_path: Path) -> None:
    assert report_of(tmp_path, "common/a.cpp", "//\n" * 60).errors == []
    assert report_of(tmp_path, "common/a.cpp", "//\n" * 61).errors[0].startswith("common/a.cpp: 61 lines")


def test_a_file_between_the_limits_is_asked_about(tmp_path: Path) -> None:
    report = report_of(tmp_path, "tools/a.py", "#\n" * 41)
    assert report.errors == [] and report.notes == ["tools/a.py: 41 lines; above 40 asks why"]


def test_a_listed_table_has_no_limit_but_must_exist(tmp_path: Path) -> None:
    assert report_of(tmp_path, "common/a.cpp", "").errors == []
    (tmp_path / "simulator/isa/table.cpp").unlink()
    assert "does not exist" in check_sizes.check(tmp_path, LIMITS).errors[0]


def test_cpp_functions_are_measured_and_types_and_lambdas_are_not() -> None:
    text = """namespace hpml {
// { an unbalanced brace in a comment
class Thing : public Base {
 public:
  int size() const { return 1; }
  Thing() : a_(1) {
    auto inner = [] { return '{'; };
    if (inner()) {
      use("}");
    }
  }
};
enum class Kind { a, b };
template <class T>
int free_function(T t) {
  return t;
}
}  // namespace hpml
"""
    assert check_sizes.cpp_functions(text) == [("size", 5, 1), ("Thing", 6, 6), ("free_function", 14, 4)]


def test_long_functions_are_notes(tmp_path: Path) -> None:
    body = "  f();\n" * 9
    assert report_of(tmp_path, "common/a.cpp", f"void g() {{\n{body}}}\n").notes == [
        "common/a.cpp:1: g() has 11 lines; 10 fit a screen"
    ]
    assert report_of(tmp_path, "common/a.cpp", "def g(): pass\n").notes == []
    assert len(report_of(tmp_path, "tools/b.py", "def g():\n" + "    f()\n" * 10).notes) == 1
