"""What `hpml package` makes serves the trees that it was made of, and no others."""
import json
import re
import shutil
import subprocess
import tarfile

import pytest
from hpml_autograder import cli, labspec, packing, paths, prebuilt
from hpml_autograder.paths import find_lab
from hpml_class.progress import Progress
from hpml_class.release import package, tree

LAB = "lab1"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Of one lab: apt's, and the tarball."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "known_labs", lambda: [LAB])
        patch.setenv("HPML_BUILD_DIR", str(paths.build_dir()))  # nothing is built here
        return package.make(tmp_path_factory.mktemp("packages"), Progress(3, "package"))


@pytest.fixture
def student(tmp_path, packages, monkeypatch):
    """A student's tree with the tarball unpacked in it."""
    dirs, root = find_lab(LAB), tmp_path / "tree"
    tree.export(dirs, root)
    with tarfile.open(packages[1]) as archive:
        archive.extractall(root, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(root)
    monkeypatch.setattr(prebuilt, "ROOT", root)
    monkeypatch.setattr(prebuilt, "PLACES", (root / "prebuilt",))
    return root


def found(root):
    lab = root / "labs" / find_lab(LAB).lab.name
    return prebuilt.find(lab, labspec.load(lab / "lab.toml"))


def test_a_released_tree_is_served(student):
    assert found(student) == student / "prebuilt"
    assert subprocess.run([student / "prebuilt/bin/gpusim", "gpus"], capture_output=True, text=True, check=True).stdout.count("t4")


def test_the_packages_simulator_explains_a_run(student, tmp_path):
    """Its reports are a program of their own, which must find the table of counters."""
    gpusim, metrics = student / "prebuilt/bin/gpusim", tmp_path / "metrics.json"
    (tmp_path / "k.ptx").write_text(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k() {\n  ret;\n}\n", encoding="utf-8")
    subprocess.run([gpusim, "launch", tmp_path / "k.ptx", "--kernel", "k", "--grid", "1", "--block", "32", "--metrics", metrics], check=True)
    done = subprocess.run([gpusim, "profile", metrics], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "k" in done.stdout, done.stderr


def test_the_students_own_files_change_nothing(student):
    spec = labspec.load(find_lab(LAB).lab / "lab.toml")
    (student / "labs" / find_lab(LAB).lab.name / "src" / spec.submit.files[0]).write_text("int mine;\n", encoding="utf-8")
    assert found(student) is not None


@pytest.mark.parametrize("file", ["simulator/isa/types.hpp", "common/new.cpp", "CMakeLists.txt", "labs/LAB/judges/worker/main.cpp"])
def test_whoever_changes_what_is_compiled_gets_what_they_wrote(student, file):
    with (student / file.replace("LAB", find_lab(LAB).lab.name)).open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert found(student) is None


@pytest.mark.parametrize("content", ["", "[]", '{"schema": "hpml.prebuilt/v2", "sources": {}}'])
def test_a_damaged_package_serves_nobody(student, content):
    (student / "prebuilt" / paths.PREBUILT).write_text(content, encoding="utf-8")
    assert found(student) is None


def test_nothing_is_to_be_built_and_gradings_keep_their_things_outside_the_package(student, monkeypatch, capsys):
    monkeypatch.delenv("HPML_BUILD_DIR", raising=False)
    monkeypatch.setattr(cli, "find_lab", lambda name: paths.LabDirs(student / "labs" / find_lab(LAB).lab.name, student))
    assert cli.run_needs([LAB], apt=False) == 0 and capsys.readouterr().out == ""
    monkeypatch.setenv("HPML_BUILD_DIR", str(student / "prebuilt"))
    assert paths.kept_dir() == paths.ROOT / "build/prebuilt"


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb")
def test_apts_package_names_what_it_needs_and_holds_nothing_of_staff(packages):
    fields = subprocess.run(["dpkg-deb", "--field", packages[0]], capture_output=True, text=True, check=True).stdout
    depends, suggests = (re.search(rf"^{name}: (.*)$", fields, re.MULTILINE)[1].split(", ") for name in ("Depends", "Suggests"))
    assert "Package: hpml-labs" in fields and "python3-numpy" in depends and any(one.startswith("libfmt") for one in depends)
    assert {"clang", "g++", "cmake"}.isdisjoint(depends), "apt would fetch half a gigabyte of compilers that a lab may not need"
    assert "g++" in suggests and "python3-matplotlib" in suggests and "Recommends" not in fields, "apt installs those too"
    files = subprocess.run(["dpkg-deb", "--contents", packages[0]], capture_output=True, text=True, check=True).stdout
    assert "./usr/bin/gpusim -> ../lib/hpml-labs/bin/gpusim" in files and "bin/lab1_worker" in files
    for staff in ("hpml-model", "lab5_train", "/test", "solutions", ".key"):
        assert staff not in files, staff
    assert "root/root" in files.splitlines()[-1]
    for part in ("share/doc/hpml-labs/copyright", "share/bash-completion/completions/gpusim -> ../../../lib/hpml-labs/tools/completion.bash"):
        assert part in files, part


def test_a_tree_packs_what_it_needs_itself(tmp_path, monkeypatch):
    """As the container image does."""
    monkeypatch.setattr(packing, "known_labs", lambda: [LAB])
    monkeypatch.setenv("HPML_BUILD_DIR", str(paths.build_dir()))
    place = tmp_path / "prebuilt"
    assert cli.main(["pack", str(place)]) == 0
    monkeypatch.setattr(prebuilt, "PLACES", (place,))
    dirs = find_lab(LAB)
    assert prebuilt.find(dirs.lab, labspec.load(dirs.lab / "lab.toml")) == place
    assert cli.main(["pack", str(place)]) == 0, "made anew"
    (tmp_path / "mine").mkdir()
    assert cli.main(["pack", str(tmp_path / "mine")]) == 2 and (tmp_path / "mine").is_dir()


def test_the_package_says_which_trees_it_serves(packages):
    with tarfile.open(packages[1]) as archive:
        table = json.load(archive.extractfile(f"prebuilt/{paths.PREBUILT}"))
    assert table["schema"] == prebuilt.SCHEMA and list(table["sources"]) == [LAB] and len(table["sources"][LAB]) == 64


def test_an_empty_build_folder_is_the_usual_one(monkeypatch):
    monkeypatch.setenv("HPML_BUILD_DIR", "")
    assert paths.build_dir() == paths.ROOT / "build" / "release"
