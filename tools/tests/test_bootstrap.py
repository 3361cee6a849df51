"""What does tools/bootstrap do with apt on each kind of machine? dpkg, apt, id and sudo are stand-ins."""

import os
import subprocess
from pathlib import Path

import pytest

BOOTSTRAP = Path(__file__).resolve().parents[1] / "bootstrap"


class Machine:
    """A PATH of stand-ins; `installed` is dpkg's view, apt-get install adds to it, every apt and sudo call is noted."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.installed = folder / "installed"
        self.calls = folder / "calls"
        self.installed.write_text("")
        self.calls.write_text("")
        for tool in ("grep", "sed", "head", "tr", "env", "cat", "bash"):
            (self.bin / tool).symlink_to(f"/usr/bin/{tool}" if Path(f"/usr/bin/{tool}").exists() else f"/bin/{tool}")
        self.stub("dpkg-query", f'while read -r package; do printf "%s=installed " "$package"; done <{self.installed}')
        self.stub("apt-cache", 'if [[ $1 == depends ]]; then echo "  Depends: clang-14"; fi')
        self.stub("apt-get", f'''echo "apt-get $*" >>{self.calls}
for word in "$@"; do [[ $word == -* || $word == install ]] || echo "$word" >>{self.installed}; done''')
        self.user(1000)

    def stub(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)

    def user(self, number: int) -> None:
        self.stub("id", f"echo {number}")

    def run(self, *arguments: str, bootstrap: Path = BOOTSTRAP) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PATH": str(self.bin)}
        return subprocess.run(["/bin/bash", str(bootstrap), *arguments], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=30)

    def apt_calls(self) -> list[str]:
        return self.calls.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_root_installs_what_is_missing_and_the_second_run_does_nothing(machine: Machine) -> None:
    machine.user(0)
    first = machine.run()
    assert first.returncode == 0, first.stderr
    assert first.stdout == ""
    (install,) = machine.apt_calls()
    assert " install " in install and " cmake " in install and "libclang-rt" not in install
    second = machine.run()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert len(machine.apt_calls()) == 1


def test_packages_of_the_tests_alone_are_not_put_on_a_students_machine(machine: Machine) -> None:
    machine.user(0)
    assert machine.run().returncode == 0 and "slurm-wlm" not in machine.installed.read_text()
    assert machine.run("tests").returncode == 0
    asked = machine.apt_calls()[-1]
    assert "--no-install-recommends python3-jsonschema python3-lxml poppler-utils python3-zbar python3-pytest-xdist slurm-wlm munge " in asked
    assert "libopenblas-dev" in asked, "and the packages of every lab"
    assert "libclang-rt-14-dev" in asked, "and what clang's sanitizers link"
    assert machine.run("test").returncode == 2


def test_only_missing_packages_are_asked_for(machine: Machine) -> None:
    machine.user(0)
    machine.run()
    packages = machine.installed.read_text().splitlines()
    machine.installed.write_text("".join(f"{package}\n" for package in packages if package != "libfmt-dev"))
    assert machine.run().returncode == 0
    assert machine.apt_calls()[-1].endswith("--no-install-recommends libfmt-dev")


def test_package_lists_are_fetched_when_a_package_is_unknown(machine: Machine) -> None:
    machine.user(0)
    machine.stub("apt-cache", "exit 100")
    assert machine.run().returncode == 0
    assert machine.apt_calls()[0].endswith(" update")


def test_without_root_and_sudo_it_prints_the_one_command_and_stops(machine: Machine) -> None:
    result = machine.run()
    assert result.returncode == 2
    assert machine.apt_calls() == []
    command = result.stderr.splitlines()[-1].strip()
    assert command.startswith("su -c 'apt-get update && apt-get install -y") and " cmake " in command


def test_a_sudo_that_would_ask_without_a_terminal_is_not_started(machine: Machine) -> None:
    machine.stub("sudo", f'echo "sudo $*" >>{machine.calls}; exit 1')
    result = machine.run()
    assert result.returncode == 2
    assert machine.apt_calls() == ["sudo -n true"]
    assert result.stderr.splitlines()[-1].strip().startswith("sudo sh -c 'apt-get update")


def test_passwordless_sudo_is_used(machine: Machine) -> None:
    machine.stub("sudo", '[[ $1 == -n ]] && exit 0\nexec env "$@"')
    assert machine.run().returncode == 0
    assert len(machine.apt_calls()) == 1


def test_a_failing_apt_is_the_machines_fault(machine: Machine) -> None:
    machine.user(0)
    machine.stub("apt-get", "echo 'E: no network' >&2; exit 100")
    result = machine.run()
    assert result.returncode == 3
    assert "E: no network" in result.stderr and "apt-get failed" in result.stderr


def test_an_apt_that_installs_nothing_is_not_believed(machine: Machine) -> None:
    machine.user(0)
    machine.stub("apt-get", "exit 0")
    result = machine.run()
    assert result.returncode == 3
    assert "still missing" in result.stderr


def test_a_labs_own_packages_are_installed_for_that_lab_only(machine: Machine) -> None:
    machine.user(0)
    assert machine.run().returncode == 0
    assert not any("libopenblas-dev" in call for call in machine.apt_calls())
    done = machine.run("lab1")
    assert done.returncode == 0, done.stderr
    assert "libopenblas-dev" in machine.apt_calls()[-1]
    assert (machine.run("lab1", "lab77").stderr, machine.run("lib").returncode) == ("", 2)


def test_where_all_is_built_only_the_labs_own_compiler_is_installed(machine: Machine, tmp_path: Path) -> None:
    """A tree whose lab needs g++ and of which a package has built all."""
    for name, text in (("tools/bootstrap", BOOTSTRAP.read_text(encoding="utf-8")), ("labs/lab1_a/lab.toml", ""),
                       ("autograder/hpml_autograder/__main__.py", "import sys\nif '--apt' in sys.argv: print('g++')\n")):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    machine.user(0)
    done = machine.run("lab1", bootstrap=tmp_path / "tree/tools/bootstrap")
    assert done.returncode == 0, done.stderr
    installed = machine.installed.read_text().split()
    assert "g++" in installed and "python3-numpy" in installed
    assert not {"clang", "build-essential", "cmake"}.intersection(installed)


def test_what_draws_charts_is_installed_where_charts_are_drawn(machine: Machine) -> None:
    machine.user(0)
    assert "matplotlib" not in machine.run("--names").stdout
    assert "python3-matplotlib" in machine.run("charts", "--names").stdout.split()
